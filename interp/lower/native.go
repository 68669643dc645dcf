package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"gaucho/interp/wire"
)

// A Declaration is the source of a type or function of the session, for those who compile it.
type Declaration struct {
	Spec  *ast.TypeSpec // of a type
	Func  *ast.FuncDecl // of a function or method
	Plain bool          // a method's declaration has the receiver as first parameter
	Info  *types.Info
	Fset  *token.FileSet
	Cell  int
}

// TypeDecl returns the declaration of a type of the session, nil if there is none.
func (s *Session) TypeDecl(obj *types.TypeName) *Declaration { return s.specs[obj] }

// FuncDecl returns the declaration of a function or method of the session, nil if there is none.
func (s *Session) FuncDecl(obj *types.Func) *Declaration {
	d := s.decls[obj]
	if d == nil || d.src {
		return nil
	}
	return &Declaration{Func: d.decl, Plain: d.decl.Recv == nil && obj.Signature().Recv() != nil, Info: d.info, Fset: d.fset, Cell: d.cell}
}

// Interprets reports whether a package is of a module that is run from its source.
func (s *Session) Interprets(path string) bool { return s.lib.Module(path) != nil }

// A native is where lowered text finds a function of a compiled part.
type native struct {
	path, name string
	setter     string // replaces it for those who call it
}

// offerNative makes known what the compiled part offers: its functions become symbols of a package, as far as their values have
// the same form on both sides, and its variables get the addresses of the session's.
func (e *emitter) offerNative() {
	p := e.part.Native
	for obj, name := range p.Types {
		if why := e.crossing(obj.Type(), map[types.Type]bool{}); why == "" {
			e.exports = append(e.exports, wire.Native{Name: name, Type: e.describe(obj.Type()), Twin: true})
			e.describe(types.NewPointer(obj.Type()))
			e.table(obj.Type())
			e.table(types.NewPointer(obj.Type()))
		}
	}
	for v, name := range p.Vars {
		e.guard(func() {
			if why := e.crossing(v.Type(), map[types.Type]bool{}); why != "" {
				panic(Refusal{p.VarPos[v], fmt.Sprintf("compiled code cannot use the variable %s of the session: %s", v.Name(), why)})
			}
			set := types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewParam(0, nil, "", types.NewPointer(v.Type()))), nil, false)
			e.exports = append(e.exports, wire.Native{Name: name, Type: e.describe(set)})
			fmt.Fprintf(&e.start, "%s.%s(&%s)\n", e.imp(p.Path), name, e.globalVar(v))
		})
	}
	slices.SortFunc(e.exports, func(a, b wire.Native) int { return strings.Compare(a.Name, b.Name) })
}

// declareNative makes a function of the compiled part known under its symbol. It reports whether that was done: a
// function whose arguments or results have another form in compiled code is lowered, for interpreted callers, as any
// other, and the user is told.
func (e *emitter) declareNative(obj *types.Func) bool {
	old := e.part.Replaces[obj]
	if old == nil {
		old = obj
	}
	before := e.s.natives[old]
	p := e.part.Native
	if p == nil || p.Funcs[obj] == "" {
		if before.path != "" {
			e.interpretAgain(obj, before)
		}
		return false
	}
	why := ""
	sig := obj.Signature()
	for _, v := range valuesOf(sig) {
		if why = e.crossing(v.Type(), map[types.Type]bool{}); why != "" {
			what := "result"
			if v == sig.Recv() {
				what = "receiver"
			} else if slices.Contains(slices.Collect(sig.Params().Variables()), v) {
				what = "parameter"
			}
			e.notes = append(e.notes, fmt.Sprintf("interpreted cells run %s interpreted, only compiled ones run it compiled: its %s is of the type %s, and %s",
				funcLabel(obj), strings.TrimSpace(what+" "+v.Name()), e.typeString(v.Type()), why))
			return false
		}
	}
	name, setter := p.Funcs[obj], p.Setters[p.Funcs[obj]]
	e.exports = append(e.exports,
		wire.Native{Name: name, Type: e.describe(plainSignature(obj))},
		wire.Native{Name: setter, Type: e.describe(setterSignature(obj))})
	if was, ok := e.s.funcs[e.funcKey(old, nil)]; ok && e.s.forward[was] {
		fmt.Fprintf(&e.start, "r_%s = %s.%s\nm_%s = true\n", was, e.imp(p.Path), name, was)
	}
	Set(&e.s.Undo, e.s.natives, obj, native{p.Path, name, setter})
	return true
}

// interpretAgain has an interpreted function take over the callers of a compiled one.
func (e *emitter) interpretAgain(obj *types.Func, before native) {
	unset(&e.s.Undo, e.s.natives, obj)
	fmt.Fprintf(&e.start, "%s.%s(%s)\n", e.imp(before.path), before.setter, e.identity(plainSignature(obj))+"("+e.funcName(obj, nil)+")")
}

// valuesOf are the receiver, parameters and results of a function.
func valuesOf(sig *types.Signature) []*types.Var {
	var out []*types.Var
	if sig.Recv() != nil {
		out = append(out, sig.Recv())
	}
	out = slices.AppendSeq(out, sig.Params().Variables())
	return slices.AppendSeq(out, sig.Results().Variables())
}

// plainSignature is a function's type, a method's with the receiver as first parameter.
func plainSignature(obj *types.Func) *types.Signature {
	sig := obj.Signature()
	if sig.Recv() == nil {
		return sig
	}
	params := append([]*types.Var{types.NewParam(0, nil, "", sig.Recv().Type())}, slices.Collect(sig.Params().Variables())...)
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), sig.Results(), sig.Variadic())
}

// setterSignature is the type of the function that replaces a compiled one.
func setterSignature(obj *types.Func) *types.Signature {
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(types.NewParam(0, nil, "", plainSignature(obj))), nil, false)
}

func funcLabel(obj *types.Func) string {
	if recv := obj.Signature().Recv(); recv != nil {
		if n := recvNamed(recv.Type()); n != nil {
			return n.Obj().Name() + "." + obj.Name()
		}
	}
	return obj.Name()
}

// crossing says why values of a type have another form in compiled code than in interpreted code; empty when they have
// the same and may pass.
func (e *emitter) crossing(t types.Type, seen map[types.Type]bool) string {
	t = types.Unalias(t)
	if seen[t] {
		return ""
	}
	seen[t] = true
	if n, ok := t.(*types.Named); ok {
		switch {
		case isInterface(t) && e.binary(n):
			return ""
		case e.binary(n):
			return ""
		case !isCell(n.Obj().Pkg()) && e.s.interpreted(n.Obj().Pkg()):
			return "the module of " + e.typeString(t) + " is interpreted"
		case isInterface(t):
			return "values of the interface type " + e.typeString(t) + " hold another form of cells' types there"
		case n.TypeArgs().Len() > 0 && !isCell(n.Obj().Pkg()):
			if _, ok := n.Underlying().(*types.Signature); !ok {
				return "the generic type " + e.typeString(t) + " of a library has another form there"
			}
		case n.TypeArgs().Len() > 0:
			return "the generic type " + e.typeString(t) + " has another form there"
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Kind() == types.UnsafePointer {
			return "unsafe pointers do not pass"
		}
	case *types.Pointer:
		return e.crossing(u.Elem(), seen)
	case *types.Slice:
		return e.crossing(u.Elem(), seen)
	case *types.Array:
		return e.crossing(u.Elem(), seen)
	case *types.Chan:
		return e.crossing(u.Elem(), seen)
	case *types.Map:
		if why := e.crossing(u.Key(), seen); why != "" {
			return why
		}
		switch u.Key().Underlying().(type) {
		case *types.Interface:
			return "the keys of a map that are interfaces hold another form of cells' types there"
		case *types.Struct, *types.Array:
			if !e.native(u.Key()) {
				return "keys of the type " + e.typeString(u.Key()) + " are hashed in another way there"
			}
		}
		return e.crossing(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if f.Name() == "_" {
				return "the struct type " + e.typeString(t) + " has a blank field"
			}
			if why := e.crossing(f.Type(), seen); why != "" {
				return why
			}
		}
	case *types.Signature:
		for _, v := range valuesOf(u) {
			if why := e.crossing(v.Type(), seen); why != "" {
				return why
			}
		}
	case *types.Interface:
		switch {
		case !u.Empty():
			return "values of an interface type that a cell writes down hold another form of cells' types there"
		case len(e.part.Native.Types) > 0:
			return "an interface without methods may hold a type of a cell (" + e.someType() + "), which has another form there"
		}
	case *types.TypeParam:
		return "it is generic"
	}
	return ""
}

// someType is the name of one of the types of cells that the compiled part has.
func (e *emitter) someType() string {
	var names []string
	for obj := range e.part.Native.Types {
		names = append(names, obj.Name())
	}
	slices.Sort(names)
	return names[0]
}
