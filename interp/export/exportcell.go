package export

import (
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gaucho/interp/cell"
	"gaucho/interp/check"
)

// A cellWriter writes one cell: declarations of package level, and the statements of its function.
type cellWriter struct {
	*exporter
	cell        *written
	vars        []string
	decls, body strings.Builder
	began       []string // variables of running clocks
	captured    string   // the function that ends %%capture
	capturedBy  string   // the variable that gets what it gives
	defers      bool     // the cell has deferred calls
	deferred    string   // the variable with its values, which are then shown after these
	shower      string   // the function that shows them
}

// writeCell writes a cell and returns its call, empty for a cell that only declares.
func (e *exporter) writeCell(b *strings.Builder, c *written) string {
	if c.text != "" {
		b.WriteString(asComment(c.text) + "\n")
	}
	if c.refused {
		b.WriteString(asComment(c.source) + "\n")
		return ""
	}
	w := &cellWriter{exporter: e, cell: c}
	for _, st := range c.steps {
		if st.magic != nil {
			w.magic(st)
			continue
		}
		w.stage(st.stage)
	}
	switch len(w.vars) {
	case 0:
	case 1:
		b.WriteString("var " + w.vars[0] + "\n\n")
	default:
		b.WriteString("var (\n" + strings.Join(w.vars, "\n") + "\n)\n\n")
	}
	b.WriteString(w.decls.String())
	if commentIn(w.body.String()) == strings.TrimSpace(w.body.String()) {
		b.WriteString(w.body.String() + c.end + "\n")
		return ""
	}
	name := e.unused("cell" + strconv.Itoa(c.number))
	if w.deferred != "" {
		shown := w.body.String()
		w.body.Reset()
		fmt.Fprintf(&w.body, "var %[1]s []any\ndefer func() { %[2]s(%[1]s...) }() // after what the cell defers\n%[3]s", w.deferred, w.shower, shown)
	}
	fmt.Fprintf(b, "func %s() {\n%s}\n\n", name, strings.Trim(w.body.String()+c.end, "\n")+"\n")
	if c.fails {
		return e.helper("mayFail") + "(" + name + ")"
	}
	return name + "()"
}

// asComment is a text as a comment.
func asComment(text string) string {
	var b strings.Builder
	text = strings.NewReplacer("\ufeff", "", "\x00", "").Replace(text) // which Go allows in no comment
	for _, l := range strings.Split(strings.TrimSpace(text), "\n") {
		b.WriteString(strings.TrimRight("// "+l, " \t") + "\n")
	}
	return b.String()
}

// withoutConstraints has no comment of a cell say when to build the program: it begins with a backslash then.
func withoutConstraints(src []byte) []byte {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, src, nil, scanner.ScanComments)
	var out []byte
	done := 0
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return append(out, src[done:]...)
		}
		if tok == token.COMMENT && (constraint.IsGoBuild(text) || constraint.IsPlusBuild(text)) {
			at := file.Offset(pos)
			out = append(append(out, src[done:at]...), `// \`...)
			done = at + len(text) - len(strings.TrimLeft(text, "/ \t"))
		}
	}
}

// stage writes a stage: its declarations, then its statements in the order in which they run.
func (w *cellWriter) stage(s *check.Stage) {
	w.declarations(s)
	chunks := s.InOrder()
	for i := 0; i < len(chunks); {
		n := i + 1
		for n < len(chunks) && chunks[n].Piece == chunks[i].Piece {
			n++
		}
		w.piece(s, chunks[i].Piece, chunks[i:n])
		i = n
	}
}

// declarations writes constants, types, functions and methods in the order of the source.
func (w *cellWriter) declarations(s *check.Stage) {
	type decl struct {
		pos  token.Pos
		text string
	}
	var list []decl
	add := func(p *cell.Piece, pos token.Pos, text string) {
		if lead := w.cell.lead[p]; lead != "" {
			text = lead + "\n" + text
			delete(w.cell.lead, p)
		}
		if after := w.cell.after[p]; after != "" {
			text += " " + after
			delete(w.cell.after, p)
		}
		list = append(list, decl{pos, text})
	}
	for _, c := range s.Consts {
		add(s.PieceOf[c], c.Pos(), w.text(c))
	}
	for _, t := range s.Types {
		add(t.Piece, t.Spec.Pos(), "type "+w.text(t.Spec))
	}
	for _, funcs := range [][]*ast.FuncDecl{s.Funcs, s.Methods, s.Added} {
		for _, d := range funcs {
			add(s.PieceOf[d], d.Pos(), w.text(d))
			w.newBody(s, d)
		}
	}
	slices.SortStableFunc(list, func(a, b decl) int { return int(a.pos - b.pos) })
	for _, d := range list {
		w.decls.WriteString(d.text + "\n\n")
	}
}

// newBody has what is declared several times call this body from now on.
func (w *cellWriter) newBody(s *check.Stage, d *ast.FuncDecl) {
	if w.declared[d.Name.Pos()] == "" {
		return
	}
	obj := w.rootOf(w.objects[d.Name.Pos()])
	n := slices.Index(w.bodies[obj], d.Name.Pos())
	if n == 0 {
		w.dispatch(obj, d)
		return
	}
	fmt.Fprintf(&w.body, "%s = %d\n", w.counters[obj], n+1)
}

// dispatch declares what d is the first body of: a function or method that calls the body that was declared last.
func (w *cellWriter) dispatch(obj types.Object, d *ast.FuncDecl) {
	sig := obj.(*types.Func).Signature()
	counter := w.counters[obj]
	w.vars = append(w.vars, counter+" = 1")
	t := typeWriter{e: w.exporter, ok: true}
	callee, more := "", ""
	if recv := sig.Recv(); recv != nil {
		t.b.WriteString("func (r ")
		t.write(recv.Type())
		t.b.WriteString(") " + w.names[obj])
		callee = "r."
	} else {
		t.b.WriteString("func " + w.names[obj])
		if list := d.Type.TypeParams; list != nil {
			t.b.WriteString(w.text(list))
			var args []string
			for p := range sig.TypeParams().TypeParams() {
				args = append(args, p.Obj().Name())
			}
			more = "[" + strings.Join(args, ", ") + "]"
		}
	}
	t.signature(sig, true)
	var args []string
	for i := range sig.Params().Len() {
		args = append(args, "a"+strconv.Itoa(i))
	}
	more += "(" + strings.Join(args, ", ")
	if sig.Variadic() {
		more += "..."
	}
	before := ""
	if sig.Results().Len() > 0 {
		before = "return "
	}
	fmt.Fprintf(&w.decls, "// %s calls the body that was declared last.\n%s {\nswitch %s {\n", w.names[obj], t.b.String(), counter)
	for i, pos := range w.bodies[obj] {
		if i > 0 {
			fmt.Fprintf(&w.decls, "case %d:\n%s%s%s%s)\n", i+1, before, callee, w.declared[pos], more)
		}
	}
	fmt.Fprintf(&w.decls, "default:\n%s%s%s%s)\n}\n}\n\n", before, callee, w.declared[w.bodies[obj][0]], more)
}

// piece writes the statements of one piece.
func (w *cellWriter) piece(s *check.Stage, p *cell.Piece, chunks []check.BodyChunk) {
	if lead := w.cell.lead[p]; lead != "" {
		w.body.WriteString(lead + "\n")
	}
	var shown []check.BodyChunk
	var lines []string
	for _, c := range chunks {
		switch {
		case c.Spec != nil:
			if p.Ours {
				v := s.Info.Defs[c.Spec.Names[0]]
				w.vars = append(w.vars, w.names[w.rootOf(v)]+" string")
				lines = append(lines, w.names[w.rootOf(v)]+" = "+w.captured+"()")
			} else if line := w.variables(s, c.Spec); line != "" {
				lines = append(lines, line)
			}
		case c.Show:
			shown = append(shown, c)
		default:
			lines = append(lines, w.statement(s, c))
		}
	}
	if shown != nil {
		lines = append(lines, w.show(s, shown))
	}
	text := strings.Join(lines, "\n")
	for _, c := range commentsIn(p.Text) { // what stands between the parts of a declaration or of a list of values
		if !strings.Contains(text, c) && !strings.Contains(w.decls.String(), c) {
			w.body.WriteString(c + "\n")
		}
	}
	w.body.WriteString(text)
	if after := w.cell.after[p]; after != "" {
		w.body.WriteString(" " + after)
	}
	if len(lines) > 0 || w.cell.after[p] != "" {
		w.body.WriteString("\n")
	}
}

// statement writes a statement of the top level.
func (w *cellWriter) statement(s *check.Stage, c check.BodyChunk) string {
	stmt := c.Func.Body.List[0]
	w.defers = w.defers || defers(stmt)
	if c.Piece.Text == "" { // a call of ours of init or main
		call := stmt.(*ast.ExprStmt).X.(*ast.CallExpr)
		return w.global(call.Pos(), s.Info.Uses[call.Fun.(*ast.Ident)]) + "()"
	}
	if text := w.measured(c.Piece); text != "" {
		return text
	}
	text := w.text(stmt)
	if x, ok := stmt.(*ast.ExprStmt); ok && !standsAlone(s.Info, x.X) {
		return "_ = " + text
	}
	return text
}

// standsAlone reports whether Go takes an expression as a statement.
func standsAlone(info *types.Info, x ast.Expr) bool {
	switch x := ast.Unparen(x).(type) {
	case *ast.UnaryExpr:
		return x.Op == token.ARROW
	case *ast.CallExpr:
		f := info.Types[x.Fun]
		if f.IsType() {
			return false
		}
		return !f.IsBuiltin() || info.Types[x].IsVoid() || isCall(x, "copy", "recover")
	}
	return false
}

func isCall(x *ast.CallExpr, names ...string) bool {
	id, ok := ast.Unparen(x.Fun).(*ast.Ident)
	return ok && slices.Contains(names, id.Name)
}

// show writes the statement that shows the cell's result.
func (w *cellWriter) show(s *check.Stage, chunks []check.BodyChunk) string {
	if text := w.measured(chunks[0].Piece); text != "" {
		return text
	}
	var args []string
	for _, c := range chunks {
		x := c.Func.Body.List[0].(*ast.ExprStmt).X
		if s.Info.Types[x].IsVoid() {
			return w.text(x)
		}
		args = append(args, w.text(x))
	}
	if chunks[0].Piece != w.cell.result { // it was only measured
		return "func(...any) {}(" + strings.Join(args, ", ") + ")"
	}
	shower := w.helper("show")
	if s.Out.Fails {
		shower = w.helper("showOrFail")
	}
	if w.defers {
		w.deferred, w.shower = w.unused("values"), shower
		return w.deferred + " = []any{" + strings.Join(args, ", ") + "}"
	}
	return shower + "(" + strings.Join(args, ", ") + ")"
}

// defers reports whether a statement of the top level defers a call to the end of its cell.
func defers(stmt ast.Stmt) bool {
	found := false
	ast.Inspect(stmt, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			found = true
		}
		return !found
	})
	return found
}

// variables writes a variable declaration: as variables of the package, and an assignment.
func (w *cellWriter) variables(s *check.Stage, spec *ast.ValueSpec) string {
	var left, zero, direct []string
	for i, id := range spec.Names {
		v, ok := s.Info.Defs[id].(*types.Var)
		if !ok || id.Name == "_" {
			left = append(left, "_")
			continue
		}
		root := w.rootOf(v)
		name := w.names[root]
		left = append(left, name)
		text, named := w.typeText(v.Type())
		switch {
		case root != types.Object(v):
			zero = append(zero, fmt.Sprintf("%s = *new(%s)", name, text))
		case named:
			w.vars = append(w.vars, name+" "+text)
		case len(spec.Values) == len(spec.Names) && w.constantLike(s, spec.Values[i]):
			direct = append(direct, name+" = "+w.text(spec.Values[i]))
		case w.failed == nil:
			w.failed = fmt.Errorf("cell [%d]: the type of %s, %s, has no name that a program can write", w.cell.number, id.Name,
				types.TypeString(v.Type(), nil))
		}
	}
	w.vars = append(w.vars, direct...)
	if len(spec.Values) == 0 {
		return strings.Join(zero, "\n")
	}
	var right []string
	for _, v := range spec.Values {
		if id, ok := v.(*ast.Ident); ok && check.Hidden(id.Name) { // a variable of ours, which is not in the text
			right = append(right, w.names[w.rootOf(s.Info.Uses[id])])
			continue
		}
		right = append(right, w.text(v))
	}
	line := strings.Join(left, ", ") + " = " + strings.Join(right, ", ")
	if len(left) == 1 && left[0] == "_" && spec.Type != nil {
		return "var _ " + w.text(spec.Type) + " = " + right[0]
	}
	return line
}

// constantLike reports whether an expression can be evaluated at any time: it neither calls nor uses what cells declare.
func (w *cellWriter) constantLike(s *check.Stage, x ast.Expr) bool {
	ok := true
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr, *ast.FuncLit:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.Ident:
			if obj := s.Info.Uses[n]; obj != nil && obj.Pkg() == w.checker.Pkg && check.IsGlobal(obj) {
				ok = false
			}
		}
		return ok
	})
	return ok
}

// text is the source of a node with the names that the program has.
func (e *exporter) text(n ast.Node) string {
	return e.span(e.pieces[e.checker.Fset.File(n.Pos())], n.Pos(), n.End())
}

// span is the source of a piece from one position to another.
func (e *exporter) span(p *cell.Piece, from, to token.Pos) string {
	base := e.base[p]
	from, to = max(from, base), min(to, base+token.Pos(len(p.Text)))
	var b strings.Builder
	at := from
	fields := e.studyFields(from, to)
	copy := func(to token.Pos) {
		for len(fields) > 0 && fields[0].At <= to {
			b.WriteString(p.Text[at-base:fields[0].At-base] + e.studySource(fields[0]))
			at, fields = fields[0].At, fields[1:]
		}
		b.WriteString(p.Text[at-base : to-base])
	}
	for pos := range e.identsIn(p) {
		if pos < from || pos >= to {
			continue
		}
		name := e.name(pos)
		if name == "" {
			continue
		}
		copy(pos)
		b.WriteString(name)
		at = pos + token.Pos(identLength(p.Text[pos-base:]))
	}
	copy(to)
	return b.String()
}

// studyFields are the studies whose fields begin in a stretch, in order.
func (e *exporter) studyFields(from, to token.Pos) (list []*check.StudyFunc) {
	for at, f := range e.studies {
		if from < at && at < to {
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(a, b *check.StudyFunc) int { return int(a.At - b.At) })
	return list
}

// studySource is the fields that say to what a study's records belong: the program's text, and the values that Replicate reads.
func (e *exporter) studySource(f *check.StudyFunc) string {
	if e.programText == "" {
		e.programText = e.unused("programText")
	}
	text := "Source: " + e.programText + ", "
	names, vars := f.Values()
	if len(vars) == 0 {
		return text
	}
	text += "Reads: func() map[string]any { return map[string]any{"
	for i, v := range vars {
		name := v.Name()
		if check.IsGlobal(v) {
			name = e.names[e.rootOf(v)]
		}
		text += fmt.Sprintf("%q: %s, ", names[i], name)
	}
	return strings.TrimSuffix(text, ", ") + "} }, "
}

// identsIn yields the positions in a piece that mean an object, in order.
func (e *exporter) identsIn(p *cell.Piece) func(yield func(token.Pos) bool) {
	base := e.base[p]
	return func(yield func(token.Pos) bool) {
		for i := 0; i < len(p.Text); {
			n := identLength(p.Text[i:])
			if n == 0 {
				_, n = utf8.DecodeRuneInString(p.Text[i:])
				i += n
				continue
			}
			if e.objects[base+token.Pos(i)] != nil || e.declared[base+token.Pos(i)] != "" {
				if !yield(base + token.Pos(i)) {
					return
				}
			}
			i += n
		}
	}
}

// identLength is the number of bytes of the identifier at the beginning of s.
func identLength(s string) int {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return i
		}
	}
	return len(s)
}

// verify type-checks the program.
func (e *exporter) verify(src []byte) error {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "main.go", src, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	conf := types.Config{Importer: e.checker.Importer, Sizes: check.Sizes, GoVersion: check.GoVersion}
	_, err = conf.Check("main", fset, []*ast.File{f}, nil)
	return err
}
