//go:build go1.26 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// notNeeded begin the names of functions that the compiler only calls on other machines, with flags that loaded packages
// do not have, or no more.
var notNeeded = []string{
	"race", "msan", "asan", "libfuzzer", "checkptr", "addCovMeta", "unsafeslicecheckptr", "unsafestringcheckptr", // flags
	"arm", "loong64", "riscv64", "x86", "int64div", "int64mod", "uint64div", "uint64mod", "float64toint64", "float64touint64",
	"float64touint32", "int64tofloat", "uint64tofloat", "uint32tofloat", "panicExtend", "goPanicExtend", // machines, of 32 bits too
	"makechan64", "makemap64", "makeslice64", "mapassign_fast32ptr", "duff",
	"retpoline", "tls_g", "growsliceNoAlias", "growsliceBufNoAlias", // a flag, systems, an experiment
	"goPanic", "slicebytetostringtmp", "throwinit", "goschedguarded", "rand32", "selectsetpc", // old, of package runtime alone, or race's
}

// TestLanguage checks that the program has what the compiler calls in package runtime: a function with language's.
func TestLanguage(t *testing.T) {
	b := build(t)
	out, err := output(exec.Command("go", "tool", "nm", b.whole))
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for line := range strings.Lines(out) {
		f := strings.Fields(line)
		have[strings.TrimSuffix(f[len(f)-1], ".abi0")] = true
	}
	goroot, err := output(exec.Command("go", "env", "GOROOT"))
	if err != nil {
		t.Fatal(err)
	}
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(strings.TrimSpace(goroot), "src/cmd/internal/goobj/builtinlist.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	ast.Inspect(file, func(node ast.Node) bool {
		lit, ok := node.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return true
		}
		name, err := strconv.Unquote(lit.Value)
		if err != nil || !strings.HasPrefix(name, "runtime.") {
			return true
		}
		n++
		for _, prefix := range notNeeded {
			if name == "runtime.gcWriteBarrier" || strings.HasPrefix(strings.TrimPrefix(name, "runtime."), prefix) && !(prefix == "x86" && runtime.GOARCH == "amd64") {
				return true
			}
		}
		if !have[name] {
			t.Errorf("the host has no %s", name)
		}
		return true
	})
	if n < 200 {
		t.Error("the list has only", n)
	}
}
