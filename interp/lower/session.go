// Package lower turns type-checked parts of cells into the simple Go text that yaegi gets right.
// testdata/golden shows it: cells, each with its lowered text.
package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"sort"

	"golang.org/x/tools/go/types/typeutil"

	"gaucho/interp/engine"
)

// A Session lowers parts one after the other. Names that one part declares can be used by later ones. It must not be
// used by several goroutines at a time. The text takes for granted that package rt is imported under that name, the
// types of cells as t_ (S<n> is the lowered struct type of descriptor n, D<n> the descriptor), that rt_stop is the
// flag that rt.StopFlag returns, that rt_true and rt_false are variables with these values, that rt_left counts the
// calls until one goes through rt.Deep, and rt_polls the checks until one goes through rt.Poll.
type Session struct {
	lib engine.Library

	types   typeutil.Map // types.Type to *typeInfo
	list    []*typeInfo
	ids     int                // the number of the newest type
	sources map[string]*source // packages checked from source, by path; never taken back

	imports map[string]string // import path to alias
	taken   map[string]bool   // package-level names of emitted text
	vars    map[*types.Var]string
	funcs   map[string]string // function key to emitted name
	decls   map[*types.Func]*declared
	// instances are the emitted instances of generic functions and methods.
	instances map[*types.Func][]instance
	newer     map[*types.Func]*types.Func // of a generic function that was declared again, the next
	helpers   map[string]string           // helper key to emitted name
	disp      map[string]*dispatcher
	impls     map[string][]*typeInfo // boxed types by method name and signature
	forward   map[string]bool        // emitted functions that have a forwarding flag
	locals    map[string]*types.Named

	modules map[*types.Package]*modulePkg // nil for compiled packages; never taken back
	ready   map[*types.Package]bool       // packages of modules that are initialised
	refused map[*types.Var]string         // variables of modules that could not be initialised, with the reason

	tctx *types.Context
	engine.Undo
}

// A declared is a function or method whose body is at hand.
type declared struct {
	decl *ast.FuncDecl
	info *types.Info
	fset *token.FileSet
	pkg  *types.Package
	src  bool // from a package's source, not from a cell
	cell int  // or the number of a module's file
	// module: of a module. oldLoops: loops have one variable for all rounds, as before Go 1.22.
	module, oldLoops bool
	// program: no forwarding
	program bool
}

// An instance is a generic function for some type arguments, as it was emitted.
type instance struct {
	targs []types.Type
	name  string
}

// New returns a session that has lowered nothing yet.
func New(lib engine.Library) *Session {
	s := &Session{
		lib: lib, sources: map[string]*source{}, imports: map[string]string{},
		taken: map[string]bool{}, vars: map[*types.Var]string{}, funcs: map[string]string{},
		decls: map[*types.Func]*declared{}, newer: map[*types.Func]*types.Func{},
		instances: map[*types.Func][]instance{}, helpers: map[string]string{}, disp: map[string]*dispatcher{}, impls: map[string][]*typeInfo{},
		forward: map[string]bool{}, locals: map[string]*types.Named{},
		modules: map[*types.Package]*modulePkg{}, ready: map[*types.Package]bool{}, refused: map[*types.Var]string{}, tctx: types.NewContext(),
	}
	s.types.SetHasher(typeutil.MakeHasher())
	return s
}

// fresh returns a package-level name that was not used before: base, or base with a number. A name is never used again,
// for the engine may have kept it from a unit that it did not take.
func (s *Session) fresh(base string) string {
	name := base
	for n := 2; s.taken[name]; n++ {
		name = fmt.Sprintf("%s_%d", base, n)
	}
	s.taken[name] = true
	return name
}

// Part lowers one part. When it returns an error, a [Refusals], the session is as before.
func (s *Session) Part(p *engine.Part) (unit *engine.Unit, err error) {
	mark := s.Snapshot()
	e := &emitter{s: s, part: p}
	defer func() {
		if len(e.refusals) > 0 {
			s.Rollback(mark)
			sort.SliceStable(e.refusals, func(i, j int) bool { return e.refusals[i].Pos < e.refusals[j].Pos })
			unit, err = nil, e.refusals
		}
	}()
	e.run()
	if len(e.refusals) > 0 {
		return nil, nil
	}
	return e.unit(), nil
}
