package fuzzdiff

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"gaucho/interp/symbols"
)

// The name of the package that a program is when it is built by the Go toolchain, which does not import packages main.
// It is as long as that name, and nothing else.
const packageName = "ma1n"

// Check returns the type checker's first error in a program.
func Check(p Program, importer types.Importer) error {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", p.Source("main"), parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	conf := types.Config{Importer: importer, Sizes: symbols.Sizes()}
	_, err = conf.Check("main", fset, []*ast.File{f}, nil)
	return err
}

// A Reference runs programs as the Go compiler makes them.
type Reference struct {
	binary string
	number map[uint64]int
}

// Build builds programs into one binary, in a directory that is empty.
func Build(dir string, programs []Program) (*Reference, error) {
	r := &Reference{filepath.Join(dir, "reference.exe"), map[uint64]int{}}
	var imports, list, modules strings.Builder
	write := func(name, text string) error {
		name = filepath.Join(dir, name)
		return errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666))
	}
	for i, p := range programs {
		r.number[p.Seed] = i
		path := fmt.Sprintf("m%03d", i) // as long as main, as it is in the names of types
		fmt.Fprintf(&imports, "import %s \"%s\"\n", path, path)
		fmt.Fprintf(&list, "\t%s.Run,\n", path)
		fmt.Fprintf(&modules, "require %s v0.0.0\nreplace %s => ./%s\n", path, path, path)
		if err := errors.Join(write(path+"/p.go", p.Source(packageName)), write(path+"/go.mod", "module "+path+"\n\ngo 1.26\n")); err != nil {
			return nil, err
		}
	}
	main := "package main\n\nimport (\n\t\"os\"\n\t\"runtime/debug\"\n\t\"strconv\"\n)\n\n" + imports.String() + "\nvar programs = []func(){\n" + list.String() +
		"}\n\nfunc main() {\n\tdebug.SetMaxStack(1 << 26)\n\tn, _ := strconv.Atoi(os.Args[1])\n\tprograms[n]()\n}\n"
	if err := errors.Join(write("main.go", main), write("go.mod", "module fuzz\n\ngo 1.26\n"+modules.String())); err != nil {
		return nil, err
	}
	cmd := exec.Command("go", "build", "-gcflags=m0...=-N -l", "-ldflags=-s -w", "-o", r.binary, ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	return r, nil
}

// Run returns what a program prints.
func (r *Reference) Run(p Program) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, r.binary, fmt.Sprint(r.number[p.Seed])).CombinedOutput()
	text := strings.NewReplacer(packageName, "main", "6d61316e", "6d61696e", "6d 61 31 6e", "6d 61 69 6e").Replace(string(out))
	return cutName.ReplaceAllString(importPath.ReplaceAllString(text, "main."), "${1}mai"), err
}

// cutName is the package's name in a type that is printed with a precision of three, after zeros where they fill its width.
var cutName = regexp.MustCompile(`(\b|0)` + packageName[:3] + `\b`)

// Type arguments are printed with their import paths.
var importPath = regexp.MustCompile(`\bm\d{3}\.`)

// partOfPath is an import path that is cut off, or its bytes one by one or in hexadecimal.
var partOfPath = regexp.MustCompile(`[\[,]m\d{0,3}(?:$|[^\w.])|109 (?:4[89]|5[0-7]) |(?i:6d ?3\d ?3\d ?3\d)`)

// ill reports whether a program prints what is not its own: parts of the package's name or of its import path.
func ill(out string) bool {
	return strings.Contains(out, packageName[1:]) || strings.Contains(out, "97 49 110") || partOfPath.MatchString(out)
}

// address is a pointer as it is printed inside a value: no two runs have the same. Those to what has no size point into the
// program, which begins at 0x400000.
var address = regexp.MustCompile(`\b0x[0-9a-f]{6,}\b`)

func withoutAddresses(out string) string { return address.ReplaceAllString(out, "0xADDRESS") }

// known takes out of what is printed what is known to differ (docs/language.md): the numbers in Go's words for an index that
// is out of range, and the sign of a zero, which an argument loses.
func known(out string) string {
	return negativeZero.ReplaceAllString(bounds.ReplaceAllString(out, "$1"), "${1}0")
}

var (
	bounds       = regexp.MustCompile(`(out of range) \[[^]\n]*\](?: with (?:length|capacity) \d+)?`)
	negativeZero = regexp.MustCompile(`(^|[^\w.])-0\b`)
)
