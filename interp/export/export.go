// Package export writes a notebook as a Go program.
package export

import (
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/format"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gaucho/internal/modpath"
	"gaucho/interp/cell"
	"gaucho/interp/check"
	"gaucho/interp/modules"
)

// A Cell is one cell of a notebook that is to become a program.
type Cell struct {
	Source string
	Text   bool // not Go: it becomes a comment
	Fails  bool // the notebook expects it to fail (the tag raises-exception)
	// Parameters says that it declares the notebook's parameters, or gives them values.
	Parameters bool
}

// A Program notebook is one Go file of package main.
type Program struct {
	Source  []byte
	Imports []string       // import paths, the standard library's first
	Modules *modules.Needs // what it needs besides Gaucho's own modules; nil for nothing
	Notes   []string       // what does not carry over as it is, a sentence each
	// Parameters are the notebook's parameters that are flags of the program.
	Parameters []string
}

// An Error is that a cell does not compile.
type Error struct {
	Value     string
	Traceback []string // the places with their lines, coloured with ANSI sequences
}

func (e *Error) Error() string { return "CompileError: " + e.Value }

// Notebook writes a notebook as a Go program that prints what the notebook prints. Each cell becomes a function, which main
// calls in order; what cells declare becomes declarations of the package. Of a name that is declared again with another
// meaning, one has a number; a function or method that is declared again with the same signature calls the body that the
// notebook would, so that earlier callers and function values reach the later one. Nothing is run. A cell that does not
// compile is an error, in Go's words, unless it is expected to fail.
//
// The notebook lies in dir: the modules that it imports are those of the go.mod there and those that cells name, as in a
// session. Where one has to be fetched, fetching is called first; with nil nothing is fetched.
func Notebook(ctx context.Context, dir string, cells []Cell, fetching func(path string)) (*Program, error) {
	e := &exporter{
		scope:   check.NewScope(),
		objects: map[token.Pos]types.Object{}, seen: map[types.Object]bool{}, selected: map[token.Pos]bool{}, member: map[token.Pos]token.Pos{}, base: map[*cell.Piece]token.Pos{},
		pieces: map[*token.File]*cell.Piece{}, idents: map[string]bool{}, taken: map[string]bool{},
		names: map[types.Object]string{}, root: map[types.Object]types.Object{}, bodies: map[types.Object][]token.Pos{},
		declared: map[token.Pos]string{}, counters: map[types.Object]string{}, aliases: map[string]string{}, imports: map[string]bool{}, effects: map[string]bool{}, helpers: map[string]string{},
		studies: map[token.Pos]*check.StudyFunc{},
	}
	e.checker, e.library = check.Open(token.NewFileSet(), dir, nil, nil)
	if fetching != nil {
		e.library.Fetching = &check.Fetching{Ctx: ctx, Failed: map[string]error{}, Tell: fetching}
	}
	text := ""
	number := 0
	for _, c := range cells {
		if c.Text {
			text += strings.TrimSpace(c.Source) + "\n\n"
			continue
		}
		if strings.TrimSpace(c.Source) == "" {
			continue
		}
		number++
		if err := e.read(number, c, text); err != nil {
			return nil, err
		}
		text = ""
	}
	e.noteInput()
	e.noteWidgets()
	e.nameAll()
	return e.write(text)
}

// An exporter holds a notebook that has been checked, and what its names become.
type exporter struct {
	library *check.Library
	checker *check.Checker
	scope   *check.Scope
	cells   []*written
	notes   []string

	objects  map[token.Pos]types.Object // what the identifier at a position means
	order    []types.Object             // of package level, in order of declaration
	seen     map[types.Object]bool      // types whose values were passed on or shown
	selected map[token.Pos]bool         // identifiers after a dot
	member   map[token.Pos]token.Pos    // what follows an identifier and a dot
	base     map[*cell.Piece]token.Pos  // where a piece's text begins
	pieces   map[*token.File]*cell.Piece

	idents      map[string]bool // all identifiers of the notebook
	taken       map[string]bool // names of package level and of imports
	names       map[types.Object]string
	root        map[types.Object]types.Object  // a variable or function that goes on as an earlier one
	bodies      map[types.Object][]token.Pos   // functions and methods with several bodies: the names of their declarations
	methods     []types.Object                 // in order of declaration
	declared    map[token.Pos]string           // names of the bodies
	counters    map[types.Object]string        // variables that say which of the bodies is called
	aliases     map[string]string              // import path -> name
	imports     map[string]bool                // paths that the program uses
	effects     map[string]bool                // paths that it imports for their effect, which it may use too
	helpers     map[string]string              // functions of ours that the program needs: what for -> name
	studies     map[token.Pos]*check.StudyFunc // by where the fields of their literals begin
	programText string                         // the name of the program's text, if it has a study
	flagNames   []string                       // the parameters that are flags
	failed      error                          // what cannot be written
}

// A written is one cell of Go code.
type written struct {
	number     int
	text       string // the text cells above it
	source     string
	fails      bool
	parameters bool
	refused    bool // it does not compile, as expected
	chunks     map[*cell.Piece]cell.Chunk
	lead       map[*cell.Piece]string // comments above a piece
	after      map[*cell.Piece]string // comment after it
	end        string                 // comments at the end
	steps      []step
	result     *cell.Piece // whose values are shown; nil for none
}

// A step is a stage of a cell or a magic.
type step struct {
	stage *check.Stage
	magic *cell.MagicCall
	line  string // the magic as it was written
}

// read checks a cell against the cells before it.
func (e *exporter) read(number int, c Cell, text string) error {
	src := cell.Normalise(c.Source)
	out := &written{number: number, text: text, source: src, fails: c.Fails, parameters: c.Parameters}
	problems := e.check(out, src)
	if problems != nil {
		if !c.Fails {
			value, traceback := cell.Place{Number: number, Lines: strings.Split(src, "\n")}.Report(problems)
			return &Error{Value: value, Traceback: traceback}
		}
		out.refused, out.steps = true, nil
		e.note(number, "it is meant not to compile, and becomes a comment")
	}
	e.cells = append(e.cells, out)
	return nil
}

func (e *exporter) note(cell int, format string, args ...any) {
	e.notes = append(e.notes, fmt.Sprintf("cell [%d]: ", cell)+fmt.Sprintf(format, args...))
}

// check fills in the steps of a cell.
func (e *exporter) check(out *written, src string) (problems []cell.Problem) {
	parsed, problems := cell.Read(src).Parse(e.checker.Fset, out.number, cell.Options{})
	if problems != nil {
		return problems
	}
	e.register(out, parsed)
	work, mark := e.scope, e.scope.Snapshot()
	defer func() {
		if problems != nil {
			work.Rollback(mark)
		}
		work.Commit()
	}()
	for _, p := range check.AddMusts(e.checker.Fset, parsed, work) {
		e.locate(p, 0)
		out.lead[p] = strings.TrimSuffix(cell.Commented(p.Doc), "\n")
	}
	if problems := check.NoHistory(e.checker.Fset, parsed, work); problems != nil {
		return problems
	}
	show := cell.ShownPieces(parsed)
	out.result = cell.Result(parsed)
	cell.CallInitAndMain(parsed)
	walk := check.Walk{
		Magic: func(m *cell.Piece) {
			line, _, _ := strings.Cut(src[out.chunks[m].Start:], "\n")
			if arg, ok := strings.CutPrefix(line, "%get "); ok {
				if err := e.get(arg); err != nil && e.failed == nil {
					e.failed = fmt.Errorf("cell [%d]: %w", out.number, err)
				}
				return
			}
			out.steps = append(out.steps, step{magic: m.Call, line: line})
		},
		Stage: func(st *cell.Stage) (*check.Checked, []cell.Problem) {
			s, problems := e.checker.CheckStage(out.number, work, st, show)
			if problems != nil {
				return nil, problems
			}
			e.noteStage(s)
			first := len(e.order)
			e.take(s)
			if out.fails {
				e.noteUnreached(s, first, len(out.steps) > 0)
			}
			e.takeEffects(st, s.Out.Modules)
			out.steps = append(out.steps, step{stage: s})
			return s.Out, nil
		},
	}
	return walk.Through(parsed, work)
}

// get adds modules as the magic %get does.
func (e *exporter) get(arg string) error {
	f := e.library.Fetching
	if f == nil {
		return fmt.Errorf("%%get %s: nothing is fetched here", arg)
	}
	_, err := e.library.Modules.Get(f.Ctx, false, strings.Fields(strings.TrimPrefix(arg, "-f "))...)
	return err
}

// takeEffects notes the packages that a stage imports by no name, and those of modules.
func (e *exporter) takeEffects(st *cell.Stage, modules []check.ImportedModule) {
	for _, m := range modules {
		e.effects[m.Types.Path()] = true
	}
	for _, p := range st.Imports {
		for _, sp := range p.Decl.(*ast.GenDecl).Specs {
			spec := sp.(*ast.ImportSpec)
			if path, err := strconv.Unquote(spec.Path.Value); err == nil && spec.Name != nil && spec.Name.Name == "_" {
				e.effects[path] = true
			}
		}
	}
}

// register notes where the text of each piece begins, the identifiers in it, and the comments around it.
func (e *exporter) register(out *written, parsed *cell.Cell) {
	out.chunks, out.lead, out.after = map[*cell.Piece]cell.Chunk{}, map[*cell.Piece]string{}, map[*cell.Piece]string{}
	chunks, end := parsed.Chunks, 0
	for i, p := range parsed.Pieces {
		out.chunks[p] = chunks[i]
		between := ""
		if chunks[i].Start > end {
			between = out.source[end:chunks[i].Start]
		}
		if i > 0 {
			line, rest, _ := strings.Cut(between, "\n")
			out.after[parsed.Pieces[i-1]], between = commentIn(line), rest
		}
		out.lead[p] = commentIn(between)
		end = max(end, chunks[i].End)
		if p.Call != nil && chunks[i].Start == chunks[i].End && p.Call.Builtin != "time" {
			end = max(end, cell.MagicEnd(out.source, chunks[i].Start))
			if strings.HasPrefix(out.source[chunks[i].Start:], "%%") {
				end = len(out.source)
			}
		}
		if p.Call != nil {
			continue
		}
		suffix := 0
		switch {
		case p.List != nil:
			suffix = len(")")
		case p.Stmt != nil || p.Original != nil:
			suffix = len(chunks[i].After + "\n}")
		}
		e.locate(p, suffix)
	}
	out.end = commentIn(out.source[end:])
}

// commentIn gathers the comments between two chunks.
func commentIn(between string) string { return strings.Join(commentsIn(between), "\n") }

// commentsIn lists the comments of a text.
func commentsIn(text string) (list []string) {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("", -1, len(text)), []byte(text), func(token.Position, string) {}, scanner.ScanComments)
	for {
		switch _, tok, lit := s.Scan(); tok {
		case token.EOF:
			return list
		case token.COMMENT:
			list = append(list, lit)
		}
	}
}

// locate notes where the text of a piece begins; suffix bytes follow it in its file.
func (e *exporter) locate(p *cell.Piece, suffix int) {
	var nodes []ast.Node
	switch {
	case p.Decl != nil:
		nodes = append(nodes, p.Decl)
	case p.Stmt != nil:
		nodes = append(nodes, p.Stmt)
	default:
		for _, x := range p.List {
			nodes = append(nodes, x)
		}
	}
	if len(nodes) == 0 {
		return
	}
	file := e.checker.Fset.File(nodes[0].Pos())
	e.base[p] = token.Pos(file.Base() + file.Size() - suffix - len(p.Text))
	e.pieces[file] = p
	for _, n := range nodes {
		ast.Inspect(n, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.Ident:
				e.idents[x.Name] = true
			case *ast.SelectorExpr:
				e.selected[x.Sel.Pos()] = true
				if id, ok := x.X.(*ast.Ident); ok {
					e.member[id.Pos()] = x.Sel.Pos()
				}
			}
			return true
		})
	}
}

// take keeps what a checked stage says of its names.
func (e *exporter) take(s *check.Stage) {
	for d, p := range s.Carried {
		if e.base[p] == 0 {
			e.locate(p, 0)
			s.PieceOf[d] = p
		}
	}
	for _, t := range s.Types {
		if e.base[t.Piece] == 0 {
			e.locate(t.Piece, 0)
		}
	}
	for id, obj := range s.Info.Defs {
		if obj != nil {
			e.objects[id.Pos()] = obj
		}
	}
	for id, obj := range s.Info.Uses {
		e.objects[id.Pos()] = obj
	}
	for _, f := range s.Out.Studies.Funcs {
		e.studies[f.At] = f
	}
	part := s.Out.Part
	for v, old := range part.Keeps {
		e.root[v] = e.rootOf(old)
	}
	for f, old := range part.Replaces {
		e.root[f] = e.rootOf(old)
	}
	for _, t := range part.Types {
		obj := s.Info.Defs[t.Name]
		for _, o := range e.order {
			if _, isType := o.(*types.TypeName); isType && o.Name() == obj.Name() {
				e.note(s.Cell, "%s is declared again, so the earlier one has a number in the program, which it also prints and encodes", obj.Name())
				break
			}
		}
		e.declare(obj)
	}
	for _, c := range s.Consts {
		for _, sp := range c.Specs {
			for _, n := range sp.(*ast.ValueSpec).Names {
				e.declare(s.Info.Defs[n])
			}
		}
	}
	for _, d := range part.Funcs {
		e.declareFunc(s, d)
	}
	for _, c := range part.Body {
		for _, v := range c.Declares {
			e.declare(v)
		}
	}
}

// declareFunc takes note of a function, method, or method in its plain form.
func (e *exporter) declareFunc(s *check.Stage, d *ast.FuncDecl) {
	if d.Name.Name == "_" {
		return
	}
	if m := s.Plain[d]; m != nil {
		e.objects[d.Name.Pos()] = m
		if e.bodies[m] == nil {
			e.methods = append(e.methods, m)
		}
		e.bodies[m] = append(e.bodies[m], d.Name.Pos())
		return
	}
	f := s.Info.Defs[d.Name]
	if f == nil {
		return
	}
	if d.Recv != nil {
		e.methods = append(e.methods, f)
	} else {
		e.declare(f)
		f = e.rootOf(f)
	}
	e.bodies[f] = append(e.bodies[f], d.Name.Pos())
}

func (e *exporter) declare(obj types.Object) {
	if obj != nil && obj.Name() != "_" && e.rootOf(obj) == obj {
		e.order = append(e.order, obj)
	}
}

func (e *exporter) rootOf(obj types.Object) types.Object {
	if r := e.root[obj]; r != nil {
		return r
	}
	return obj
}

// write puts the program together and checks it as a Go compiler would.
func (e *exporter) write(text string) (*Program, error) {
	var body strings.Builder
	var calls []string
	for _, c := range e.cells {
		calls = append(calls, e.writeCell(&body, c))
	}
	if text != "" {
		body.WriteString(asComment(text))
	}
	if e.failed != nil {
		return nil, e.failed
	}
	flags, calls := e.flags(calls)
	helpers := flags + e.helperText()
	main := e.mainFunc(calls)
	var b strings.Builder
	b.WriteString("// Written by gaucho export.\n\npackage main\n\n")
	for path := range e.effects {
		if !e.imports[path] {
			e.imports[path], e.aliases[path] = true, "_"
		}
	}
	paths := slices.SortedFunc(maps.Keys(e.imports), func(a, b string) int {
		return cmp.Or(cmp.Compare(pathRank(a), pathRank(b)), cmp.Compare(a, b))
	})
	if e.programText != "" {
		b.WriteString("import _ \"embed\"\n\n")
	}
	for i, path := range paths {
		if i == 0 {
			b.WriteString("import (\n")
		}
		if i > 0 && pathRank(paths[i-1]) != pathRank(path) {
			b.WriteByte('\n')
		}
		alias := e.aliases[path]
		if p, err := e.checker.Importer.Import(path); err == nil && p.Name() == alias && lastElement(path) == alias {
			alias = ""
		}
		fmt.Fprintf(&b, "\t%s %q\n", alias, modpath.Own(path))
	}
	if len(paths) > 0 {
		b.WriteString(")\n\n")
	}
	if e.programText != "" {
		fmt.Fprintf(&b, "// %s is the text of this program, to which the records of its studies belong.\n//\n//go:embed main.go\nvar %[1]s string\n\n", e.programText)
	}
	b.WriteString(main + body.String() + helpers)
	src, err := format.Source(withoutConstraints([]byte(b.String())))
	if err != nil {
		return nil, fmt.Errorf("the exported program is not valid Go; this is a bug in Gaucho: %w", err)
	}
	if err := e.verify(src); err != nil {
		return nil, fmt.Errorf("the exported program does not compile; this is a bug in Gaucho: %w", err)
	}
	return &Program{Source: src, Imports: paths, Modules: e.library.Modules.Needs(), Notes: e.notes, Parameters: e.flagNames}, nil
}

// pathRank puts the standard library before everything else.
func pathRank(path string) int {
	if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") || first == "gaucho" {
		return 1
	}
	return 0
}

func lastElement(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
