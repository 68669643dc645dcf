package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"gaucho/internal/modpath"
)

// platforms are those that Gaucho is built for. The first is the one whose data the others are compared with.
var platforms = []platform{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"js", "wasm"}}

type platform struct{ os, arch string }

func (p platform) String() string { return p.os + "_" + p.arch }

// patterns are what go list is asked for; public says which of the answers cells can import.
var patterns = []string{"std", "builtin", "gonum.org/v1/gonum/...", "gonum.org/v1/plot/...", modpath.Path + "/plotting/...", modpath.Path + "/render",
	modpath.Path + "/stdlib/...", modpath.Own(instPath)}

// Packages that emitted text imports and cells do not. The first one makes its table itself.
const (
	runtimePath = "gaucho/interp/rt/value"
	instPath    = "gaucho/interp/symbols/internal/inst"
)

func emitted(path string) bool { return path == instPath }

// hidden are public packages that cells cannot import: those for a runtime that is not there, for tests of a library's
// own implementation, and those that bring in a server.
var hidden = map[string]bool{
	"builtin":                               true,
	"plugin":                                true,
	"runtime/cgo":                           true,
	"runtime/race":                          true, // its object files do not link without the race detector
	"gonum.org/v1/gonum/blas/testblas":      true,
	"gonum.org/v1/gonum/lapack/testlapack":  true,
	"gonum.org/v1/gonum/graph/testgraph":    true,
	"gonum.org/v1/gonum/integrate/testquad": true,
	"gonum.org/v1/plot/cmpimg":              true, // needs a module of its own
	"gaucho/stdlib/study/pool":              true,
}

// skip matches packages that are left out on request.
var skip skipFlag

type skipFlag struct{ *regexp.Regexp }

func (f *skipFlag) String() string { return "" }

func (f *skipFlag) Set(s string) (err error) {
	f.Regexp, err = regexp.Compile(s)
	return err
}

// public reports whether cells, or the text emitted for them, may import the package.
func public(p *pkg) bool {
	if emitted(p.ImportPath) {
		return true
	}
	if p.Name == "main" || hidden[p.ImportPath] || skip.Regexp != nil && skip.MatchString(p.ImportPath) {
		return false
	}
	for elem := range strings.SplitSeq(p.ImportPath, "/") {
		if elem == "internal" || elem == "vendor" {
			return false
		}
	}
	return p.Standard || p.wanted
}

// A pkg is a package as go list describes it, and what type-checking found.
type pkg struct {
	ImportPath string
	Name       string
	Dir        string
	GoFiles    []string
	ImportMap  map[string]string
	Imports    []string
	Standard   bool
	DepOnly    bool
	Error      *struct{ Err string }

	wanted bool // matches a pattern
	files  []*ast.File
	types  *types.Package
}

// A build is all packages as one platform and one release of Go see them.
type build struct {
	platform
	release string // of Go
	pkgs    map[string]*pkg
	order   []*pkg // dependencies first
	public  []*pkg // those that cells can import, sorted by path

	asserted *asserted // of the first platform's build
}

// sources parses each file once for all platforms.
type sources struct {
	fset  *token.FileSet
	mu    sync.Mutex
	files map[string]*sourceFile
}

type sourceFile struct {
	once sync.Once
	file *ast.File
	err  error
}

func (s *sources) parse(name string) (*ast.File, error) {
	s.mu.Lock()
	f := s.files[name]
	if f == nil {
		f = new(sourceFile)
		s.files[name] = f
	}
	s.mu.Unlock()
	f.once.Do(func() { f.file, f.err = parser.ParseFile(s.fset, name, nil, parser.SkipObjectResolution) })
	return f.file, f.err
}

func newSources() *sources {
	return &sources{fset: token.NewFileSet(), files: map[string]*sourceFile{}}
}

// load lists and type-checks the packages of all platforms with a release of Go.
func load(release string, src *sources) ([]*build, error) {
	builds := make([]*build, len(platforms))
	errs := make([]error, len(platforms))
	var wg sync.WaitGroup
	for i, p := range platforms {
		wg.Go(func() { builds[i], errs[i] = p.load(release, src) })
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	builds[0].asserted = builds[0].findAsserted(src)
	return builds, nil
}

func (p platform) load(release string, src *sources) (*build, error) {
	b := &build{platform: p, release: release, pkgs: map[string]*pkg{}}
	if err := b.list(); err != nil {
		return nil, err
	}
	for _, p := range b.order {
		if err := b.check(p, src); err != nil {
			return nil, fmt.Errorf("%v with %s: %s: %w", b.platform, b.release, p.ImportPath, err)
		}
	}
	return b, nil
}

func (b *build) list() error {
	args := []string{"list", "-deps", "-json=ImportPath,Name,Dir,GoFiles,ImportMap,Imports,Standard,DepOnly,Error"}
	cmd := exec.Command("go", append(args, patterns...)...)
	cmd.Env = append(os.Environ(), "GOOS="+b.os, "GOARCH="+b.arch, "CGO_ENABLED=0", "GOFLAGS=-mod=readonly", "GOEXPERIMENT=", "GOTOOLCHAIN="+b.release)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("go list for %v with %s: %w\n%s", b.platform, b.release, err, stderr.String())
	}
	for dec := json.NewDecoder(&stdout); ; {
		p := new(pkg)
		if err := dec.Decode(p); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		if p.Error != nil {
			return errors.New(p.Error.Err)
		}
		if len(p.GoFiles) == 0 && p.ImportPath != "unsafe" {
			continue // nothing of it is for this platform
		}
		p.ImportPath = modpath.Cell(p.ImportPath)
		p.wanted = !p.DepOnly
		b.pkgs[p.ImportPath] = p
		b.order = append(b.order, p)
		if public(p) {
			b.public = append(b.public, p)
		}
	}
	sortBy(b.public, func(p *pkg) string { return p.ImportPath })
	return nil
}

// check type-checks the declarations of a package, leaving out the bodies of functions.
func (b *build) check(p *pkg, src *sources) error {
	if p.ImportPath == "unsafe" {
		p.types = types.Unsafe
		return nil
	}
	if p.ImportPath == "builtin" { // its declarations are only documentation
		return nil
	}
	for _, name := range p.GoFiles {
		f, err := src.parse(filepath.Join(p.Dir, name))
		if err != nil {
			return err
		}
		p.files = append(p.files, f)
	}
	conf := b.config(p)
	var err error
	p.types, err = conf.Check(p.ImportPath, src.fset, p.files, nil)
	return err
}

func (b *build) config(p *pkg) *types.Config {
	return &types.Config{
		IgnoreFuncBodies: true,
		FakeImportC:      true,
		Sizes:            types.SizesFor("gc", b.arch),
		Importer: importerFunc(func(path string) (*types.Package, error) {
			if mapped, ok := p.ImportMap[path]; ok {
				path = mapped
			}
			path = modpath.Cell(path)
			if dep := b.pkgs[path]; dep != nil && dep.types != nil {
				return dep.types, nil
			}
			return nil, fmt.Errorf("package %s was not listed", path)
		}),
	}
}

type importerFunc func(path string) (*types.Package, error)

func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }
