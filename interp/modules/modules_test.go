package modules

import (
	"context"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/mod/module"
	"golang.org/x/mod/sumdb/dirhash"

	"gaucho/interp/symbols"
)

// A shelf is a module cache and a directory of a notebook, made by hand.
type shelf struct {
	t      *testing.T
	cache  string
	folder string
}

func newShelf(t *testing.T) *shelf {
	s := &shelf{t, t.TempDir(), t.TempDir()}
	t.Setenv("GOMODCACHE", s.cache)
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOFLAGS", "-modcacherw")
	return s
}

func (s *shelf) write(file, text string) {
	s.t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666)); err != nil {
		s.t.Fatal(err)
	}
}

// put puts a version of a module into the cache.
func (s *shelf) put(path, version, mod string, files map[string]string) {
	s.t.Helper()
	escaped, err := module.EscapePath(path)
	if err != nil {
		s.t.Fatal(err)
	}
	dir := filepath.Join(s.cache, escaped+"@"+version)
	download := filepath.Join(s.cache, "cache", "download", escaped, "@v", version)
	for name, text := range files {
		s.write(filepath.Join(dir, name), text)
	}
	s.write(filepath.Join(dir, "go.mod"), mod)
	s.write(download+".mod", mod)
	hash, err := dirhash.HashDir(dir, path+"@"+version, dirhash.Hash1)
	if err != nil {
		s.t.Fatal(err)
	}
	s.write(download+".ziphash", hash)
}

func (s *shelf) set() *Set { return New(s.folder, symbols.NewImporter(), token.NewFileSet()) }

// constant is the source of a package with a constant V.
func constant(pkg, value string) map[string]string {
	return map[string]string{pkg + ".go": fmt.Sprintf("package %s\n\nconst V = %q\n", pkg, value)}
}

func value(t *testing.T, s *Set, path string) string {
	t.Helper()
	p, err := s.Import(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p.Types.Scope().Lookup("V").(*types.Const).Val().String()
}

func wantError(t *testing.T, err error, words ...string) {
	t.Helper()
	for _, w := range words {
		if err == nil || !strings.Contains(err.Error(), w) {
			t.Errorf("the error is %v, want %q in it", err, w)
		}
	}
}

// TestSelection: of the versions that are required the highest counts, where the go command would look for them; replaced
// and excluded ones are what go.mod says. No go command is needed for what is in the cache.
func TestSelection(t *testing.T) {
	s := newShelf(t)
	t.Setenv("PATH", "")
	s.put("x.org/Low", "v1.0.0", "module x.org/Low\n\ngo 1.20\n", constant("low", "low 1.0"))
	s.put("x.org/Low", "v1.2.0", "module x.org/Low\n\ngo 1.20\n", constant("low", "low 1.2"))
	s.put("x.org/Low", "v1.9.0", "module x.org/Low\n\ngo 1.20\n", constant("low", "low 1.9"))
	s.put("x.org/mid", "v0.5.0", "module x.org/mid\n\ngo 1.20\n\nrequire x.org/Low v1.2.0\n", map[string]string{
		"mid.go": "package mid\n\nimport \"x.org/Low\"\n\nconst V = \"mid over \" + low.V\n"})
	s.put("x.org/old", "v0.1.0", "module x.org/old\n\nrequire x.org/deep v0.1.0\n", constant("old", "old"))
	s.put("x.org/deep", "v0.1.0", "module x.org/deep\n\nrequire x.org/far v0.3.0\n", constant("deep", "deep"))
	s.put("x.org/far", "v0.3.0", "module x.org/far\n\ngo 1.20\n", constant("far", "far"))
	s.put("x.org/mid/v2", "v2.0.0", "module x.org/mid/v2\n\ngo 1.20\n", constant("mid", "second"))
	s.write(filepath.Join(s.folder, "own", "own.go"), "package own\n\nconst V = \"a folder\"\n")
	s.write(filepath.Join(s.folder, "own", "go.mod"), "module x.org/own\n")
	s.write(filepath.Join(s.folder, "go.mod"), `module lab

go 1.26

require (
	x.org/Low v1.0.0
	x.org/mid v0.5.0
	x.org/mid/v2 v2.0.0
	x.org/old v0.1.0
	x.org/own v0.0.1
)

replace x.org/own => ./own
`)
	set := s.set()
	for path, want := range map[string]string{
		"x.org/Low": "low 1.2", "x.org/mid": "mid over low 1.2", "x.org/mid/v2": "second", "x.org/far": "far", "x.org/own": "a folder",
	} {
		if got := value(t, set, path); !strings.Contains(got, fmt.Sprintf("%q", want)) {
			t.Errorf("%s has %s, want %s", path, got, want)
		}
	}
	needs := set.Needs()
	required := map[string]string{}
	for _, r := range needs.Mod.Require {
		required[r.Mod.Path] = r.Mod.Version
	}
	want := map[string]string{"x.org/Low": "v1.2.0", "x.org/far": "v0.3.0", "x.org/mid": "v0.5.0", "x.org/mid/v2": "v2.0.0", "x.org/old": "v0.1.0"}
	if !maps.Equal(required, want) {
		t.Errorf("required: %v, want %v", required, want)
	}
	if len(needs.Mod.Replace) != 0 || len(needs.Dirs) != 1 || needs.Dirs[0].Path != "x.org/own" || len(needs.Dirs[0].Files) != 2 {
		t.Errorf("replacements %v, directories %+v, want that of x.org/own with two files", needs.Mod.Replace, needs.Dirs)
	}
	if got := strings.Join(set.Paths("x.org/m"), " "); got != "x.org/mid x.org/mid/v2" {
		t.Errorf("paths: %s", got)
	}
	_, err := set.Import(t.Context(), "x.org/unknown", func(string) {})
	wantError(t, err, "package x.org/unknown cannot be had: no go command was found")
	_, err = set.Get(t.Context(), false, "x.org/unknown@v1.0.0")
	wantError(t, err, "no go command was found")
	_, err = set.Get(t.Context(), false, "x.org/Low@v1.9.0")
	var loaded *LoadedError
	if !errors.As(err, &loaded) || loaded.Changes[0] != "x.org/Low from v1.2.0 to v1.9.0" {
		t.Errorf("getting another version of an imported module: %v", err)
	}
	if added, err := set.Get(t.Context(), true, "x.org/Low@v1.9.0"); err != nil || !set.Changed() {
		t.Errorf("forced: %v, %v", added, err)
	}
	if got := value(t, s.set().After(set), "x.org/mid"); !strings.Contains(got, "mid over low 1.9") {
		t.Errorf("after %%get mid has %s", got)
	}
}

// TestAbove: the go.mod is that of the nearest directory above the notebook, and the module's own packages are those there.
func TestAbove(t *testing.T) {
	s := newShelf(t)
	s.put("x.org/low", "v1.0.0", "module x.org/low\n", constant("low", "old"))
	s.put("x.org/low", "v1.1.0", "module x.org/low\n", constant("low", "new"))
	s.write(filepath.Join(s.folder, "go.mod"), "module example.org/lab\n\nrequire x.org/low v1.0.0\n\nreplace x.org/near => ./near\n\nrequire x.org/near v0.0.0\n")
	s.write(filepath.Join(s.folder, "near", "go.mod"), "module x.org/near\n")
	s.write(filepath.Join(s.folder, "near", "near.go"), constant("near", "near")["near.go"])
	s.write(filepath.Join(s.folder, "internal", "own", "own.go"), constant("own", "own")["own.go"])
	s.write(filepath.Join(s.folder, "other", "internal", "deep", "deep.go"), constant("deep", "deep")["deep.go"])
	s.folder = filepath.Join(s.folder, "notebooks", "first")
	s.write(filepath.Join(s.folder, "note.txt"), "")
	set := s.set()
	for path, want := range map[string]string{"x.org/low": "old", "x.org/near": "near", "example.org/lab/internal/own": "own"} {
		if got := value(t, set, path); got != strconv.Quote(want) {
			t.Errorf("%s has the value %q, expected %q", path, got, want)
		}
	}
	fetched := func(path string) { t.Errorf("%s is asked for elsewhere", path) }
	if err := set.Fetch(t.Context(), "example.org/lab/none", fetched); err != nil {
		t.Error(err)
	}
	_, err := set.Import(t.Context(), "example.org/lab/none", fetched)
	wantError(t, err, "example.org/lab/none")
	_, err = set.Import(t.Context(), "example.org/lab/other/internal/deep", nil)
	wantError(t, err, "use of internal package example.org/lab/other/internal/deep not allowed")
}

// TestWorkspace: cells get the modules that a go.work names from their directories, with what these require and replace.
func TestWorkspace(t *testing.T) {
	s := newShelf(t)
	s.put("x.org/low", "v1.0.0", "module x.org/low\n", constant("low", "old"))
	s.put("x.org/low", "v1.1.0", "module x.org/low\n", constant("low", "new"))
	root := s.folder
	s.write(filepath.Join(root, "go.work"), "go 1.21\n\nuse (\n\t./lab\n\t./b\n)\n\nreplace x.org/c => ./c\n")
	s.write(filepath.Join(root, "lab", "go.mod"), "module lab\n\nrequire x.org/low v1.0.0\n")
	s.write(filepath.Join(root, "b", "go.mod"), "module x.org/b\n\nrequire (\n\tx.org/low v1.1.0\n\tx.org/c v1.0.0\n)\n")
	s.write(filepath.Join(root, "b", "b.go"), constant("b", "b")["b.go"])
	s.write(filepath.Join(root, "c", "go.mod"), "module x.org/c\n")
	s.write(filepath.Join(root, "c", "c.go"), constant("c", "c")["c.go"])
	for _, folder := range []string{filepath.Join(root, "lab"), root} {
		s.folder = folder
		set := s.set()
		for path, want := range map[string]string{"x.org/b": "b", "x.org/c": "c", "x.org/low": "new"} {
			if got := value(t, set, path); got != strconv.Quote(want) {
				t.Errorf("in %s: %s has the value %q, expected %q", folder, path, got, want)
			}
		}
	}
	s.folder = filepath.Join(root, "c")
	_, err := s.set().Import(t.Context(), "x.org/b", nil)
	wantError(t, err, "go.work does not name the module in "+s.folder, "go work use")
	t.Setenv("GOWORK", "off")
	if _, err := s.set().Import(t.Context(), "x.org/c", nil); err != nil {
		t.Error(err)
	}
}

// TestUnpinned: where no version is asked for, the error says which ones the cache has.
func TestUnpinned(t *testing.T) {
	s := newShelf(t)
	s.put("x.org/Low", "v1.0.0", "module x.org/Low\n", constant("low", "low"))
	s.put("x.org/Low", "v1.10.0", "module x.org/Low\n", constant("low", "low"))
	_, err := s.set().Import(t.Context(), "x.org/Low", func(string) {})
	wantError(t, err, "package x.org/Low cannot be had", "without a network", "the module cache has v1.0.0, v1.10.0: %get x.org/Low@v1.10.0 takes it")
}

// TestBadInput: what a module cannot be had for is said in words, by the go command's complaints and without it.
func TestBadInput(t *testing.T) {
	s := newShelf(t)
	s.put("x.org/low", "v1.0.0", "module x.org/low\n", constant("low", "low"))
	s.write(filepath.Join(s.folder, "go.mod"), "module lab\n\nrequire x.org/low v1.0.0\n")
	s.write(filepath.Join(s.folder, "go.sum"), "x.org/low v1.0.0 h1:AAAA\n")
	_, err := s.set().Import(t.Context(), "x.org/low", nil)
	wantError(t, err, "module x.org/low@v1.0.0 is not what go.sum says", "h1:AAAA")

	s.write(filepath.Join(s.folder, "go.mod"), "modul lab\n")
	_, err = s.set().Import(t.Context(), "x.org/low", nil)
	wantError(t, err, "the notebook's go.mod cannot be read", "unknown directive: modul")

	s.write(filepath.Join(s.folder, "go.mod"), "module lab\n\nrequire x.org/gone v1.0.0\n\nreplace x.org/gone => ./gone\n")
	_, err = s.set().Import(t.Context(), "x.org/gone", nil)
	wantError(t, err, "module x.org/gone is replaced by a directory that does not exist")

	os.Remove(filepath.Join(s.folder, "go.mod"))
	_, err = s.set().Get(t.Context(), false, "x.org/none@v1.0.0")
	wantError(t, err, "x.org/none@v1.0.0 cannot be had", "without a network", "GOPROXY=off")
	_, err = s.set().Get(t.Context(), false, "x.org/../none")
	wantError(t, err, "cannot be had")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = s.set().Get(ctx, false, "x.org/none"); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// TestProxy: a module, a version and a checksum that a proxy does not have, and a cache that cannot be written.
func TestProxy(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a file URL has another form")
	}
	s := newShelf(t)
	proxy := t.TempDir()
	t.Setenv("GOPROXY", "file://"+proxy)
	t.Setenv("GONOSUMDB", "*")
	t.Setenv("GONOSUMCHECK", "1")
	list := filepath.Join(proxy, "x.org", "one", "@v")
	s.write(filepath.Join(list, "list"), "v1.0.0\n")
	s.write(filepath.Join(list, "v1.0.0.info"), `{"Version":"v1.0.0"}`)
	s.write(filepath.Join(list, "v1.0.0.mod"), "module x.org/one\n")
	_, err := s.set().Get(t.Context(), false, "x.org/none")
	wantError(t, err, "x.org/none cannot be had: there is no such module")
	_, err = s.set().Get(t.Context(), false, "x.org/one@v9.9.9")
	wantError(t, err, "x.org/one@v9.9.9 cannot be had", "v9.9.9")
	file := filepath.Join(t.TempDir(), "file")
	s.write(file, "")
	t.Setenv("GOMODCACHE", filepath.Join(file, "mod"))
	_, err = s.set().Get(t.Context(), false, "x.org/one@v1.0.0")
	wantError(t, err, "x.org/one@v1.0.0 cannot be had: the module cache cannot be written", "not a directory")
}

// TestExplain: complaints that a test cannot bring about everywhere.
func TestExplain(t *testing.T) {
	for text, want := range map[string]string{
		"go: downloading x.org/one v1.0.0\nverifying x.org/one@v1.0.0: checksum mismatch\n\tdownloaded: h1:A\n\tgo.sum:     h1:B\n\nSECURITY ERROR\nThis download does NOT match": "checksum is not the one that is known",
		"go: x.org/one@v1.0.0: mkdir /mod/cache: read-only file system":                                                "the module cache cannot be written (x.org/one@v1.0.0: mkdir /mod/cache: read-only file system)",
		"go: x.org/one: Get \"https://proxy\": dial tcp: lookup proxy: no such host":                                   "cannot be fetched without a network",
		"go: module x.org/one@v1.0.0 found, but does not contain package x.org/one/two":                                "found, but does not contain package",
		"go: x.org/one@v1.0.0: reading https://proxy/x.org/one/@v/v1.0.0.info: 404 Not Found\n\tserver response: gone": "there is no such module",
		"go: something else": "it cannot be had: something else",
	} {
		wantError(t, explain(errors.New(text), "it"), want)
	}
}

// TestFiles: the files of a package are chosen as for a build without cgo, for an interpreter in the variants that need no unsafe.
func TestFiles(t *testing.T) {
	s := newShelf(t)
	s.put("x.org/low", "v1.0.0", "module x.org/low\n", map[string]string{
		"a.go": "package low\n", "c.go": "package low\n\nimport \"C\"\n", "low_test.go": "package low\n",
		"fast.go": "//go:build !purego\n\npackage low\n", "slow.go": "//go:build purego\n\npackage low\n",
		"other_plan9.go": "package low\n", "gen.go": "//go:build ignore\n\npackage main\n",
	})
	s.write(filepath.Join(s.folder, "go.mod"), "module lab\n\nrequire x.org/low v1.0.0\n")
	for plain, want := range map[bool]string{
		false: "x.org/low@v1.0.0/a.go x.org/low@v1.0.0/fast.go",
		true:  "x.org/low@v1.0.0/a.go x.org/low@v1.0.0/slow.go",
	} {
		set := s.set()
		if plain {
			set.Plain()
		}
		p, err := set.Import(t.Context(), "x.org/low", nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for i := range p.Files {
			name, _ := set.File(p.First + i)
			names = append(names, name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("files: %s, not %s", got, want)
		}
	}
}
