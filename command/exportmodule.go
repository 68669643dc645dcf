package command

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/semver"

	"gaucho/internal/modpath"
	"gaucho/interp/export"
	"gaucho/interp/modules"
	"gaucho/interp/symbols"
)

//go:generate go run ./requirements -o requirements.txt

// requirements says which modules the packages need that programs import: a package of Gaucho's or a module in each line, then
// the paths of modules.
//
//go:embed requirements.txt
var requirements string

// localModule is the directory in which a program has the packages of Gaucho that it uses.
const localModule = "gaucho"

// otherModules is the directory in which a program has packages of modules that lie in directories next to the notebook.
const otherModules = "modules"

// reserved are names that the go command gives a meaning as modules.
var reserved = []string{"std", "cmd", "go", "all", "main", "internal", "vendor", "test", "modules"}

// exportModule returns the files of a program's module: main.go, go.mod, go.sum, a README, and Gaucho's own packages, those
// that the program uses, as a module in a directory.
func exportModule(name string, program *export.Program) (map[string][]byte, error) {
	name = strings.Trim(regexp.MustCompile(`[^a-zA-Z0-9._-]+`).ReplaceAllString(name, "-"), "-.")
	if name == "" || name == "gaucho" {
		name = "notebook"
	}
	if slices.Contains(reserved, name) || uses(symbols.Paths(), name) {
		name += "-notebook" // the name itself is one of Go's own
	}
	m := programModule{name: name, own: string(ownFile("go.mod")), files: map[string][]byte{"main.go": program.Source}, packages: map[string]bool{}}
	for _, p := range program.Imports {
		if err := m.add(p); err != nil {
			return nil, err
		}
	}
	if err := m.addDirectories(program.Modules); err != nil {
		return nil, err
	}
	m.writeModules(program)
	m.files["README.md"] = m.readme(program.Parameters)
	return m.files, nil
}

// A programModule collects the files of a program's module.
type programModule struct {
	name, own string // the module's name, and Gaucho's own go.mod
	files     map[string][]byte
	packages  map[string]bool // of Gaucho's, that the program uses
}

// add takes along a package of Gaucho's, with those that it imports.
func (m *programModule) add(p string) error {
	p = modpath.Cell(p)
	dir, ours := strings.CutPrefix(p, modpath.Short+"/")
	if !ours || m.packages[p] {
		return nil
	}
	m.packages[p] = true
	entries, err := fs.ReadDir(Sources, dir)
	if err != nil {
		return fmt.Errorf("package %s does not come along with this program: %w", p, err)
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case e.IsDir():
			err = m.addData(name)
		case !strings.HasSuffix(name, "_test.go"):
			err = m.addFile(name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addFile takes along a file of a package, and what it imports.
func (m *programModule) addFile(name string) error {
	data := ownFile(name)
	m.files[localModule+"/"+name] = data
	if path.Ext(name) != ".go" {
		return nil
	}
	f, err := parser.ParseFile(token.NewFileSet(), name, data, parser.ImportsOnly)
	if err != nil {
		return err
	}
	for _, imp := range f.Imports {
		p, err := strconv.Unquote(imp.Path.Value)
		if err != nil {
			return err
		}
		if err := m.add(p); err != nil {
			return err
		}
	}
	return nil
}

// addData takes along a directory with files that a package embeds: it holds no Go of its own, and no data of tests.
func (m *programModule) addData(dir string) error {
	if path.Base(dir) == "testdata" {
		return nil
	}
	return fs.WalkDir(Sources, dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if path.Ext(name) == ".go" {
			return fs.SkipDir // another package, which comes along if it is imported
		}
		m.files[localModule+"/"+name] = ownFile(name)
		return nil
	})
}

var (
	requirement = regexp.MustCompile(`(?m)^\t(\S+) (v\S+)( // indirect)?$`)
	goLine      = regexp.MustCompile(`(?m)^go .*$`)
)

// writeModules writes go.mod and go.sum of the program, and of Gaucho's packages if there are any. They ask for the versions that
// Gaucho is built with.
func (m *programModule) writeModules(program *export.Program) {
	all, ours := map[string]bool{}, map[string]bool{} // the modules needed by the program, and by Gaucho's packages alone
	for line := range strings.Lines(requirements) {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		what := strings.TrimSuffix(f[0], ":")
		for _, needed := range f[1:] {
			all[needed] = all[needed] || m.packages[what] || uses(program.Imports, what)
			ours[needed] = ours[needed] || m.packages[what]
		}
	}
	direct := func(module string) bool { return uses(program.Imports, module) }
	for _, r := range requirement.FindAllStringSubmatch(m.own, -1) {
		all[r[1]] = all[r[1]] || direct(r[1])
	}
	var more, sums []string // modules that the session brings, with their versions, and the lines of its go.sum
	ends := ""
	if n := program.Modules; n != nil {
		sums = n.Sums
		more, ends = m.sessionModules(n, all, ours)
	}
	if len(m.packages) > 0 {
		more = append(more, modpath.Path+" v0.0.0")
		ends += "\nreplace " + modpath.Path + " => ./" + localModule + "\n"
		m.files[localModule+"/go.mod"] = append([]byte(exportMark), m.goMod(modpath.Path, ours, func(string) bool { return true }, nil, "")...)
		m.files[localModule+"/go.sum"] = goSum(ours)
		m.files[localModule+"/LICENSE"] = ownFile("LICENSE")
	}
	m.files["go.mod"] = m.goMod(m.name, all, direct, more, ends)
	for line := range strings.Lines(string(goSum(all))) {
		sums = append(sums, strings.TrimSuffix(line, "\n"))
	}
	if slices.Sort(sums); len(sums) > 0 {
		m.files["go.sum"] = []byte(strings.Join(slices.Compact(sums), "\n") + "\n")
	}
}

// sessionModules returns the requirements of a session's modules, and the replacements and exclusions. It takes the modules out of those
// that are asked for at the versions of Gaucho's own.
func (m *programModule) sessionModules(n *modules.Needs, all, ours map[string]bool) (require []string, ends string) {
	for _, r := range n.Mod.Require {
		version := r.Mod.Version
		if ours[r.Mod.Path] && semver.Compare(version, m.ownVersion(r.Mod.Path)) < 0 {
			version = m.ownVersion(r.Mod.Path) // Gaucho's packages need that one at the least
		}
		line := r.Mod.Path + " " + version
		if r.Indirect {
			line += " // indirect"
		}
		delete(all, r.Mod.Path)
		require = append(require, line)
	}
	for _, d := range n.Dirs {
		delete(all, d.Path)
		require = append(require, d.Path+" "+cmp.Or(m.ownVersion(d.Path), d.Version, "v0.0.0"))
		ends += fmt.Sprintf("\nreplace %s => ./%s/%[1]s\n", d.Path, otherModules)
	}
	for _, r := range n.Mod.Replace {
		ends += fmt.Sprintf("\nreplace %s => %s %s\n", strings.TrimSpace(r.Old.Path+" "+r.Old.Version), r.New.Path, r.New.Version)
	}
	for _, x := range n.Mod.Exclude {
		ends += "\nexclude " + x.Mod.Path + " " + x.Mod.Version + "\n"
	}
	return require, ends
}

// ownVersion is the version of a module that Gaucho is built with, empty for one that it has not.
func (m *programModule) ownVersion(module string) string {
	for _, r := range requirement.FindAllStringSubmatch(m.own, -1) {
		if r[1] == module {
			return r[2]
		}
	}
	return ""
}

// addDirectories takes along the packages of modules that lie in directories.
func (m *programModule) addDirectories(n *modules.Needs) error {
	if n == nil || len(n.Dirs) == 0 {
		return nil
	}
	text := exportMark
	for _, d := range n.Dirs {
		text += d.Path + "\n"
		for name, file := range d.Files {
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			m.files[path.Join(otherModules, d.Path, name)] = data
		}
	}
	m.files[otherModules+"/modules.txt"] = []byte(text)
	return nil
}

// uses reports whether one of the packages is of a module.
func uses(packages []string, module string) bool {
	return slices.ContainsFunc(packages, func(p string) bool { return p == module || strings.HasPrefix(p, module+"/") })
}

// goMod writes a go.mod that requires modules at the versions of Gaucho's own, and more, each with its version.
func (m *programModule) goMod(name string, modules map[string]bool, direct func(string) bool, more []string, end string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "module %s\n\n%s\n", name, goLine.FindString(m.own))
	lists := [2][]string{more, nil}
	for _, r := range requirement.FindAllStringSubmatch(m.own, -1) {
		switch line := r[1] + " " + r[2]; {
		case !modules[r[1]]:
		case direct(r[1]):
			lists[0] = append(lists[0], line)
		default:
			lists[1] = append(lists[1], line+" // indirect")
		}
	}
	for _, list := range lists {
		if len(list) > 0 {
			slices.Sort(list)
			b.WriteString("\nrequire (\n\t" + strings.Join(list, "\n\t") + "\n)\n")
		}
	}
	b.WriteString(end)
	return b.Bytes()
}

// goSum returns the lines of Gaucho's own go.sum for modules.
func goSum(modules map[string]bool) (sum []byte) {
	for line := range strings.Lines(string(ownFile("go.sum"))) {
		if p, _, _ := strings.Cut(line, " "); modules[p] {
			sum = append(sum, line...)
		}
	}
	return sum
}

// readme says how the program is built, and what is next to it.
func (m *programModule) readme(parameters []string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s\n\nThis program was written by `gaucho export` from a notebook. Build and run it with Go %s or later:\n\n    go run .\n\n",
		m.name, strings.TrimPrefix(goLine.FindString(m.own), "go "))
	b.WriteString("It prints what the notebook's cells print, and saves their figures as `figure-1.png`, `figure-2.png` and so on in the\n" +
		"directory in which it runs.\n")
	if len(parameters) > 0 {
		fmt.Fprintf(&b, "\nThe parameters of the notebook are flags, as in `go run . -%s VALUE`; `-h` lists them with their values in the notebook.\n", parameters[0])
	}
	if len(m.packages) > 0 {
		b.WriteString("\n`gaucho` holds the packages of Gaucho that it uses, as they were when it was exported, under the MIT licence:\n\n")
		for _, p := range slices.Sorted(maps.Keys(m.packages)) {
			b.WriteString("* `" + p + "`\n")
		}
	}
	return b.Bytes()
}

// ownFile is a file that comes along with this program.
func ownFile(name string) []byte {
	data, err := fs.ReadFile(Sources, name)
	if err != nil {
		panic(err) // the program embeds it
	}
	return data
}
