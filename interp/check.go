package interp

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"gaucho/interp/lower"
	"gaucho/interp/modules"
	"gaucho/interp/symbols"
)

// A checker type-checks the stages of cells. One package with one scope serves the whole session, emptied before each
// check and seeded with the live objects of earlier cells, because go/types compares packages, and the scopes in which
// types stand, by pointer.
type checker struct {
	fset     *token.FileSet
	pkg      *types.Package
	importer types.Importer
	finder   packageFinder
	context  *types.Context
	ctx      *types.Var // the session variable ctx
}

// A packageFinder knows which packages a name may mean, best first.
type packageFinder interface {
	ByName(name string) []string
	Module(path string) *modules.Package // one that was read from its source, else nil
}

func newChecker(imp types.Importer, finder packageFinder) *checker {
	c := &checker{
		fset: token.NewFileSet(), pkg: types.NewPackage("main", "main"),
		importer: imp, finder: finder, context: types.NewContext(),
	}
	if p, err := imp.Import("context"); err == nil {
		c.ctx = types.NewVar(token.NoPos, c.pkg, "ctx", p.Scope().Lookup("Context").Type())
	}
	return c
}

// empty takes all names out of the package.
func (c *checker) empty() {
	*c.pkg.Scope() = *types.NewScope(types.Universe, token.NoPos, token.NoPos, "")
}

// A problem is one compile error.
type problem struct {
	pos  token.Position
	msg  string
	typ  types.Type // of the value that has no such member
	own  []string   // names that the cell declares around the place
	pkg  bool       // the place is before a dot, where a package may be meant
	hint string
}

// A checked stage is ready to be lowered.
type checked struct {
	part    *lower.Part
	start   update                // what takes effect when the stage starts
	steps   []update              // what takes effect when each chunk of the body has finished
	methods []attached            // that types of earlier cells get
	undo    []func()              // takes them from the types
	notes   []string              // what the user should know
	fails   bool                  // the last of the values shown is an error that fails the cell
	studies map[string]*studyFunc // the functions of studies, by Study.Source
	modules []importedModule      // packages that it imports, of those that are run from their source
}

// An attached is a method that a type of an earlier cell gets.
type attached struct {
	named  *types.Named
	method *types.Func
}

// attach gives types of earlier cells their new methods, again after revert.
func (c *checked) attach() {
	for _, a := range c.methods[len(c.undo):] {
		c.undo = append(c.undo, setMethod(a.named, a.method))
	}
}

// revert takes the new methods away.
func (c *checked) revert() {
	for _, f := range slices.Backward(c.undo) {
		f()
	}
	c.undo = nil
}

// A stageCheck is the work on one stage.
type stageCheck struct {
	*checker
	cell     int
	scope    *scope
	stage    *stage
	show     []*piece // pieces whose values are the result
	info     *types.Info
	out      *checked
	problems []problem

	types   []*typeDecl // declared anew
	consts  []*ast.GenDecl
	funcs   []*ast.FuncDecl          // plain functions
	methods []*ast.FuncDecl          // of types declared anew
	late    []*ast.FuncDecl          // methods of types of earlier cells, as written
	carried map[*ast.FuncDecl]*piece // methods of earlier cells for types declared anew
	kept    map[string]bool          // types declared again, identically
	pieceOf map[ast.Node]*piece
	plain   map[*ast.FuncDecl]*types.Func // methods that were checked as functions
	chunks  []bodyChunk
	used    map[string]bool
	quals   map[string]map[string]bool
	// unimported is set when an import has failed: what it would have brought is undefined.
	unimported bool

	anew  map[string]string        // generic types of earlier cells that must be declared anew, and the method for which
	specs map[string]*ast.TypeSpec // of generic types with methods in plain form
}

type typeDecl struct {
	spec  *ast.TypeSpec
	piece *piece
}

type bodyChunk struct {
	piece *piece
	spec  *ast.ValueSpec
	fn    *ast.FuncDecl // holds the statement for the check
	show  bool
}

// check type-checks a stage against what the scope holds. When there are problems, nothing has changed.
func (c *checker) check(cell int, work *scope, st *stage, show []*piece) (*checked, []problem) {
	s := c.newStage(cell, work, st, show)
	s.prepare()
	s.run()
	if len(s.problems) > 0 {
		s.out.revert()
		return nil, s.problems
	}
	s.finish()
	return s.out, nil
}

func (c *checker) newStage(cell int, work *scope, st *stage, show []*piece) *stageCheck {
	return &stageCheck{
		checker: c, cell: cell, scope: work, stage: st, show: show, out: &checked{},
		info: &types.Info{
			Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
			Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
			Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
			Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
		},
		carried: map[*ast.FuncDecl]*piece{}, kept: map[string]bool{}, pieceOf: map[ast.Node]*piece{},
		used: map[string]bool{}, quals: map[string]map[string]bool{},
		anew: map[string]string{}, specs: map[string]*ast.TypeSpec{},
	}
}

// prepare sorts what the stage holds.
func (s *stageCheck) prepare() {
	s.takeImports()
	s.sortDecls()
	s.layBody()
	s.collectNames()
}

func (s *stageCheck) problemAt(n ast.Node, format string, args ...any) {
	s.problems = append(s.problems, problem{
		pos: s.fset.Position(n.Pos()), msg: fmt.Sprintf(format, args...)})
}

// sortDecls tells apart what is new, what is a repetition, and what belongs to types of earlier cells.
func (s *stageCheck) sortDecls() {
	var specs []*typeDecl
	for _, p := range s.stage.decls {
		switch d := p.decl.(type) {
		case *ast.GenDecl:
			if d.Tok == token.CONST {
				s.consts = append(s.consts, d)
			}
			for _, sp := range d.Specs {
				if t, ok := sp.(*ast.TypeSpec); ok {
					specs = append(specs, &typeDecl{t, p})
				}
			}
			s.pieceOf[d] = p
		case *ast.FuncDecl:
			s.pieceOf[d] = p
		}
	}
	s.mayAttach()
	s.keepIdentical(specs)
	declared := map[string]bool{}
	for _, t := range s.types {
		declared[t.spec.Name.Name] = true
	}
	here := map[string]bool{} // methods declared in this cell: "P.M"
	for _, p := range s.stage.decls {
		d, ok := p.decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		base, generic := receiverBase(d)
		here[base+"."+d.Name.Name] = true
		switch {
		case d.Recv == nil:
			s.funcs = append(s.funcs, d)
		case declared[base] || !s.scope.live(base):
			s.methods = append(s.methods, d)
		case generic && s.anew[base] != "":
			s.redeclareGeneric(base, s.anew[base])
			s.methods = append(s.methods, d)
			declared[base] = true
		default:
			s.late = append(s.late, d)
		}
	}
	for _, t := range s.types {
		s.carryMethods(t.spec.Name.Name, here)
	}
}

// redeclareGeneric declares a generic type of an earlier cell again, because go/types cannot give it a method later.
func (s *stageCheck) redeclareGeneric(base, method string) {
	old := s.scope.names[base]
	p := &piece{text: old.text, kind: typeChunk}
	if err := p.parse(s.fset, lineDirective(old.cell, 1, 1), "", false); err == nil {
		p.names = namesOf(p)
		s.types = append(s.types, &typeDecl{p.decl.(*ast.GenDecl).Specs[0].(*ast.TypeSpec), p})
		s.out.notes = append(s.out.notes, fmt.Sprintf(
			"%s is declared anew with the method %s; values made before keep the old type", base, method))
	}
}

// carryMethods has the methods that other cells gave to the type checked again for its new declaration.
func (s *stageCheck) carryMethods(name string, here map[string]bool) {
	old := s.scope.names[name]
	if old == nil {
		return
	}
	for _, m := range slices.Sorted(maps.Keys(old.methods)) {
		if here[name+"."+m] {
			continue
		}
		src := old.methods[m]
		p := &piece{text: src.text, kind: funcChunk, line: src.line}
		if p.parse(s.fset, lineDirective(old.cell, src.line, 1), "", false) != nil {
			continue
		}
		p.names = namesOf(p)
		d := p.decl.(*ast.FuncDecl)
		s.pieceOf[d] = p
		s.carried[d] = p
		s.methods = append(s.methods, d)
	}
}

// receiverBase is the name of a method's receiver type, and whether it has type parameters.
func receiverBase(d *ast.FuncDecl) (name string, generic bool) {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return "", false
	}
	t := ast.Unparen(d.Recv.List[0].Type)
	if star, ok := t.(*ast.StarExpr); ok {
		t = ast.Unparen(star.X)
	}
	switch x := t.(type) {
	case *ast.IndexExpr:
		t, generic = x.X, true
	case *ast.IndexListExpr:
		t, generic = x.X, true
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name, generic
	}
	return "", generic
}

// layBody makes a checkable form of each statement: functions of their own, so that nothing leaks between them.
func (s *stageCheck) layBody() {
	for _, p := range s.stage.body {
		if specs, ok := valueSpecs(p.decl); ok {
			for _, spec := range specs {
				s.chunks = append(s.chunks, bodyChunk{piece: p, spec: spec})
			}
			continue
		}
		shown := slices.Contains(s.show, p)
		for _, e := range p.list {
			s.addStmt(p, &ast.ExprStmt{X: e}, shown)
		}
		if p.stmt != nil {
			s.addStmt(p, p.stmt, shown)
		}
	}
}

func (s *stageCheck) addStmt(p *piece, stmt ast.Stmt, show bool) {
	s.chunks = append(s.chunks, bodyChunk{piece: p, fn: statementFunc(stmt), show: show})
}

// statementFunc is a function that holds one statement.
func statementFunc(stmt ast.Stmt) *ast.FuncDecl {
	return &ast.FuncDecl{
		Name: &ast.Ident{Name: "_", NamePos: stmt.Pos()},
		Type: &ast.FuncType{Func: stmt.Pos(), Params: &ast.FieldList{Opening: stmt.Pos(), Closing: stmt.Pos()}},
		Body: &ast.BlockStmt{Lbrace: stmt.Pos(), List: []ast.Stmt{stmt}, Rbrace: stmt.End()},
	}
}

// collectNames gathers what the stage mentions, so that only that is brought into the package.
func (s *stageCheck) collectNames() {
	add := func(n names) {
		for k := range n.used {
			s.used[k] = true
		}
		for k, sels := range n.qualified {
			if s.quals[k] == nil {
				s.quals[k] = map[string]bool{}
			}
			maps.Copy(s.quals[k], sels)
		}
	}
	for _, list := range [][]*piece{s.stage.decls, s.stage.body} {
		for _, p := range list {
			add(p.names)
		}
	}
	for _, p := range s.carried {
		add(p.names)
	}
	for _, t := range s.types {
		add(t.piece.names)
	}
	for _, list := range [][]*ast.FuncDecl{s.late, s.methods} {
		for _, d := range list {
			if base, generic := receiverBase(d); generic && s.specs[base] == nil {
				add(s.parseSpec(base))
			}
		}
	}
}

// seed empties the package and brings in the live names that the stage mentions and does not declare.
func (s *stageCheck) seed(declared map[string]bool) {
	s.empty()
	for name := range s.used {
		if declared[name] || s.scope.imports[name] != "" {
			continue
		}
		if e := s.scope.names[name]; e != nil {
			s.pkg.Scope().Insert(e.obj)
		} else if name == "ctx" && s.ctx != nil {
			s.pkg.Scope().Insert(s.ctx)
		}
	}
	for name, alias := range s.stage.older {
		if e := s.scope.names[name]; e != nil {
			s.pkg.Scope().Insert(aliasOf(e.obj, alias))
		}
	}
}

// aliasOf is an object like obj under another name.
func aliasOf(obj types.Object, name string) types.Object {
	switch o := obj.(type) {
	case *types.Func:
		return types.NewFunc(o.Pos(), o.Pkg(), name, o.Signature())
	case *types.Const:
		return types.NewConst(o.Pos(), o.Pkg(), name, o.Type(), o.Val())
	case *types.TypeName:
		return types.NewTypeName(o.Pos(), o.Pkg(), name, o.Type())
	}
	return types.NewVar(obj.Pos(), obj.Pkg(), name, obj.Type())
}

// declaredNames are the names that the stage's check declares at package level.
func (s *stageCheck) declaredNames() map[string]bool {
	out := map[string]bool{}
	for _, t := range s.types {
		out[t.spec.Name.Name] = true
	}
	for _, list := range [][]*piece{s.stage.decls, s.stage.body} {
		for _, p := range list {
			for _, n := range p.declares() {
				if !s.kept[n] {
					out[n] = true
				}
			}
		}
	}
	return out
}

// typeCheck checks declarations as one file of the package.
func (s *stageCheck) typeCheck(decls []ast.Decl, signaturesOnly bool) []types.Error {
	var errs []types.Error
	conf := types.Config{
		Context: s.context, Importer: s.importer, IgnoreFuncBodies: signaturesOnly, DisableUnusedImportCheck: true,
		Sizes: sizes, GoVersion: goVersion,
		Error: func(err error) {
			if e, ok := err.(types.Error); ok {
				errs = append(errs, e)
			}
		},
	}
	file := &ast.File{Name: ast.NewIdent("main"), Decls: append(s.importDecls(), decls...)}
	if len(decls) > 0 {
		file.Package, file.FileStart, file.FileEnd = decls[0].Pos(), decls[0].Pos(), decls[0].End()
		file.Name.NamePos = decls[0].Pos()
	}
	types.NewChecker(&conf, s.fset, s.pkg, s.info).Files([]*ast.File{file})
	return errs
}

// goVersion is the language that cells are written in.
const goVersion = "go1.26"

var sizes = symbols.Sizes()

// run checks the stage; with methods for types of earlier cells in two passes, the first of which makes signatures.
func (s *stageCheck) run() {
	declared := s.declaredNames()
	for {
		var errs []types.Error
		if len(s.late) == 0 {
			s.seed(declared)
			errs = s.typeCheck(s.allDecls(), false)
		} else {
			errs = s.runTwice(declared)
		}
		if s.dropCarried(errs) {
			s.out.revert()
			s.out.methods = nil
			continue
		}
		s.keepProblems(errs)
		s.checkShown()
		return
	}
}

// allDecls are the declarations of a stage that has no late methods.
func (s *stageCheck) allDecls() []ast.Decl {
	decls := s.typeDecls()
	for _, list := range [][]*ast.FuncDecl{s.methods, s.funcs} {
		for _, d := range list {
			decls = append(decls, d)
		}
	}
	return append(decls, s.bodyDecls()...)
}

func (s *stageCheck) typeDecls() []ast.Decl {
	var decls []ast.Decl
	for _, c := range s.consts {
		decls = append(decls, c)
	}
	for _, t := range s.types {
		decls = append(decls, &ast.GenDecl{TokPos: t.spec.Pos(), Tok: token.TYPE, Specs: []ast.Spec{s.guarded(t.spec)}})
	}
	return decls
}

// guarded is a type declaration as the checker takes it: it looks for the declaration of a type that stands bare on the
// right, and those of earlier cells have none there.
func (s *stageCheck) guarded(spec *ast.TypeSpec) *ast.TypeSpec {
	id, ok := spec.Type.(*ast.Ident)
	if !ok {
		return spec
	}
	in := *spec
	in.Type = &ast.ParenExpr{Lparen: id.Pos(), X: id, Rparen: id.End()}
	return &in
}

func (s *stageCheck) bodyDecls() []ast.Decl {
	var decls []ast.Decl
	for _, c := range s.chunks {
		if c.spec != nil {
			decls = append(decls, &ast.GenDecl{TokPos: c.spec.Pos(), Tok: token.VAR, Specs: []ast.Spec{c.spec}})
		} else {
			decls = append(decls, c.fn)
		}
	}
	return decls
}

// dropCarried gives up carried methods that do not compile with the new type, and says so.
func (s *stageCheck) dropCarried(errs []types.Error) bool {
	dropped := false
	for _, e := range errs {
		for d := range s.carried {
			if d.Pos() <= e.Pos && e.Pos <= d.End() {
				base, _ := receiverBase(d)
				s.out.notes = append(s.out.notes, fmt.Sprintf(
					"the method %s of the earlier %s does not compile with the new one and was left out (%s)", d.Name.Name, base, e.Msg))
				delete(s.carried, d)
				s.methods = slices.DeleteFunc(s.methods, func(f *ast.FuncDecl) bool { return f == d })
				dropped = true
			}
		}
	}
	return dropped
}

// keepProblems turns the checker's errors into problems, save those about values that the cell shows.
func (s *stageCheck) keepProblems(errs []types.Error) {
	answered := s.linkLabels()
	assigned := map[string]bool{}
	for _, e := range errs {
		if strings.HasPrefix(e.Msg, "\t") || answered[e.Pos] && strings.HasPrefix(e.Msg, "label ") || strings.Contains(e.Msg, "is not used") && s.isShown(e.Pos) {
			continue
		}
		msg := strings.ReplaceAll(e.Msg, mark, "")
		p := problem{pos: s.fset.Position(e.Pos), msg: msg}
		if m := undefinedName.FindStringSubmatch(msg); m != nil {
			s.explainUndefined(&p, e.Pos, m[1])
			if assigned[m[1]] || p.pkg && s.unimported {
				continue // the first one says what to do
			}
			assigned[m[1]] = p.hint != ""
		}
		s.explain(&p, e.Pos)
		if strings.Contains(msg, "has no field or method") {
			for _, d := range append(s.allDecls(), lateDecls(s.late)...) {
				if p.typ == nil {
					p.typ = receiverAt(d, s.info, e.Pos)
				}
			}
		}
		s.problems = append(s.problems, p)
	}
}

// checkShown refuses constants that no value can hold: what is shown is a value, so an untyped integer becomes an int.
func (s *stageCheck) checkShown() {
	for _, c := range s.chunks {
		if !c.show {
			continue
		}
		x := c.fn.Body.List[0].(*ast.ExprStmt).X
		tv := s.info.Types[x]
		b, ok := tv.Type.(*types.Basic)
		if !ok || tv.Value == nil || b.Kind() != types.UntypedInt {
			continue
		}
		if _, exact := constant.Int64Val(constant.ToInt(tv.Value)); !exact {
			s.problemAt(x, "cannot use %s (untyped int constant %s) as int value (overflows)", types.ExprString(x), tv.Value.ExactString())
		}
	}
}

func lateDecls(list []*ast.FuncDecl) []ast.Decl {
	var out []ast.Decl
	for _, d := range list {
		out = append(out, d)
	}
	return out
}

func (s *stageCheck) isShown(pos token.Pos) bool {
	for _, c := range s.chunks {
		if c.fn != nil && (c.show || c.piece.silenced) && c.fn.Pos() <= pos && pos <= c.fn.End() {
			if x, ok := c.fn.Body.List[0].(*ast.ExprStmt); ok && pos >= x.Pos() {
				return true
			}
		}
	}
	return false
}
