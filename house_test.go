package main

import (
	"bufio"
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gaucho/internal/modpath"
)

// A source is a Go file of this module, without those of testdata and of modules of their own.
type source struct {
	name string // from the root, with slashes
	text []byte
	file *ast.File // without function bodies, unless parsed again
}

// test reports whether the file is only part of a test.
func (s source) test() bool { return strings.HasSuffix(s.name, "_test.go") }

// parse returns the file's syntax.
func (s source) parse(t *testing.T) (*token.FileSet, *ast.File) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, s.name, s.text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return fset, f
}

// ownSources returns the Go files of this module.
func ownSources(t *testing.T) []source {
	t.Helper()
	var list []source
	for _, name := range goFiles(t) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, source{name, text, f})
	}
	return list
}

// arrows are the imports that keep the packages apart: what lies under from imports, of this module, only what lies under
// one of to. The longest from that fits a package decides.
var arrows = []struct {
	from string
	to   []string
	why  string
}{
	{"stdlib", []string{"stdlib", "internal/atomicfile", "internal/halt", "internal/scale"}, "programs without a notebook import it, and must not link a kernel"},
	{"stdlib/internal", []string{"internal/halt"}, "it is the ground floor of stdlib"},
	{"stdlib/display", nil, "any library can show values without linking what draws them"},
	{"plotting", []string{"stdlib/display", "internal/halt", "internal/scale", "internal/tex"}, "programs draw figures without a notebook"},
	{"render", []string{"plotting", "stdlib/display"}, "programs show values without a notebook"},
	{"kernel", []string{"kernel/zmtp", "interp/api", "interp/cell"}, "Jupyter's protocol knows what a session is asked, and links none"},
	{"kernel/zmtp", nil, "sockets know nothing of what they carry"},
	{"interp", []string{"internal/buildenv", "interp", "stdlib", "plotting", "render"}, "a session knows no socket, no command and no Jupyter"},
	{"interp/api", []string{"interp/wire"}, "who talks to a session need not link it"},
	{"interp/loader", []string{"interp/loader"}, "it links Go objects into any program"},
	{"interp/modules", []string{"internal/buildenv"}, "it reads Go modules, for any engine"},
	{"interp/wire", nil, "both processes are built on it"},
	{"interp/cell", nil, "the text of a cell is read without knowing what it means"},
	{"interp/check", []string{"interp/cell", "interp/engine", "interp/modules", "interp/symbols"}, "cells are checked without a session and without running them"},
	{"interp/assist", []string{"interp/api", "interp/cell", "interp/check", "interp/docs", "interp/symbols"}, "questions about a cell's text change nothing and run nothing"},
	{"interp/depend", []string{"interp/cell", "interp/check", "interp/engine"}, "what cells have to do with each other is known from their checked text"},
	{"interp/export", []string{"interp/cell", "interp/check", "interp/modules"}, "a program is written without running anything"},
	{"interp/engine", []string{"interp/modules", "interp/wire"}, "engines share what they are given and what they make, and nothing of how"},
	{"interp/lower", []string{"interp/lower", "interp/engine", "interp/modules", "interp/wire", "interp/symbols"}, "an engine sees checked parts of cells, no session"},
	{"interp/compiled", []string{"internal/buildenv", "interp/compiled", "interp/engine", "interp/kit", "interp/modules", "interp/rt", "interp/wire"}, "an engine sees checked parts of cells, no session and no other engine"},
	{"interp/rt", []string{"interp/rt", "interp/wire", "internal/halt", "stdlib/display"}, "every cell's code links it"},
	{"interp/rt/value", []string{"interp/rt/internal", "interp/wire", "stdlib/display"}, "what a value is depends on no cell that runs"},
	{"interp/rt/cell", nil, "every native cell is compiled against it"},
	{"interp/wire/pipe", nil, "both processes are built on it"},
	{"interp/supervisor", []string{"interp/wire"}, "what watches the process in which cells run links nothing that runs there"},
	{"interp/docs", nil, "documentation is read from any package's source"},
	{"interp/symbols", []string{"interp/docs", "interp/symbols", "interp/rt/value", "stdlib", "plotting", "render"}, "what cells can import is known without a session"},
	{"interp/kit", []string{"internal/buildenv", "interp/kit", "interp/symbols"}, "the compiler comes along for whatever compiles"},
	{"interp/stdsuite", nil, "tests import it"},
	{"interp/goldentest", []string{"interp/cell", "interp/check", "interp/engine"}, "tests of engines import it"},
	{"interp/workertest", []string{"interp/worker"}, "tests import it"},
	{"interp/worker", []string{"interp/worker", "interp/loader", "interp/rt", "interp/symbols/tables", "interp/wire", "plotting", "render", "stdlib"},
		"the process in which cells run holds no front end"},
	{"install", []string{"install", "interp/modules", "internal/atomicfile"}, "it writes files for Jupyter"},
	{"install/lite/program", []string{"install", "interp", "kernel"}, "it is the kernel's command in a browser"},
	{"install/wheel", []string{"install", "internal/atomicfile", "interp/kit"}, "it compresses the program as a kit is compressed"},
	{"internal/atomicfile", nil, "a program's data and the command's files are kept from harm by the same care"},
	{"internal/buildenv", nil, "who builds for this program must build for the same"},
	{"internal/scale", nil, "libraries and figures keep numbers in range by the same rule"},
	{"internal/mathfont", nil, "pages write formulas with it"},
	{"internal/halt", nil, "what computes and what ends it both use it"},
	{"command/headless", []string{"interp", "command/notebook"}, "it runs cells, and does not draw what they show"},
	{"command/notebook", []string{"internal/atomicfile"}, "a file is read and written by what runs it, shows it and marks it"},
	{"command/page", []string{"internal/mathfont", "command/notebook", "internal/tex"}, "a page is made from a file, and nothing runs"},
	{"internal/tex", nil, "figures and pages both use it"},
	{"internal/words", nil, "whatever has something to say may import it"},
	{"internal/modpath", nil, "whatever names a package of this module may import it"},
	{"command/grade", []string{"command/grade", "command/headless", "command/notebook", "command/page", "interp", "stdlib/check", "stdlib/study/pool"}, "a notebook is marked without a kernel"},
	{"command/grade/fence", nil, "what confines a process is small enough to be read whole"},
	{"papers", []string{"papers", "stdlib"}, "an experiment is an ordinary program, and does not know what is asked of it"},
}

// everybodys are packages that every other one may import.
var everybodys = []string{"internal/modpath", "internal/words"}

// tools are the packages of the command, which only the command, other tools and the makers of documents import.
var tools = []string{"command", "command/grade", "command/headless", "command/notebook", "command/page", "papers"}

// TestArrows: imports run one way.
func TestArrows(t *testing.T) {
	for _, s := range ownSources(t) {
		if s.test() {
			continue
		}
		from := path.Dir(s.name)
		for _, spec := range s.file.Imports {
			p, _ := strconv.Unquote(spec.Path.Value)
			to, ours := strings.CutPrefix(p, modpath.Path+"/")
			if !ours || slices.Contains(everybodys, to) {
				continue
			}
			if slices.ContainsFunc(tools, func(tool string) bool { return under(to, tool) }) &&
				from != "." && !under(from, "command") && !under(from, "papers") && !under(from, "docs") {
				t.Errorf("%s imports %s, which is for the command", s.name, p)
			}
			rule := -1
			for i, a := range arrows {
				if under(from, a.from) && (rule < 0 || len(a.from) > len(arrows[rule].from)) {
					rule = i
				}
			}
			if rule < 0 {
				continue
			}
			if a := arrows[rule]; !slices.ContainsFunc(a.to, func(dir string) bool { return under(to, dir) }) {
				t.Errorf("%s imports %s; %s imports %s of this module only: %s", s.name, p, a.from, orNothing(a.to), a.why)
			}
		}
	}
	ruled := map[string]bool{}
	for _, a := range arrows {
		ruled[a.from] = true
	}
	for _, s := range ownSources(t) {
		dir := path.Dir(s.name)
		if slices.Contains([]string{"interp", "internal", "command"}, path.Dir(dir)) && !s.test() && s.file.Name.Name != "main" && !ruled[dir] {
			t.Errorf("%s: there is no rule for what %s imports", s.name, dir)
			ruled[dir] = true
		}
	}
	for _, a := range arrows {
		if info, err := os.Stat(a.from); err != nil || !info.IsDir() {
			t.Errorf("there is a rule for %s, which is no directory", a.from)
		}
	}
}

// TestStudies: the experiments of one chapter know nothing of those of another, and claims are judged by records, without
// running anything. The catalog knows all experiments.
func TestStudies(t *testing.T) {
	const root, catalog, claims = "papers", "papers/catalog", "papers/claims"
	shared := []string{root, root + "/standin", root + "/studytest"}
	for _, s := range ownSources(t) {
		from := path.Dir(s.name)
		if !under(from, root) || from == catalog {
			continue
		}
		for _, spec := range s.file.Imports {
			p, _ := strconv.Unquote(spec.Path.Value)
			to := strings.TrimPrefix(p, modpath.Path+"/")
			if under(to, root) && !slices.Contains(shared, to) && !(from == claims && to == catalog) {
				t.Errorf("%s imports %s", s.name, p)
			}
		}
	}
}

// TestTextOnly: the tests of packages that only read and write text link no worker, so that they run in a second.
func TestTextOnly(t *testing.T) {
	packages := []string{"kernel", "interp/cell", "interp/check", "interp/assist", "interp/depend", "interp/export", "interp/lower", "interp/compiled"}
	for _, s := range ownSources(t) {
		if !s.test() || !slices.Contains(packages, path.Dir(s.name)) {
			continue
		}
		for _, spec := range s.file.Imports {
			p, _ := strconv.Unquote(spec.Path.Value)
			if to := strings.TrimPrefix(p, modpath.Path+"/"); to == "interp" || under(to, "interp/worker") || to == "interp/workertest" {
				t.Errorf("%s imports %s: a test that needs a worker belongs in interp", s.name, p)
			}
		}
	}
}

// TestLibrariesInDocuments: README or the page about libraries names each package that cells import.
func TestLibrariesInDocuments(t *testing.T) {
	text := read(t, "README.md") + read(t, "docs/libraries.md")
	seen := map[string]bool{}
	for _, s := range ownSources(t) {
		dir := path.Dir(s.name)
		if path.Dir(dir) != "stdlib" || dir == "stdlib/internal" || s.test() || seen[dir] {
			continue
		}
		seen[dir] = true
		if name := path.Base(dir); !regexp.MustCompile(`\b` + name + `\b`).MatchString(text) {
			t.Errorf("neither README.md nor docs/libraries.md names package %s", name)
		}
	}
}

// under reports whether a directory is root or lies in it.
func under(dir, root string) bool { return dir == root || strings.HasPrefix(dir, root+"/") }

func orNothing(list []string) string {
	if len(list) == 0 {
		return "nothing"
	}
	return strings.Join(list, ", ")
}

// TestPackageDocs: each package has one package comment, in one file.
func TestPackageDocs(t *testing.T) {
	docs := map[string][]string{}
	for _, s := range ownSources(t) {
		dir := path.Dir(s.name)
		if s.test() || dir == "interp/symbols/gen/overlay" { // a file for each platform, never built together
			continue
		}
		docs[dir] = append(docs[dir], nil...)
		if s.file.Doc != nil && strings.TrimSpace(s.file.Doc.Text()) != "" {
			docs[dir] = append(docs[dir], s.name)
		}
	}
	for dir, files := range docs {
		if len(files) != 1 {
			t.Errorf("%s has %d package comments, must be one: %s", dir, len(files), strings.Join(files, ", "))
		}
	}
}

// maxLines is how long a file may be that was written by hand.
const maxLines = 600

var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// TestFileLength: a file is one idea.
func TestFileLength(t *testing.T) {
	for _, s := range ownSources(t) {
		if n := bytes.Count(s.text, []byte("\n")); n > maxLines && !generated.Match(s.text) {
			t.Errorf("%s has %d lines, must be at most %d: give its second idea a file", s.name, n, maxLines)
		}
	}
}

// processorDependent are functions of package math whose results differ between processors of one architecture, or between
// architectures, with those of stdlib/vec to use instead.
var processorDependent = map[string]string{
	"Exp": "vec.Exp1", "Exp2": "vec.Pow1", "Expm1": "vec.Expm11",
	"Log": "vec.Log1", "Log1p": "vec.Log1p1", "Log2": "vec.Log1", "Log10": "vec.Log1",
	"Pow": "vec.Pow1", "Sinh": "vec.Sinh1", "Cosh": "vec.Cosh1",
}

// TestSameBits: the same seed gives the same bits on any processor, so stdlib does not use math.Exp and its kin, which ask
// the processor for fused multiply-adds.
func TestSameBits(t *testing.T) {
	for _, s := range ownSources(t) {
		if !under(path.Dir(s.name), "stdlib") || s.test() || !bytes.Contains(s.text, []byte(`"math"`)) {
			continue
		}
		fset, f := s.parse(t)
		ast.Inspect(f, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); !ok || x.Name != "math" {
				return true
			}
			instead, ok := processorDependent[sel.Sel.Name]
			exact := s.name == "stdlib/internal/asm/pow.go" && sel.Sel.Name == "Pow" // zeros and infinities only
			if ok && !exact {
				t.Errorf("%s: math.%s gives other bits on other processors: use %s", fset.Position(n.Pos()), sel.Sel.Name, instead)
			}
			return true
		})
	}
}

// TestLastLocks: a lock mu of package interp is the last that its holder takes, because only methods of the type that has it
// take it, and the type has no way to the session's other locks.
func TestLastLocks(t *testing.T) {
	owners := map[string]bool{}
	var files []*ast.File
	for _, s := range ownSources(t) {
		if path.Dir(s.name) != "interp" || s.test() {
			continue
		}
		_, f := s.parse(t)
		files = append(files, f)
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			st, ok := spec.Type.(*ast.StructType)
			if ok && mentions(st, "mu") {
				owners[spec.Name.Name] = true
				for _, other := range []string{"Session", "execution", "front", "gate"} {
					if mentions(st, other) {
						t.Errorf("interp: type %s has a lock mu and a %s", spec.Name.Name, other)
					}
				}
			}
			return true
		})
	}
	for _, f := range files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !mentions(fn, "mu") || fn.Name.Name == "hold" { // hold gets the lock from a method of its owner
				continue
			}
			recv := ""
			if fn.Recv != nil {
				recv = strings.TrimPrefix(types.ExprString(fn.Recv.List[0].Type), "*")
			}
			if !owners[recv] {
				t.Errorf("interp: %s takes a lock mu of another type: give that type a method", fn.Name.Name)
			}
		}
	}
	if len(owners) == 0 {
		t.Error("no type has a lock mu: the rule is for another name now")
	}
}

// mentions reports whether an identifier is in a piece of syntax.
func mentions(n ast.Node, name string) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}

var (
	link     = regexp.MustCompile(`\]\(([^)#\s]+)(?:#[^)]*)?\)`)
	codePath = regexp.MustCompile("`((?:interp|kernel|stdlib|plotting|render|command|papers|internal|install|docs|test|notebooks|bench)/[A-Za-z0-9_./-]+)`")
)

// TestDocumentsPointSomewhere: links of the documents, and the files and directories of this repository that they name, exist.
func TestDocumentsPointSomewhere(t *testing.T) {
	for _, doc := range tree(t) {
		if dir := path.Dir(doc); path.Ext(doc) != ".md" || dir != "." && dir != "docs" {
			continue
		}
		f, err := os.Open(doc)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for n := 1; lines.Scan(); n++ {
			var names []string
			for _, m := range link.FindAllStringSubmatch(lines.Text(), -1) {
				if !strings.Contains(m[1], ":") {
					names = append(names, path.Join(path.Dir(doc), m[1]))
				}
			}
			for _, m := range codePath.FindAllStringSubmatch(lines.Text(), -1) {
				names = append(names, m[1])
			}
			for _, name := range names {
				if _, err := os.Stat(name); err != nil {
					t.Errorf("%s: %s is not there", fmt.Sprintf("%s:%d", doc, n), name)
				}
			}
		}
		f.Close()
		if err := lines.Err(); err != nil {
			t.Errorf("%s: %v", doc, err)
		}
	}
}

// TestDocNames: the doc comment of a function or type begins with its name, that of a type after an article perhaps.
func TestDocNames(t *testing.T) {
	for _, s := range ownSources(t) {
		if s.test() || generated.Match(s.text) {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, s.name, s.text, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		check := func(name string, doc *ast.CommentGroup, isType bool) {
			words := strings.Fields(doc.Text())
			if len(words) > 1 && isType && slices.Contains([]string{"A", "An", "The"}, words[0]) {
				words = words[1:]
			}
			if len(words) > 0 && strings.TrimSuffix(strings.TrimRight(words[0], ",.:;"), "'s") != name {
				t.Errorf("%s: the comment of %s begins with %q", fset.Position(doc.Pos()), name, words[0])
			}
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				check(d.Name.Name, d.Doc, false)
			case *ast.GenDecl:
				if len(d.Specs) == 1 && d.Tok == token.TYPE {
					check(d.Specs[0].(*ast.TypeSpec).Name.Name, d.Doc, true)
				}
			}
		}
	}
}
