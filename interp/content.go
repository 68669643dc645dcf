package interp

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gaucho/internal/modpath"
	"gaucho/interp/kit"
	"gaucho/interp/lower"
	"gaucho/interp/modules"
)

// The records of a study belong to what its function computes with, which packages are a part of: those of modules as they
// were read, and those that Gaucho has as they were built.

// interprets reports whether cells are interpreted. The caller holds the lock.
func (f *front) interprets() bool { _, is := f.kind.(lower.Yaegi); return is }

// content is a hash of a package that cells import, with all packages of modules that it imports, or the version of the module
// that it came with. The caller holds the lock.
func (f *front) content(path string) string {
	if p := f.library.Module(path); p != nil {
		if f.contents == nil {
			f.contents = map[*modules.Package]string{}
		}
		return f.moduleContent(p)
	}
	if rest, ok := strings.CutPrefix(path, "gaucho/"); ok {
		return LibraryContent(rest)
	}
	return builtVersion(path)
}

// moduleContent hashes the source that a package of a module was read from, which may have been changed since.
func (f *front) moduleContent(p *modules.Package) string {
	if sum, ok := f.contents[p]; ok {
		return sum
	}
	h := sha256.New()
	for _, file := range p.Files {
		printer.Fprint(h, p.Fset, file)
	}
	for _, name := range p.Assembly {
		addFile(h, os.DirFS(p.Dir), filepath.Base(name))
	}
	for _, pattern := range slices.Sorted(maps.Keys(p.Patterns)) {
		for _, name := range p.Patterns[pattern] {
			fmt.Fprintln(h, name)
			addFile(h, os.DirFS(p.Dir), filepath.ToSlash(name))
		}
	}
	for _, imp := range p.Imports {
		fmt.Fprintln(h, imp.Types.Path(), f.moduleContent(imp))
	}
	for _, imp := range p.Types.Imports() {
		if strings.Contains(imp.Path(), ".") && f.library.Module(imp.Path()) == nil {
			fmt.Fprintln(h, imp.Path(), builtVersion(imp.Path()))
		}
	}
	sum := hex.EncodeToString(h.Sum(nil)[:10])
	f.contents[p] = sum
	return sum
}

// addFile adds the content of a file. One that is not there is a content too.
func addFile(h interface{ Write([]byte) (int, error) }, dir fs.FS, name string) {
	text, err := fs.ReadFile(dir, name)
	fmt.Fprintf(h, "%s %d %v\n", name, len(text), err)
	h.Write(text)
}

// builtVersion is the version of the module of a package that Gaucho was built with.
var builtVersion = func() func(string) string {
	info := sync.OnceValue(func() []*debug.Module {
		if info, ok := debug.ReadBuildInfo(); ok {
			return info.Deps
		}
		return nil
	})
	return func(path string) string {
		for _, m := range info() {
			if path == m.Path || strings.HasPrefix(path, m.Path+"/") {
				return m.Path + " " + m.Version + " " + m.Sum
			}
		}
		return ""
	}
}()

// A libraryDir is what is known of a directory of Gaucho's library.
type libraryDir struct {
	sum     string
	imports []string // directories
}

var libraryDirs struct {
	sync.Mutex
	known map[string]libraryDir
	sums  map[string]string // with all that is imported
	more  []moreSources
}

// AddSources makes known where the packages below a directory of the module gaucho are that cells cannot import.
func AddSources(dir string, sources fs.FS) {
	libraryDirs.Lock()
	defer libraryDirs.Unlock()
	libraryDirs.more = append(libraryDirs.more, moreSources{dir, sources})
}

type moreSources struct {
	dir   string
	files fs.FS
}

// LibraryContent hashes a package in a directory of the module gaucho with all that it imports of that. The program has got the
// sources, to compile cells with; where they cannot be read the program's revision stands for them.
func LibraryContent(dir string) string {
	l := &libraryDirs
	l.Lock()
	defer l.Unlock()
	if l.known == nil {
		l.known, l.sums = map[string]libraryDir{}, map[string]string{}
	}
	if sum, ok := l.sums[dir]; ok {
		return sum
	}
	all := map[string]bool{}
	var reach func(string)
	reach = func(dir string) {
		if all[dir] {
			return
		}
		all[dir] = true
		if _, ok := l.known[dir]; !ok {
			l.known[dir] = readLibrary(dir)
		}
		for _, imp := range l.known[dir].imports {
			reach(imp)
		}
	}
	reach(dir)
	h := sha256.New()
	for _, dir := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintln(h, dir, l.known[dir].sum)
	}
	l.sums[dir] = hex.EncodeToString(h.Sum(nil)[:10])
	return l.sums[dir]
}

// readLibrary reads the files of a package, but for its tests. The caller holds the lock.
func readLibrary(dir string) (d libraryDir) {
	sources, name := kit.Sources, dir
	if sources == nil && kit.Module != "" {
		sources = os.DirFS(kit.Module)
	}
	for _, m := range libraryDirs.more {
		if rest, ok := strings.CutPrefix(dir+"/", m.dir+"/"); ok {
			sources, name = m.files, path.Clean(rest)
		}
	}
	if sources == nil {
		return libraryDir{sum: "revision " + revision()}
	}
	entries, err := fs.ReadDir(sources, name)
	if err != nil {
		return libraryDir{sum: "revision " + revision()}
	}
	h := sha256.New()
	for _, e := range entries {
		file := path.Join(name, e.Name())
		if e.IsDir() || strings.HasSuffix(file, "_test.go") {
			continue
		}
		addFile(h, sources, file)
		if !strings.HasSuffix(file, ".go") {
			continue
		}
		text, _ := fs.ReadFile(sources, file)
		parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ImportsOnly)
		if err != nil {
			continue
		}
		for _, imp := range parsed.Imports {
			path, _ := strconv.Unquote(imp.Path.Value)
			if rest, ok := strings.CutPrefix(path, modpath.Path+"/"); ok {
				d.imports = append(d.imports, rest)
			}
		}
	}
	d.sum = hex.EncodeToString(h.Sum(nil)[:10])
	return d
}

// revision names the state of the sources that the program was built from, as far as that is known.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	text := info.Main.Version
	for _, s := range info.Settings {
		if strings.HasPrefix(s.Key, "vcs.") {
			text += " " + s.Value
		}
	}
	return text
}
