package command

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gaucho/internal/headless"
	"gaucho/interp"
)

var exportCommand = command{name: "export", usage: "[flags] NOTEBOOK.ipynb",
	short: "write a notebook as a Go program"}

func init() { exportCommand.run = runExport }

// exportMark is the first line of a program of ours, which may be written over.
const exportMark = "// Written by gaucho export.\n"

func runExport(args []string) int {
	fs := exportCommand.flags()
	dir := fs.String("o", "", "the `folder` to write to; by default one named after the notebook")
	source := fs.String("gaucho", "", "the `folder` of Gaucho's source, for the program's go.mod; by default the one around the current folder or around this program")
	var r notebookRun
	fs.Func("p", "set a parameter as gaucho run does, `name=value`; may be repeated", r.addParameter(false))
	fs.Func("r", "the same for a text, whatever it looks like: `name=text`", r.addParameter(true))
	rest, status := parse(fs, args, nil)
	switch {
	case status >= 0:
		return status
	case len(rest) != 1:
		return usage(exportCommand, "one notebook is needed")
	}
	nb, err := headless.ReadFile(rest[0])
	if err != nil {
		return fail(err)
	}
	if lang := nb.Language(); lang != "go" {
		return fail(fmt.Errorf("the notebook's language is %s, must be go", lang))
	}
	if _, err := nb.SetParameters(r.params); err != nil {
		return fail(err)
	}
	if *dir == "" {
		*dir = nb.Name
	}
	if err := exportTo(*dir, *source, filepath.Dir(rest[0]), nb); err != nil {
		if ce := (*interp.Error)(nil); errors.As(err, &ce) {
			fmt.Fprintf(os.Stderr, "gaucho: %s does not compile\n", rest[0])
			writeTraceback(os.Stderr, ce)
			return 1
		}
		return fail(err)
	}
	return 0
}

// exportTo writes the program of a notebook, which lies in folder, and its module files into dir.
func exportTo(dir, source, folder string, nb *headless.Notebook) error {
	var cells []interp.ExportCell
	for _, c := range nb.Cells {
		if c.Type == "raw" {
			continue
		}
		cells = append(cells, interp.ExportCell{Source: c.Source, Text: c.Type != "code", Fails: c.HasTag("raises-exception")})
	}
	program, err := interp.Export(folder, cells)
	if err != nil {
		return err
	}
	main := filepath.Join(dir, "main.go")
	old, err := os.ReadFile(main)
	if err == nil && !bytes.HasPrefix(old, []byte(exportMark)) {
		return fmt.Errorf("%s is there and was not written by gaucho export", main)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	gaucho := slices.ContainsFunc(program.Imports, func(p string) bool { return strings.HasPrefix(p, "gaucho/") })
	if source == "" && gaucho {
		source = findSource()
	}
	files := map[string][]byte{"main.go": program.Source, "go.mod": exportModule(nb.Name, source, program.Imports, program.Modules)}
	if gaucho || slices.ContainsFunc(program.Imports, isModule) {
		files["go.sum"] = ownFile("go.sum")
	}
	for name, data := range files {
		if err := headless.WriteFile(filepath.Join(dir, name), data); err != nil {
			return err
		}
	}
	for _, n := range program.Notes {
		fmt.Fprintln(os.Stderr, n)
	}
	if gaucho && source == "" {
		fmt.Fprintf(os.Stderr, "The program uses packages of Gaucho; say where their source is: go mod edit -replace gaucho=FOLDER\n")
	}
	fmt.Printf("Wrote %s\n", main)
	return nil
}

// isModule reports whether a package comes from a module of its own, beyond the standard library and Gaucho.
func isModule(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".")
}

var requirement = regexp.MustCompile(`(?m)^\t(\S+) (v\S+)( // indirect)?$`)

// ownFile is a file of Gaucho's own module: a program that uses its packages needs what they need.
func ownFile(name string) []byte {
	data, err := fs.ReadFile(Sources, name)
	if err != nil {
		panic(err) // the program embeds it
	}
	return data
}

// exportModule is the go.mod of a program. It asks for the versions that Gaucho is built with.
func exportModule(name, source string, imports, modules []string) []byte {
	own := string(ownFile("go.mod"))
	var b bytes.Buffer
	name = strings.Trim(regexp.MustCompile(`[^a-zA-Z0-9._-]+`).ReplaceAllString(name, "-"), "-.")
	if name == "" || name == "gaucho" {
		name = "notebook"
	}
	fmt.Fprintf(&b, "module %s\n\n%s\n", name, regexp.MustCompile(`(?m)^go .*$`).FindString(own))
	used := func(module string) bool {
		return slices.ContainsFunc(imports, func(p string) bool { return p == module || strings.HasPrefix(p, module+"/") })
	}
	gaucho := used("gaucho")
	var direct, indirect []string
	if gaucho {
		direct = append(direct, "\tgaucho v0.0.0\n")
	}
	for _, m := range modules {
		if path, _, _ := strings.Cut(m, " "); !strings.Contains(own, "\t"+path+" ") {
			direct = append(direct, "\t"+m+"\n")
		}
	}
	for _, m := range requirement.FindAllStringSubmatch(own, -1) {
		switch {
		case used(m[1]):
			direct = append(direct, fmt.Sprintf("\t%s %s\n", m[1], m[2]))
		case gaucho || slices.ContainsFunc(imports, isModule):
			indirect = append(indirect, fmt.Sprintf("\t%s %s // indirect\n", m[1], m[2]))
		}
	}
	for _, list := range [][]string{direct, indirect} {
		if len(list) > 0 {
			b.WriteString("\nrequire (\n" + strings.Join(list, "") + ")\n")
		}
	}
	if gaucho && source != "" {
		fmt.Fprintf(&b, "\nreplace gaucho => %q\n", filepath.ToSlash(source))
	}
	return b.Bytes()
}

// findSource looks for Gaucho's source around the current folder and around this program.
func findSource() string {
	var from []string
	if wd, err := os.Getwd(); err == nil {
		from = append(from, wd)
	}
	if exe, err := os.Executable(); err == nil {
		if exe, err = filepath.EvalSymlinks(exe); err == nil {
			from = append(from, filepath.Dir(exe))
		}
	}
	for _, dir := range from {
		for {
			if mod, err := os.ReadFile(filepath.Join(dir, "go.mod")); err == nil && strings.HasPrefix(string(mod), "module gaucho\n") {
				return dir
			}
			up := filepath.Dir(dir)
			if up == dir {
				break
			}
			dir = up
		}
	}
	return ""
}
