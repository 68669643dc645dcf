package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"

	"gaucho/command/notebook"
	"gaucho/interp"
	"gaucho/interp/export"
)

var exportCommand = command{name: "export", usage: "[flags] NOTEBOOK.ipynb",
	short: "write a notebook as a Go program"}

func init() { exportCommand.run = runExport }

// exportMark is the first line of a program of ours, which may be written over.
const exportMark = "// Written by gaucho export.\n"

func runExport(args []string) int {
	fs := exportCommand.flags()
	dir := fs.String("o", "", "the `directory` to write to; by default one named after the notebook")
	var r notebookRun
	fs.Func("p", "set a parameter as gaucho run does, `name=value`; may be repeated", r.addParameter(false))
	fs.Func("r", "set a parameter to a string, `name=text`, whatever it looks like", r.addParameter(true))
	rest, status := parse(fs, args, nil)
	switch {
	case status >= 0:
		return status
	case len(rest) != 1:
		return usage(exportCommand, "one notebook is needed")
	}
	nb, err := notebook.ReadFile(rest[0])
	if err != nil {
		return fail(err)
	}
	if lang := nb.Language(); lang != "go" {
		return fail(fmt.Errorf("the notebook's language is %q, must be go", lang))
	}
	if _, err := nb.SetParameters(r.params); err != nil {
		return fail(err)
	}
	if *dir == "" {
		*dir = nb.Name
	}
	if err := exportTo(*dir, filepath.Dir(rest[0]), nb); err != nil {
		if ce := (*export.Error)(nil); errors.As(err, &ce) {
			fmt.Fprintf(os.Stderr, "gaucho: %s does not compile\n", rest[0])
			writeTraceback(os.Stderr, &interp.Error{Value: ce.Value, Traceback: ce.Traceback})
			return 1
		}
		return fail(err)
	}
	return 0
}

// exportTo writes the program of a notebook, which lies in folder, to dir, with all that building it takes beyond public modules.
func exportTo(dir, folder string, nb *notebook.Notebook) error {
	var cells []export.Cell
	for _, c := range nb.Cells {
		if c.Type == "raw" {
			continue
		}
		skipped := c.HasTag("skip-execution")
		cells = append(cells, export.Cell{
			Source: c.Source, Text: c.Type != "code" || skipped, Fails: c.HasTag("raises-exception"), Parameters: !skipped && c.SetsParameters(),
		})
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	program, err := export.Notebook(ctx, folder, cells, func(path string) { fmt.Fprintf(os.Stderr, "Fetching the module of %s ...\n", path) })
	if err != nil {
		return err
	}
	main, local, others := filepath.Join(dir, "main.go"), filepath.Join(dir, localModule), filepath.Join(dir, otherModules)
	if err := errors.Join(mayReplace(main, main), mayReplace(local, filepath.Join(local, "go.mod")), mayReplace(others, filepath.Join(others, "modules.txt"))); err != nil {
		return err
	}
	files, err := exportModule(nb.Name, program)
	if err != nil {
		return err
	}
	// What an earlier export brought along would be in the way of what this one brings.
	if err := errors.Join(os.RemoveAll(local), os.RemoveAll(others)); err != nil {
		return err
	}
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := notebook.WriteFile(path, data); err != nil {
			return err
		}
	}
	for _, n := range program.Notes {
		fmt.Fprintln(os.Stderr, n)
	}
	fmt.Printf("Wrote %s\n", main)
	return nil
}

// mayReplace returns an error if something is at a path that gaucho export did not write: then a file of it begins with exportMark.
func mayReplace(path, marked string) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	text, err := os.ReadFile(marked)
	if err == nil && bytes.HasPrefix(text, []byte(exportMark)) {
		return nil
	}
	return fmt.Errorf("%s is there and was not written by gaucho export", path)
}
