package interp

import (
	"fmt"
	"go/token"
	"go/types"
	"html"
	"path"
	"runtime"
	"slices"
	"strings"

	"gaucho/interp/assist"
	"gaucho/interp/cell"
	"gaucho/interp/symbols"
	"gaucho/interp/wire"
)

// tracebackHTML is the path of an error, from the cell inwards, as one line of HTML: places in cells, whose source is shown on hover
// and opens on a click, and calls of library functions, with links to their documentation. It is empty for an error with at
// most one place. Its colours are the page's own, so it can be read in light and dark themes. It uses no scripts or style
// sheets, because untrusted notebooks strip them.
func (s *Session) tracebackHTML(e *wire.Error) string {
	var steps []string
	frames := slices.CompactFunc(slices.Clone(e.Trace), func(a, b wire.Frame) bool { a.Column = b.Column; return a == b })
	slices.Reverse(frames)
	cycle := ""
	if overflows(e) {
		frames, cycle = oneCycle(frames)
	}
	for _, f := range frames {
		switch p, ok := s.front.placeOf(f.Cell); {
		case ok:
			steps = append(steps, placeHTML(p, f))
		case f.Cell == 0 && f.Function != "": // a library's function that the interpreter runs
			name, _, _ := strings.Cut(f.Function, ".")
			if paths := symbols.ByName(name); len(paths) > 0 {
				steps = append(steps, s.callHTML(wire.Call{Function: path.Join(path.Dir(paths[0]), f.Function)}))
			}
		}
	}
	if cycle != "" {
		steps = append(steps, "<span>"+strings.Trim(cycle, " ()")+"</span>")
	}
	for _, c := range slices.Backward(e.Calls) {
		steps = append(steps, s.callHTML(c))
	}
	if len(steps) == 0 || len(steps) == 1 && len(e.Calls) == 0 {
		return "" // the traceback says it
	}
	if n := len(steps) - longestTraceback; n > 0 {
		steps = slices.Replace(steps, longestTraceback/2, longestTraceback/2+n, fmt.Sprintf("%d more", n))
	}
	return `<div style="display: flex; flex-wrap: wrap; gap: 0 0.6em">` + strings.Join(steps, ` <span>›</span> `) + `</div>`
}

const (
	longestTraceback = 12
	linesAround      = 4 // of source, before and after the place
)

// placeHTML is a place in a cell.
func placeHTML(p cell.Place, f wire.Frame) string {
	where := p.Name(f.Line, 0)
	switch {
	case f.Start && f.Function != "":
		where = f.Function + ", which starts at " + where
	case f.Function != "":
		where = f.Function + ", " + where
	}
	var plain, marked strings.Builder
	for n := max(1, f.Line-linesAround); n <= min(len(p.Lines), f.Line+linesAround); n++ {
		line := strings.ReplaceAll(p.Lines[n-1], "\t", "    ")
		text := fmt.Sprintf("%s %3d  %s", map[bool]string{true: "→", false: " "}[n == f.Line], n, line)
		plain.WriteString(text + "\n")
		text = html.EscapeString(text)
		if n == f.Line {
			text = "<b>" + text + "</b>"
		}
		marked.WriteString(text + "\n")
	}
	return fmt.Sprintf(`<details><summary title="%s">%s</summary><pre>%s</pre></details>`,
		titleText(plain.String()), html.EscapeString(where), marked.String())
}

// titleText is text for the attribute of an element that shows on hovering.
func titleText(s string) string {
	return strings.ReplaceAll(html.EscapeString(strings.TrimRight(s, "\n")), "\n", "&#10;")
}

// callHTML is a call of a library's function.
func (s *Session) callHTML(c wire.Call) string {
	f := parseFunction(c.Function)
	text := html.EscapeString(f.short())
	if c.File != "" {
		text += html.EscapeString(fmt.Sprintf(", %s:%d", path.Base(c.File), c.Line))
	}
	title := s.about(f)
	if page := f.page(c.File); page != "" {
		return fmt.Sprintf(`<a href="%s" target="_blank" rel="noopener" title="%s">%s</a>`, html.EscapeString(page), titleText(title), text)
	}
	return fmt.Sprintf(`<span title="%s">%s</span>`, titleText(title), text)
}

// A function is the name of a compiled function, taken apart.
type function struct {
	path, name string // name is empty if it is a method's
	recv       string // type of the receiver
	pointer    bool
	method     string
}

// parseFunction takes apart a name as the run time writes it: gonum.org/v1/gonum/mat.(*Dense).Mul.func1. A literal is of
// the function that it is in.
func parseFunction(s string) (f function) {
	slash := strings.LastIndexByte(s, '/') + 1
	pkg, rest, _ := strings.Cut(s[slash:], ".")
	f.path = strings.ReplaceAll(s[:slash]+pkg, "%2e", ".")
	if i := strings.IndexByte(rest, '['); i >= 0 {
		rest = rest[:i]
	}
	if inner, after, ok := strings.Cut(strings.TrimPrefix(rest, "("), ")."); ok {
		f.pointer = strings.HasPrefix(inner, "*")
		f.recv = strings.TrimPrefix(inner, "*")
		f.method, _, _ = strings.Cut(after, ".")
		return f
	}
	words := strings.Split(rest, ".")
	if len(words) > 1 && !strings.HasPrefix(words[1], "func") && !strings.HasPrefix(words[1], "deferwrap") {
		f.recv, f.method = words[0], words[1]
		return f
	}
	f.name = words[0]
	return f
}

// short is the function as a cell writes it.
func (f function) short() string {
	name := f.name
	if f.method != "" {
		name = f.recv + "." + f.method
		if f.pointer {
			name = "(*" + f.recv + ")." + f.method
		}
	}
	return path.Base(f.path) + "." + name
}

// page is the address of the function's documentation, empty if there is none that is public. file is its source file,
// whose path contains the version of its module.
func (f function) page(file string) string {
	root, _, _ := strings.Cut(f.path, "/")
	if root == "gaucho" || slices.Contains(strings.Split(f.path, "/"), "internal") {
		return ""
	}
	address := f.path
	if !strings.Contains(root, ".") { // the standard library
		if version := runtime.Version(); strings.HasPrefix(version, "go1") {
			address += "@" + strings.Fields(version)[0]
		}
	} else if before, after, ok := strings.Cut(file, "@v"); ok {
		version, _, _ := strings.Cut(after, "/")
		for module := f.path; module != "."; module = path.Dir(module) {
			if strings.HasSuffix(before, module) {
				address = module + "@v" + version + strings.TrimPrefix(f.path, module)
				break
			}
		}
	}
	anchor := ""
	switch {
	case token.IsExported(f.recv) && token.IsExported(f.method):
		anchor = "#" + f.recv + "." + f.method
	case token.IsExported(f.name):
		anchor = "#" + f.name
	}
	return "https://pkg.go.dev/" + address + anchor
}

// about is the declaration of a compiled function and the beginning of its documentation, as far as cells can import it.
func (s *Session) about(f function) string {
	head, doc := "", symbols.Doc(f.path, f.name, "")
	if f.method != "" {
		doc = symbols.Doc(f.path, f.recv, f.method)
	}
	if obj := s.lookUp(f); obj != nil {
		head = assist.ObjectString(obj)
	}
	first, _, _ := strings.Cut(doc, "\n\n")
	return strings.TrimSpace(head + "\n\n" + first)
}

// lookUp finds what a compiled function's name stands for, nil if cells cannot import it.
func (s *Session) lookUp(f function) types.Object {
	if !slices.Contains(symbols.Paths(), f.path) {
		return nil
	}
	pkg, err := s.front.checker.Importer.Import(f.path)
	if err != nil {
		return nil
	}
	if f.method == "" {
		return pkg.Scope().Lookup(f.name)
	}
	t, ok := pkg.Scope().Lookup(f.recv).(*types.TypeName)
	if !ok {
		return nil
	}
	obj, _, _ := types.LookupFieldOrMethod(t.Type(), true, pkg, f.method)
	return obj
}
