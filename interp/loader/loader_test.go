//go:build go1.26 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	gobuild "go/build"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"gaucho/internal/modpath"
)

// offered are the packages that the tests' packages may import. The host program refers to all that they export.
var offered = []string{
	"bufio", "bytes", "cmp", "compress/gzip", "container/heap", "container/list", "context", "database/sql", "database/sql/driver",
	"encoding/base64", "encoding/binary", "encoding/csv", "encoding/hex", "encoding/json", "errors", "flag", "fmt", "hash/fnv", "html/template", "io", "io/fs", "iter", "log", "maps", "math", "math/big", "math/bits",
	"math/rand", "math/rand/v2", "net", "net/http", "net/url", "os", "os/signal", "path/filepath", "reflect", "regexp", "runtime", "runtime/debug", "runtime/pprof", "slices",
	"sort", "strconv", "strings", "sync", "sync/atomic", "text/tabwriter", "text/template", "time", "unicode", "unicode/utf8",
	"unique", "unsafe", "weak", modpath.Own("gaucho/interp/loader/internal/hook"),
}

// A builder builds the host and compiles packages for it.
type builder struct {
	dir     string
	host    string            // as shipped
	whole   string            // the same with all of its symbol table
	exports map[string]string // files of export data
}

// To test another machine's code, LOADER_TEST_GOOS and LOADER_TEST_GOARCH name it and LOADER_TEST_EMULATOR the program that runs its
// programs; LOADER_TEST_FLAGS are flags of go build for the host. make wine and make arm64 do so.
//
//	LOADER_TEST_GOOS=windows LOADER_TEST_EMULATOR=/usr/lib/wine/wine64 go test -run 'Programs|Packages|Many|Assembly' .
//	LOADER_TEST_GOARCH=arm64 LOADER_TEST_EMULATOR=qemu-aarch64-static go test -run 'Programs|Packages|Many|Assembly' .
//	LOADER_TEST_FLAGS=-buildmode=pie go test .
//	LOADER_TEST_FLAGS=-ldflags=-linkmode=external CGO_ENABLED=1 go test .
var (
	flags    = strings.Fields(os.Getenv("LOADER_TEST_FLAGS"))
	system   = cmp.Or(os.Getenv("LOADER_TEST_GOOS"), runtime.GOOS)
	machine  = cmp.Or(os.Getenv("LOADER_TEST_GOARCH"), runtime.GOARCH)
	emulator = os.Getenv("LOADER_TEST_EMULATOR")
)

// goTool is a command of the toolchain, for the machine.
func goTool(args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+machine)
	return cmd
}

var theBuilder = sync.OnceValues(newBuilder)

func build(t testing.TB) *builder {
	t.Helper()
	b, err := theBuilder()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestMain(m *testing.M) {
	code := m.Run()
	if b, _ := theBuilder(); b != nil {
		os.RemoveAll(b.dir)
	}
	os.Exit(code)
}

func newBuilder() (*builder, error) {
	dir, err := os.MkdirTemp("", "loader")
	if err != nil {
		return nil, err
	}
	exe := ""
	if system == "windows" {
		exe = ".exe"
	}
	b := &builder{dir: dir, host: filepath.Join(dir, "host"+exe), whole: filepath.Join(dir, "whole"+exe), exports: map[string]string{}}
	// The compiler refers to what an imported package has by number if that was compiled without -linkshared.
	args := append([]string{"list", "-export", "-gcflags=all=-linkshared", "-deps", "-f", "{{if .Export}}{{.ImportPath}}\t{{.Export}}{{end}}"}, offered...)
	out, err := output(goTool(args...))
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(out) {
		if path, file, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			b.exports[path] = file
		}
	}
	source, err := b.anchors()
	if err != nil {
		return nil, err
	}
	anchors, overlay := filepath.Join(dir, "anchors.go"), filepath.Join(dir, "overlay")
	if err := os.WriteFile(anchors, source, 0o666); err != nil {
		return nil, err
	}
	wd, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	replace, _ := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(wd, "internal/host/anchors.go"): anchors}})
	if err := os.WriteFile(overlay, replace, 0o666); err != nil {
		return nil, err
	}
	_, err = output(goTool(append(append([]string{"build", "-overlay", overlay, "-o", b.whole}, flags...), "./internal/host")...))
	if err != nil {
		return nil, err
	}
	program, err := os.ReadFile(b.whole)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(b.host, program, 0o777); err != nil || len(flags) > 0 { // slim takes programs as plain go build makes them
		return b, err
	}
	_, err = output(exec.Command("go", "run", "./slim", b.host))
	return b, err
}

// anchors is a file that refers to all that the offered packages export.
func (b *builder) anchors() ([]byte, error) {
	imp := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(b.exports[path]) })
	var out, body bytes.Buffer
	out.WriteString("package main\n\n")
	for i, path := range offered {
		pkg, err := imp.Import(path)
		if err != nil {
			return nil, err
		}
		used := false
		for _, name := range pkg.Scope().Names() {
			obj := pkg.Scope().Lookup(name)
			if !obj.Exported() || path == "unsafe" || name == "Plain" || name == "Keep" {
				continue
			}
			switch obj := obj.(type) {
			case *types.Func:
				if obj.Signature().TypeParams() == nil {
					fmt.Fprintf(&body, "\tp%d.%s,\n", i, name)
					used = true
				}
			case *types.Var:
				fmt.Fprintf(&body, "\t&p%d.%s,\n", i, name)
				used = true
			case *types.TypeName:
				t, ok := obj.Type().(interface{ TypeParams() *types.TypeParamList })
				if (!ok || t.TypeParams() == nil) && !(types.IsInterface(obj.Type()) && !obj.Type().Underlying().(*types.Interface).IsMethodSet()) {
					fmt.Fprintf(&body, "\t(*p%d.%s)(nil),\n", i, name)
					used = true
				}
			}
		}
		if used {
			fmt.Fprintf(&out, "import p%d %q\n", i, path)
		}
	}
	fmt.Fprintf(&out, "\nvar Anchors = []any{\n%s}\n\nfunc init() { anchors = Anchors }\n", body.Bytes())
	return out.Bytes(), nil
}

func output(cmd *exec.Cmd) (string, error) {
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return string(out), fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args[:min(3, len(cmd.Args))], " "), err, string(out)+stderr.String())
	}
	return string(out), nil
}

// A pkg is a package to load: sources by file name, and the packages of other tests that it imports.
type pkg struct {
	path    string
	sources []string
	imports []pkg
	flags   []string
}

func (b *builder) archive(p pkg) string {
	return filepath.Join(b.dir, strings.ReplaceAll(p.path, "/", "_")+".a")
}

// compile returns the argument for the host that loads p.
func (b *builder) compile(t testing.TB, p pkg) string {
	t.Helper()
	dir := t.TempDir()
	var cfg strings.Builder
	for path, file := range b.exports {
		fmt.Fprintf(&cfg, "packagefile %s=%s\n", path, file)
	}
	for _, i := range p.imports {
		fmt.Fprintf(&cfg, "packagefile %s=%s\n", i.path, b.archive(i))
	}
	if err := os.WriteFile(filepath.Join(dir, "cfg"), []byte(cfg.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	archive := b.archive(p)
	args := []string{"tool", "compile", "-p", p.path, "-linkshared", "-dwarf=0", "-pack", "-c=2", "-importcfg", filepath.Join(dir, "cfg"), "-o", archive}
	args = append(args, p.flags...)
	for i, src := range p.sources {
		if !strings.HasSuffix(src, ".go") {
			file := filepath.Join(dir, fmt.Sprintf("%c.go", 'a'+i))
			if err := os.WriteFile(file, []byte(src), 0o666); err != nil {
				t.Fatal(err)
			}
			src = file
		}
		args = append(args, src)
	}
	if _, err := output(goTool(args...)); err != nil {
		t.Fatal(err)
	}
	return p.path + "=" + archive
}

// run runs the host with the arguments and returns what it prints.
func (b *builder) run(t testing.TB, env []string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	cmd := exec.Command(b.host, args...)
	if emulator != "" {
		cmd = exec.Command(emulator, append([]string{b.host}, args...)...)
	}
	cmd.Env = append(os.Environ(), env...)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	const limit = 2 * time.Minute
	timer := time.AfterFunc(limit, func() { cmd.Process.Signal(syscall.SIGQUIT) })
	err = cmd.Wait()
	if !timer.Stop() {
		t.Errorf("the host did not end within %v", limit)
	}
	return out.String(), errs.String(), err
}

var callMain = fmt.Sprintf(`package main

import %q

func init() { hook.Entry = main }
`, modpath.Own("gaucho/interp/loader/internal/hook"))

var update = flag.Bool("update", false, "write what go run prints for the programs of testdata")

// TestPrograms loads the programs that the other engines' tests use, and some of its own, and compares what they print
// with what the Go compiler's programs print; go test -run Programs -update writes that anew for its own.
func TestPrograms(t *testing.T) {
	b := build(t)
	own, err := filepath.Glob("testdata/*.go")
	if err != nil || len(own) == 0 {
		t.Fatal("no programs", err)
	}
	files, err := filepath.Glob("../lower/testdata/programs/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	for _, file := range own {
		if *update {
			out, err := output(exec.Command("go", "run", file))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(strings.TrimSuffix(file, ".go")+".out", []byte(out), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, file := range slices.Concat(own, files) {
		name := strings.TrimSuffix(filepath.Base(file), ".go")
		t.Run(name, func(t *testing.T) {
			want, err := os.ReadFile(golden(file))
			if err != nil {
				t.Fatal(err)
			}
			arg := b.compile(t, pkg{path: "program/" + name, sources: []string{file, callMain}})
			envs := [][]string{nil, {"GOGC=1", "GODEBUG=gccheckmark=1"}}
			if name == "stacks" { // minutes, as the Go compiler's program
				envs[1] = envs[1][:1]
			}
			for _, env := range envs {
				got, stderr, err := b.run(t, env, arg)
				got = strings.ReplaceAll(got, "program/"+name+".", "main.") // %T has the paths of type arguments
				if err != nil || got != string(want) {
					t.Errorf("%v: %v\n%s\n%.3000s", env, err, difference(got, string(want)), stderr)
				}
			}
		})
	}
}

// golden is the file with what Go's program prints: NAME.go127.out since the release in which the library began to print something
// else, NAME.out before.
func golden(program string) string {
	name := strings.TrimSuffix(program, ".go")
	since, _ := filepath.Glob(name + ".go1*.out")
	slices.Sort(since)
	for _, file := range slices.Backward(since) {
		release := strings.Replace(strings.TrimSuffix(strings.TrimPrefix(file, name+"."), ".out"), "go1", "go1.", 1)
		if slices.Contains(gobuild.Default.ReleaseTags, release) {
			return file
		}
	}
	return name + ".out"
}

// difference shows where two texts first differ.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range slices.Max([]int{len(g), len(w)}) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			return fmt.Sprintf("line %d:\ngot  %q\nwant %q", i+1, strings.Join(g[min(i, len(g)):min(i+3, len(g))], "\n"), strings.Join(w[min(i, len(w)):min(i+3, len(w))], "\n"))
		}
	}
	return "no difference"
}
