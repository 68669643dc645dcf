package compiled

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gaucho/interp/engine"
	"gaucho/interp/rt/run"
	"gaucho/interp/wire"
)

// mark is in every name of our making. It is a letter, and none that people use.
const mark = "ǃ"

// An emitter writes the package of one part.
type emitter struct {
	s         *Session
	part      *engine.Part
	pkg       *pkg
	info      *types.Info    // of the declaration that is being written
	fset      *token.FileSet // its positions
	imports   map[string]string
	order     []string // paths of imports
	aliases   map[string]bool
	cellPkg   map[*pkg]bool   // those of earlier cells that the text imports
	names     map[string]bool // package-level names of the text
	decls     []string
	entry     strings.Builder
	files     []int // cells of which the text has lines
	mirrors   map[string]string
	embeds    map[string]string             // what is embedded under a name that is not the type's own in the text
	uses      map[*types.TypeName]*typeHome // what the current declaration mentions
	mentioner any                           // the generic type or function that is being written; nil for others
	typeArgs  []*types.TypeParam            // of its declaration
	found     map[any][]instance            // see instances
	fn        *function                     // that is being written; nil for statements
	literal   int                           // depth of function literals
	local     bool                          // inside a function
	root      ast.Node                      // the declaration, function literal or statement of the cell that is being written
	label     string                        // of the loop that is written next
	breakTo   string                        // where a break among a loop's own statements goes; "" for just out of the loop
	copies    map[*home]copied              // of private variables, in the statement that is being written
	pending   map[*home]bool                // copies with what the variable does not have yet
	held      int                           // depth of statements at whose end copies may stay pending
	entries   []string                      // statements at the start of the entry
	declare   bool                          // the package declares a variable, type or function
	generic   bool                          // it declares a generic function
	temps     int
	locals    map[*types.TypeName]string // names that no others hide, of types declared in functions
	notes     []string                   // what the user should know
	declared  []string                   // the variables that the package declares
}

func newEmitter(s *Session, p *engine.Part) *emitter {
	s.pkg = p.Pkg
	return &emitter{
		s: s, part: p, pkg: &pkg{}, info: p.Info, fset: p.Fset, imports: map[string]string{}, aliases: map[string]bool{},
		cellPkg: map[*pkg]bool{}, names: map[string]bool{}, mirrors: map[string]string{}, embeds: map[string]string{},
		uses: map[*types.TypeName]*typeHome{}, locals: map[*types.TypeName]string{},
	}
}

// refuse ends the work with an error at a place of the cell.
func (e *emitter) refuse(pos token.Pos, format string, args ...any) {
	panic(engine.Refusal{Pos: pos, Msg: fmt.Sprintf(format, args...)})
}

// run writes the package.
func (e *emitter) run() *engine.Unit {
	e.declareVars()
	e.expose()
	types, funcs := e.plan()
	for _, t := range types {
		e.placeType(t)
	}
	for _, f := range funcs {
		e.placeFunc(f)
	}
	for _, t := range types {
		e.typeDecl(t)
	}
	for _, f := range funcs {
		e.funcDecl(f)
	}
	e.checks(funcs)
	e.statements()
	return e.unit()
}

// unit puts the text together and names the package after it.
func (e *emitter) unit() *engine.Unit {
	var b strings.Builder
	fmt.Fprintf(&b, "package main\n\n")
	cellAlias := e.lib("gaucho/interp/rt/cell", "cell")
	var paths []string
	for _, path := range e.order {
		fmt.Fprintf(&b, "import %s %q\n", e.imports[path], path)
		paths = append(paths, path)
	}
	for _, path := range append(e.unseen(), e.unused()...) {
		fmt.Fprintf(&b, "import _ %q\n", path)
		paths = append(paths, path)
	}
	fmt.Fprintf(&b, "\nfunc init() {\n%s.Entry = entry%s\n%s}\n\n", cellAlias, mark, e.pointers())
	for _, d := range e.decls {
		b.WriteString(d)
	}
	fmt.Fprintf(&b, "func entry%s() {\n", mark)
	for _, t := range e.entries {
		b.WriteString(t)
	}
	b.WriteString(e.entry.String())
	b.WriteString("}\n")
	text := b.String()
	names := e.fileNames()
	for i, name := range names {
		text = strings.ReplaceAll(text, fmt.Sprintf("\n//line /g%d:", i), "\n//line "+name+":")
		text = strings.ReplaceAll(text, fmt.Sprintf("/*line /g%d:", i), "/*line "+name+":")
	}
	key := text
	if e.declare {
		// A package whose variables are in use is not taken for another cell's of the same text.
		n := e.s.used[key]
		engine.Set(&e.s.Undo, e.s.used, key, n+1)
		if n > 0 {
			text += fmt.Sprintf("\n// %d\n", n)
		}
	}
	sum := sha256.Sum256([]byte(e.s.builder.Version() + "\x00" + text))
	e.pkg.path = run.CellPath + "h" + hex.EncodeToString(sum[:8])
	return &engine.Unit{Notes: e.notes, Unit: wire.Unit{
		Timers: e.timers(), Imports: paths, Text: text, Package: e.pkg.path, Files: e.files, Names: names, Show: e.part.Show > 0 && strings.Contains(text, ".Result("),
	}}
}

// unseen are packages that generic functions of imported cells and packages use and the text does not import. An instance of such a
// function is compiled here, and calls in it of what its own imports do not export are inlined only if the compiler reads
// those: what everybody inlines is not in the program.
func (e *emitter) unseen() []string {
	e.pkg.generic = map[string]bool{}
	for p := range e.cellPkg {
		maps.Copy(e.pkg.generic, p.generic)
	}
	for _, path := range e.s.builder.inlined(slices.Concat(e.order, slices.Collect(maps.Keys(e.pkg.generic)))) {
		e.pkg.generic[path] = true
	}
	paths := slices.DeleteFunc(slices.Sorted(maps.Keys(e.pkg.generic)), func(path string) bool { return e.imports[path] != "" })
	if e.generic {
		for _, path := range e.order {
			if !strings.HasPrefix(path, run.CellPath) && path != "unsafe" {
				e.pkg.generic[path] = true
			}
		}
	}
	return paths
}

// unused are packages of modules that the part imports and the text does not: an import initialises a package.
func (e *emitter) unused() (paths []string) {
	for _, path := range e.part.Modules {
		if path = e.s.builder.path(path); e.imports[path] == "" && !e.pkg.generic[path] && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	return paths
}

// timers reports whether the part's code makes timers, or contexts with one, that may wake a goroutine when all others wait. What
// else packages time and context have wakes nobody by itself.
func (e *emitter) timers() bool {
	for _, obj := range e.part.Info.Uses {
		f, ok := obj.(*types.Func)
		if !ok || f.Pkg() == nil || f.Signature().Recv() != nil {
			continue
		}
		switch f.Pkg().Path() + "." + f.Name() {
		case "time.After", "time.AfterFunc", "time.NewTicker", "time.NewTimer", "time.Tick",
			"context.WithDeadline", "context.WithDeadlineCause", "context.WithTimeout", "context.WithTimeoutCause":
			return true
		}
	}
	return false
}

// fileNames are the names of the files of the text's lines, if its code may ask for them: then what the compiler makes of it
// is not that of another cell with the same text.
func (e *emitter) fileNames() []string {
	asks := slices.ContainsFunc(e.order, looksAtCallers)
	for _, obj := range e.part.Info.Uses { // a method of another cell's variable needs no import
		asks = asks || obj.Pkg() != nil && looksAtCallers(obj.Pkg().Path())
	}
	if !asks {
		return nil
	}
	var names []string
	for _, cell := range e.files {
		names = append(names, e.s.file(cell))
	}
	return names
}

// looksAtCallers reports whether a package may look at the lines of its callers. Modules may, save gonum's.
func looksAtCallers(path string) bool {
	switch path {
	case "log", "log/slog", "net/http", "runtime", "runtime/debug", "testing":
		return true
	}
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".") && first != "gonum.org" && !strings.HasPrefix(path, run.CellPath)
}

// lib returns the name by which the text refers to a package of a library.
func (e *emitter) lib(path, name string) string {
	path = e.s.builder.path(path)
	if a := e.imports[path]; a != "" {
		return a
	}
	alias := e.free("p"+mark+name, e.aliases)
	e.imports[path] = alias
	e.order = append(e.order, path)
	return alias
}

// cell is the alias of package cell.
func (e *emitter) cell() string { return e.lib("gaucho/interp/rt/cell", "cell") }

// free is a name that is not taken yet: base, or base with a number.
func (e *emitter) free(base string, taken map[string]bool) string {
	name := base
	for n := 2; taken[name]; n++ {
		name = base + mark + strconv.Itoa(n)
	}
	taken[name] = true
	return name
}

// ref is how the text refers to a home.
func (e *emitter) ref(h *home, name string) string {
	if h.pkg == e.pkg {
		return name
	}
	return e.packageOf(h.pkg) + "." + name
}

// packageOf is the name by which the text refers to an earlier cell's package.
func (e *emitter) packageOf(p *pkg) string {
	e.cellPkg[p] = true
	return e.lib(p.path, "c")
}

func (e *emitter) decl(format string, args ...any) {
	e.decls = append(e.decls, fmt.Sprintf(format, args...))
}

// position is the place of a node: the number of its cell's file, and its line.
func (e *emitter) position(pos token.Pos) (file, line int) {
	p := e.fset.Position(pos)
	if !pos.IsValid() || !strings.HasPrefix(p.Filename, "c") {
		return -1, 0
	}
	id, err := strconv.Atoi(p.Filename[1:])
	if err != nil {
		return -1, 0
	}
	i := slices.Index(e.files, id)
	if i < 0 {
		i = len(e.files)
		e.files = append(e.files, id)
	}
	return i, p.Line
}

// lineDirective is the directive that gives what follows a node's place.
func (e *emitter) lineDirective(pos token.Pos) string {
	file, line := e.position(pos)
	if file < 0 || line <= 0 {
		return "\n"
	}
	return fmt.Sprintf("\n//line /g%d:%d\n", file, line)
}

// placeComment is the directive that gives what follows a node's place, within a line.
func (e *emitter) placeComment(pos token.Pos) string {
	file, line := e.position(pos)
	if file < 0 || line <= 0 {
		return ""
	}
	return fmt.Sprintf("/*line /g%d:%d*/", file, line)
}

// isGlobal reports whether an object is declared at the top level of a package.
func isGlobal(obj types.Object) bool {
	return obj.Parent() != nil && obj.Parent().Parent() == types.Universe
}

// inSession reports whether an object is one that cells declared.
func (e *emitter) inSession(obj types.Object) bool { return obj.Pkg() == e.s.pkg }

// declareVars gives the variables of the part a home.
func (e *emitter) declareVars() {
	for _, c := range e.part.Body {
		if c.Var == nil {
			continue
		}
		for _, id := range c.Var.Names {
			v, ok := e.info.Defs[id].(*types.Var)
			if !ok || id.Name == "_" {
				continue
			}
			if old := e.part.Keeps[v]; old != nil && e.s.vars[old] != nil {
				engine.Set(&e.s.Undo, e.s.vars, v, e.s.vars[old])
				continue
			}
			e.declare = true
			engine.Set(&e.s.Undo, e.s.vars, v, &home{pkg: e.pkg, name: e.free("V"+mark+id.Name, e.names)})
		}
	}
}

// varDecls declares variables of the part.
func (e *emitter) varDecls(spec *ast.ValueSpec) {
	for i, id := range spec.Names {
		v, ok := e.info.Defs[id].(*types.Var)
		if !ok || id.Name == "_" {
			continue
		}
		h := e.s.vars[v]
		if h.pkg != e.pkg || h.uses != nil {
			continue
		}
		text := e.collect(func() string {
			if len(spec.Values) == len(spec.Names) && e.ofLibrary(spec.Values[i]) && !e.nameable(v.Type(), map[types.Type]bool{}) {
				return "= " + e.expr(spec.Values[i]) // which has the type that the text cannot name
			}
			return e.outside(func() string { return e.typ(v.Type(), id.Pos()) })
		}, &h.uses)
		e.decl("var %s %s\n", h.name, text)
		e.declared = append(e.declared, h.name)
	}
}

// ofLibrary reports whether an expression is a variable of a library's package.
func (e *emitter) ofLibrary(x ast.Expr) bool {
	sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
	if !ok || e.info.Selections[sel] != nil {
		return false
	}
	_, ok = e.info.Uses[sel.Sel].(*types.Var)
	return ok
}

// pointers declares the list of pointers to the package's variables, as data that takes no code, and is the text that leaves it.
func (e *emitter) pointers() string {
	if len(e.declared) == 0 || e.part.Program {
		return ""
	}
	list := e.free("P"+mark, e.names)
	e.decl("var %s = []%s.Variable{\n", list, e.cell())
	for _, name := range e.declared {
		e.decl("{%q, &%s},\n", name, name)
	}
	e.decl("}\n")
	return fmt.Sprintf("%s.Variables = %s\n", e.cell(), list)
}

// Pointers is where the worker finds pointers to variables of the session.
func (s *Session) Pointers(vars []*types.Var) [][2]string {
	out := make([][2]string, len(vars))
	for i, v := range vars {
		if h := s.vars[v]; h != nil {
			out[i] = [2]string{h.pkg.path, h.name}
		}
	}
	return out
}

// collect runs f and keeps what types of the session it mentions.
func (e *emitter) collect(f func() string, uses *map[*types.TypeName]*typeHome) string {
	outer := e.uses
	e.uses = map[*types.TypeName]*typeHome{}
	text := f()
	*uses = e.uses
	e.uses = outer
	maps.Copy(e.uses, *uses)
	return text
}
