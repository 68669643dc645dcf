package kit

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/template"

	"gaucho/internal/modpath"
)

// The main package of the compiler. Go's own knows all processors; this one knows a single one, and can initialise itself
// before it is known what is to be compiled.
//
//go:embed compile.go.tmpl
var compileMain string

// oneProcessor are the files of the tools with a switch over GOARCH, by which half of a tool is for other processors.
var oneProcessor = map[string]string{"compile": "internal/ssa/config.go", "asm": "internal/arch/arch.go"}

// buildTool builds one of the toolchain's programs from its sources, without what is for other processors.
func (t *Toolchain) buildTool(ctx context.Context, name, dir, goos, goarch string) error {
	root, cache, err := t.dirs(ctx)
	if err != nil {
		return err
	}
	sources := filepath.Join(root, "src", "cmd", name)
	version, err := t.run(ctx, "env", "GOVERSION")
	if err != nil {
		return err
	}
	// Always the same directory for a release, without which the go command would compile what it has compiled before.
	work := filepath.Join(cache, "gaucho", strings.TrimSpace(string(version)), name+"-"+goos+"-"+goarch)
	if err := os.MkdirAll(work, 0o700); err != nil {
		return err
	}
	replace := map[string]string{}
	put := func(file string, text []byte) error {
		to := filepath.Join(work, strings.ReplaceAll(file, "/", "-"))
		replace[filepath.Join(sources, filepath.FromSlash(file))] = to
		return os.WriteFile(to, text, 0o600)
	}
	switches := oneProcessor[name]
	text, err := withoutOthers(filepath.Join(sources, filepath.FromSlash(switches)), goarch)
	if err != nil {
		return err
	}
	if err := put(switches, text); err != nil {
		return err
	}
	if name == "compile" {
		if err := compilerMain(sources, goarch, put); err != nil {
			return err
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return err
	}
	list := filepath.Join(work, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		return err
	}
	file := filepath.Join(dir, name)
	if goos == "windows" {
		file += ".exe"
	}
	// By the tag, the program counts nothing in the directory of Go's telemetry.
	own := t.withoutModules(root, filepath.Join(work, "modules"))
	_, err = own.run(ctx, "build", "-trimpath", "-tags", "cmd_go_bootstrap", "-overlay", list, "-ldflags=-s -w", "-o", file, "cmd/"+name)
	return err
}

// compilerMain puts the compiler's main package in the place of Go's, and a hook into where the compiler begins to read. By then it has
// initialised itself, its back end too, which Go's does afterwards.
func compilerMain(sources, goarch string, put func(file string, text []byte) error) error {
	arch := goarch
	if goarch == "386" {
		arch = "x86"
	}
	var b strings.Builder
	if err := template.Must(template.New("").Parse(compileMain)).Execute(&b, map[string]string{"Arch": arch, "Short": modpath.Short, "Path": modpath.Path}); err != nil {
		return err
	}
	if err := put("main.go", []byte(b.String())); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(sources, "internal", "gc", "main.go"))
	if err != nil {
		return err
	}
	for _, change := range [][2]string{
		{"\tssagen.InitConfig()\n", "\ttypes.NewPtrCacheEnabled = false\n"}, // done ahead, but for this part of it
		{"\tnoder.LoadPackage(flag.Args())\n", "\tssagen.InitConfig()\n\ttypes.NewPtrCacheEnabled = true\n\tnoder.LoadPackage(Files(flag.Args()))\n"},
	} {
		if strings.Count(string(text), change[0]) != 1 {
			return fmt.Errorf("the compiler does not say %s once where it begins", strings.TrimSpace(change[0]))
		}
		text = []byte(strings.Replace(string(text), change[0], change[1], 1))
	}
	return put("internal/gc/main.go", append(text, "\nvar Files func([]string) []string\n"...))
}

// withoutOthers is the text of a Go file in which switches over GOARCH do nothing for other processors than the one given.
func withoutOthers(name, goarch string) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	kept, emptied := 0, 0
	ast.Inspect(file, func(n ast.Node) bool {
		s, ok := n.(*ast.SwitchStmt)
		if !ok || !overProcessors(s.Tag) {
			return true
		}
		for _, c := range s.Body.List {
			switch clause := c.(*ast.CaseClause); {
			case clause.List == nil: // default
			case names(clause.List, goarch):
				kept++
			default:
				emptied++
				file.Comments = without(file.Comments, clause)
				clause.Body = nil
			}
		}
		return true
	})
	if kept == 0 || emptied == 0 {
		return nil, fmt.Errorf("%s has other switches than expected: %d cases for %s, %d for others", name, kept, goarch, emptied)
	}
	var b strings.Builder
	err = format.Node(&b, fset, file)
	return []byte(b.String()), err
}

// overProcessors reports whether an expression is a variable that holds a GOARCH.
func overProcessors(e ast.Expr) bool {
	if s, ok := e.(*ast.SelectorExpr); ok {
		e = s.Sel
	}
	id, ok := e.(*ast.Ident)
	return ok && (id.Name == "arch" || id.Name == "GOARCH")
}

// names reports whether a string literal among the expressions has the value.
func names(list []ast.Expr, value string) bool {
	for _, e := range list {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Value == strconv.Quote(value) {
			return true
		}
	}
	return false
}

// without returns the comments that are not in the node.
func without(comments []*ast.CommentGroup, n ast.Node) (rest []*ast.CommentGroup) {
	for _, c := range comments {
		if c.Pos() < n.Pos() || c.End() > n.End() {
			rest = append(rest, c)
		}
	}
	return rest
}
