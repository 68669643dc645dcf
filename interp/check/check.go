// Package check type-checks the stages of cells against what earlier cells have declared, and lays out what they mean for an
// engine. Problems come in the words of Go's compiler, with hints.
package check

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"gaucho/interp/cell"
	"gaucho/interp/engine"
	"gaucho/interp/modules"
	"gaucho/interp/symbols"
)

// A Checker type-checks the stages of cells. One package with one scope serves the whole session, emptied before each
// Check and seeded with the live objects of earlier cells, because go/types compares packages, and the scopes that
// types are declared in, by pointer.
type Checker struct {
	Fset     *token.FileSet
	Pkg      *types.Package
	Importer types.Importer
	finder   packageFinder
	context  *types.Context
	Ctx      *types.Var                     // the session variable ctx
	facts    map[types.Object]analysis.Fact // what vet knows of functions
	Shown    *types.Var                     // the session's function that returns what a cell has shown
	studies  int                            // literals of studies so far
}

// A packageFinder knows which packages a name may mean, best first.
type packageFinder interface {
	ByName(name string) []string
	Module(path string) *modules.Package // one that was read from its source, else nil
}

func newChecker(fset *token.FileSet, imp types.Importer, finder packageFinder) *Checker {
	c := &Checker{
		Fset: fset, Pkg: types.NewPackage("main", "main"),
		Importer: imp, finder: finder, context: types.NewContext(),
		facts: map[types.Object]analysis.Fact{},
	}
	if p, err := imp.Import("context"); err == nil {
		c.Ctx = types.NewVar(token.NoPos, c.Pkg, "ctx", p.Scope().Lookup("Context").Type())
	}
	c.Shown = types.NewVar(token.NoPos, c.Pkg, outFunc, types.NewSignatureType(nil, nil, nil,
		types.NewTuple(types.NewParam(token.NoPos, c.Pkg, "", types.Typ[types.Int])),
		types.NewTuple(types.NewParam(token.NoPos, c.Pkg, "", types.NewInterfaceType(nil, nil))), false))
	return c
}

// empty takes all names out of the package.
func (c *Checker) empty() {
	*c.Pkg.Scope() = *types.NewScope(types.Universe, token.NoPos, token.NoPos, "")
}

// A Finding is a problem, with what a hint is made of.
type Finding struct {
	cell.Problem
	typ  types.Type // of the value that has no such member
	own  []string   // names that the cell declares around the place
	pkg  bool       // the place is before a dot, where a package may be meant
	call bool       // the place is what a call calls
	isOf bool       // the place is that of a type
}

// A Checked stage is ready to be lowered.
type Checked struct {
	Part    *engine.Part
	Start   Update           // what takes effect when the stage starts
	Steps   []Update         // what takes effect when each chunk of the body has finished
	methods []attached       // that types of earlier cells get
	undo    []func()         // takes them from the types
	Notes   []string         // what the user should know
	Fails   bool             // the last of the values shown is an error that fails the cell
	Studies Studies          // what it has of them
	Modules []ImportedModule // packages that it imports, of those that are run from their source
}

// An attached is a method that a type of an earlier cell gets.
type attached struct {
	named  *types.Named
	method *types.Func
}

// Attach gives types of earlier cells their new methods, again after revert.
func (c *Checked) Attach() {
	for _, a := range c.methods[len(c.undo):] {
		c.undo = append(c.undo, setMethod(a.named, a.method))
	}
}

// Revert takes the new methods away.
func (c *Checked) Revert() {
	for _, f := range slices.Backward(c.undo) {
		f()
	}
	c.undo = nil
}

// A Stage is the work on one stage.
type Stage struct {
	*Checker
	Cell     int
	scope    *Scope
	stage    *cell.Stage
	show     []*cell.Piece // pieces whose values are the result
	Info     *types.Info
	Out      *Checked
	findings []Finding

	Types   []*typeDecl // declared anew
	Consts  []*ast.GenDecl
	Funcs   []*ast.FuncDecl               // Plain functions
	Methods []*ast.FuncDecl               // of types declared anew
	Added   []*ast.FuncDecl               // Methods of types of earlier cells, as written
	Carried map[*ast.FuncDecl]*cell.Piece // Methods of earlier cells for types declared anew
	kept    map[string]bool               // Types declared again, identically
	PieceOf map[ast.Node]*cell.Piece
	Plain   map[*ast.FuncDecl]*types.Func // Methods that were checked as functions
	chunks  []BodyChunk
	used    map[string]bool
	quals   map[string]map[string]bool
	// unimported is set when an import has failed: what it would have brought is undefined.
	unimported bool

	anew  map[string]string        // types of earlier cells that must be declared anew, and the generic method for which
	specs map[string]*ast.TypeSpec // of generic types with methods in plain form
}

type typeDecl struct {
	Spec  *ast.TypeSpec
	Piece *cell.Piece
}

// A BodyChunk is a statement, or a declaration of variables, of the stage's body.
type BodyChunk struct {
	Piece *cell.Piece
	Spec  *ast.ValueSpec
	Func  *ast.FuncDecl // holds the statement for the check
	Show  bool
}

// Check type-checks a stage against what the scope holds. When there are problems, nothing has changed.
func (c *Checker) Check(cell int, work *Scope, st *cell.Stage, show []*cell.Piece) (*Checked, []cell.Problem) {
	s, problems := c.CheckStage(cell, work, st, show)
	if problems != nil {
		return nil, problems
	}
	return s.Out, nil
}

// CheckStage is Check for those who ask more of the stage than what engines need.
func (c *Checker) CheckStage(cell int, work *Scope, st *cell.Stage, show []*cell.Piece) (*Stage, []cell.Problem) {
	s := c.NewStage(cell, work, st, show)
	s.Prepare()
	s.Run()
	if problems := s.Problems(); problems != nil {
		s.Out.Revert()
		return nil, problems
	}
	s.Finish()
	return s, nil
}

// NewStage returns a stage of a cell to be checked against what the scope holds, and of it the pieces whose values are shown.
func (c *Checker) NewStage(number int, work *Scope, st *cell.Stage, show []*cell.Piece) *Stage {
	return &Stage{
		Checker: c, Cell: number, scope: work, stage: st, show: show, Out: &Checked{},
		Info: &types.Info{
			Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{},
			Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
			Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
			Instances: map[*ast.Ident]types.Instance{}, FileVersions: map[*ast.File]string{},
		},
		Carried: map[*ast.FuncDecl]*cell.Piece{}, kept: map[string]bool{}, PieceOf: map[ast.Node]*cell.Piece{},
		used: map[string]bool{}, quals: map[string]map[string]bool{},
		anew: map[string]string{}, specs: map[string]*ast.TypeSpec{},
	}
}

// Prepare sorts what the stage holds.
func (s *Stage) Prepare() {
	s.takeImports()
	s.sortDecls()
	s.layBody()
	s.collectNames()
}

func (s *Stage) problemAt(n ast.Node, format string, args ...any) {
	s.findings = append(s.findings, Finding{Problem: cell.Problem{
		Pos: s.Fset.Position(n.Pos()), Msg: fmt.Sprintf(format, args...)}})
}

// layBody makes a checkable form of each statement: functions of their own, so that nothing leaks between them.
func (s *Stage) layBody() {
	for _, p := range s.stage.Body {
		if specs, ok := cell.ValueSpecs(p.Decl); ok {
			for _, spec := range specs {
				s.chunks = append(s.chunks, BodyChunk{Piece: p, Spec: spec})
			}
			continue
		}
		shown := slices.Contains(s.show, p)
		for _, e := range p.List {
			s.addStmt(p, &ast.ExprStmt{X: e}, shown)
		}
		if p.Stmt != nil {
			s.addStmt(p, p.Stmt, shown)
		}
	}
}

func (s *Stage) addStmt(p *cell.Piece, stmt ast.Stmt, show bool) {
	s.chunks = append(s.chunks, BodyChunk{Piece: p, Func: statementFunc(stmt), Show: show})
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
func (s *Stage) collectNames() {
	add := func(n cell.Names) {
		for k := range n.Used {
			s.used[k] = true
		}
		for k, sels := range n.Qualified {
			if s.quals[k] == nil {
				s.quals[k] = map[string]bool{}
			}
			maps.Copy(s.quals[k], sels)
		}
	}
	for _, list := range [][]*cell.Piece{s.stage.Decls, s.stage.Body} {
		for _, p := range list {
			add(p.Names)
		}
	}
	for _, p := range s.Carried {
		add(p.Names)
	}
	for _, t := range s.Types {
		add(t.Piece.Names)
	}
	for _, list := range [][]*ast.FuncDecl{s.Added, s.Methods} {
		for _, d := range list {
			if base, generic := ReceiverBase(d); generic && s.specs[base] == nil {
				add(s.parseSpec(base))
			}
		}
	}
}

// seed empties the package and brings in the live names that the stage mentions and does not declare.
func (s *Stage) seed(declared map[string]bool) {
	s.empty()
	for name := range s.used {
		if declared[name] || s.scope.Imports[name] != "" {
			continue
		}
		if e := s.scope.Names[name]; e != nil {
			s.Pkg.Scope().Insert(e.Obj)
		} else if name == "ctx" && s.Ctx != nil {
			s.Pkg.Scope().Insert(s.Ctx)
		} else if name == outFunc {
			s.Pkg.Scope().Insert(s.Shown)
		}
	}
	for name, alias := range s.stage.Older {
		if e := s.scope.Names[name]; e != nil {
			s.Pkg.Scope().Insert(aliasOf(e.Obj, alias))
		} else if obj, ok := types.Universe.Lookup(name).(*types.TypeName); ok {
			s.Pkg.Scope().Insert(aliasOf(obj, alias))
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
func (s *Stage) declaredNames() map[string]bool {
	out := map[string]bool{}
	for _, t := range s.Types {
		out[t.Spec.Name.Name] = true
	}
	for _, list := range [][]*cell.Piece{s.stage.Decls, s.stage.Body} {
		for _, p := range list {
			for _, n := range p.Declares() {
				if !s.kept[n] {
					out[n] = true
				}
			}
		}
	}
	return out
}

// typeCheck checks declarations as one file of the package.
func (s *Stage) typeCheck(decls []ast.Decl, signaturesOnly bool) []types.Error {
	var errs []types.Error
	conf := types.Config{
		Context: s.context, Importer: s.Importer, IgnoreFuncBodies: signaturesOnly, DisableUnusedImportCheck: true,
		Sizes: Sizes, GoVersion: GoVersion,
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
	types.NewChecker(&conf, s.Fset, s.Pkg, s.Info).Files([]*ast.File{file})
	return errs
}

// GoVersion is the language that cells are written in: that of the toolchain that built the program, as "go1.27".
var GoVersion = build.Default.ReleaseTags[len(build.Default.ReleaseTags)-1]

var Sizes = symbols.Sizes()

// Run checks the stage; with methods for types of earlier cells in two passes, the first of which makes signatures.
func (s *Stage) Run() {
	declared := s.declaredNames()
	defer s.hideReserved()()
	for {
		var errs []types.Error
		if len(s.Added) == 0 {
			s.seed(declared)
			errs = s.typeCheck(s.allDecls(), false)
		} else {
			errs = s.runTwice(declared)
		}
		if s.dropCarried(errs) {
			s.Out.Revert()
			s.Out.methods = nil
			continue
		}
		s.keepProblems(errs)
		s.checkShown()
		return
	}
}

// allDecls are the declarations of a stage that has no late methods.
func (s *Stage) allDecls() []ast.Decl {
	decls := s.typeDecls()
	for _, list := range [][]*ast.FuncDecl{s.Methods, s.Funcs} {
		for _, d := range list {
			decls = append(decls, d)
		}
	}
	return append(decls, s.bodyDecls()...)
}

func (s *Stage) typeDecls() []ast.Decl {
	var decls []ast.Decl
	for _, c := range s.Consts {
		decls = append(decls, c)
	}
	for _, t := range s.Types {
		decls = append(decls, &ast.GenDecl{TokPos: t.Spec.Pos(), Tok: token.TYPE, Specs: []ast.Spec{s.guarded(t.Spec)}})
	}
	return decls
}

// guarded is a type declaration as the checker takes it: it looks for the declaration of a type that is bare on the
// right, and those of earlier cells have none there.
func (s *Stage) guarded(spec *ast.TypeSpec) *ast.TypeSpec {
	id, ok := spec.Type.(*ast.Ident)
	if !ok {
		return spec
	}
	in := *spec
	in.Type = &ast.ParenExpr{Lparen: id.Pos(), X: id, Rparen: id.End()}
	return &in
}

func (s *Stage) bodyDecls() []ast.Decl {
	var decls []ast.Decl
	for _, c := range s.chunks {
		if c.Spec != nil {
			decls = append(decls, &ast.GenDecl{TokPos: c.Spec.Pos(), Tok: token.VAR, Specs: []ast.Spec{c.Spec}})
		} else {
			decls = append(decls, c.Func)
		}
	}
	return decls
}

// dropCarried gives up carried methods that do not compile with the new type, and says so.
func (s *Stage) dropCarried(errs []types.Error) bool {
	dropped := false
	for _, e := range errs {
		for d := range s.Carried {
			if d.Pos() <= e.Pos && e.Pos <= d.End() {
				base, _ := ReceiverBase(d)
				s.Out.Notes = append(s.Out.Notes, fmt.Sprintf(
					"the method %s of the earlier %s does not compile with the new one and was left out (%s)", d.Name.Name, base, e.Msg))
				delete(s.Carried, d)
				s.Methods = slices.DeleteFunc(s.Methods, func(f *ast.FuncDecl) bool { return f == d })
				dropped = true
			}
		}
	}
	return dropped
}

// ofUnknown is what the checker says of a call with an argument that has a mistake of its own.
var ofUnknown = regexp.MustCompile(`(?s)^(?:not enough|too many) arguments in call to .*\n\thave \(.*unknown type`)

// keepProblems turns the checker's errors into problems, save those about values that the cell shows, and those that follow
// from another one.
func (s *Stage) keepProblems(errs []types.Error) {
	answered := s.linkLabels()
	assigned := map[string]bool{}
	follows := func(e types.Error) bool { return strings.HasPrefix(e.Msg, "\t") || ofUnknown.MatchString(e.Msg) }
	if slices.ContainsFunc(errs, func(e types.Error) bool { return !follows(e) }) {
		errs = slices.DeleteFunc(slices.Clone(errs), follows)
	}
	for _, e := range errs {
		if strings.HasPrefix(e.Msg, "\t") || answered[e.Pos] && strings.HasPrefix(e.Msg, "label ") || strings.Contains(e.Msg, "is not used") && s.isShown(e.Pos) {
			continue
		}
		msg := strings.ReplaceAll(ownOut.ReplaceAllString(e.Msg, "Out"), cell.Mark, "")
		p := Finding{Problem: cell.Problem{Pos: s.Fset.Position(e.Pos), Msg: msg}}
		if m := undefinedName.FindStringSubmatch(msg); m != nil {
			s.explainUndefined(&p, e.Pos, m[1])
			if assigned[m[1]] || p.pkg && s.unimported {
				continue // the first one says what to do
			}
			assigned[m[1]] = p.Hint != ""
		}
		s.explain(&p, e.Pos)
		s.explainHiding(&p, e.Pos)
		if p.Hint == "" {
			p.Hint = s.foreign(&p, e.Pos)
		}
		if strings.Contains(msg, "has no field or method") {
			for _, d := range append(s.allDecls(), addedDecls(s.Added)...) {
				if p.typ == nil {
					p.typ = receiverAt(d, s.Info, e.Pos)
				}
			}
		}
		if unknownField.MatchString(msg) {
			for _, n := range s.nodesAt(e.Pos) {
				if lit, ok := n.(*ast.CompositeLit); ok && p.typ == nil {
					p.typ = s.Info.TypeOf(lit)
				}
			}
		}
		s.findings = append(s.findings, p)
	}
}

// checkShown refuses constants that no value can hold: what is shown is a value, so an untyped integer becomes an int.
func (s *Stage) checkShown() {
	for _, c := range s.chunks {
		if !c.Show {
			continue
		}
		x := c.Func.Body.List[0].(*ast.ExprStmt).X
		tv := s.Info.Types[x]
		b, ok := tv.Type.(*types.Basic)
		if !ok || tv.Value == nil || b.Kind() != types.UntypedInt {
			continue
		}
		if _, exact := constant.Int64Val(constant.ToInt(tv.Value)); !exact {
			s.problemAt(x, "cannot use %s (untyped int constant %s) as int value (overflows)", types.ExprString(x), tv.Value.ExactString())
		}
	}
}

func addedDecls(list []*ast.FuncDecl) []ast.Decl {
	var out []ast.Decl
	for _, d := range list {
		out = append(out, d)
	}
	return out
}

func (s *Stage) isShown(pos token.Pos) bool {
	for _, c := range s.chunks {
		if c.Func != nil && (c.Show || c.Piece.Silenced) && c.Func.Pos() <= pos && pos <= c.Func.End() {
			if x, ok := c.Func.Body.List[0].(*ast.ExprStmt); ok && pos >= x.Pos() {
				return true
			}
		}
	}
	return false
}
