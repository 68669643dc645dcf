package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"gaucho/command/headless"
	"gaucho/command/notebook"
	"gaucho/interp"
)

var checkCommand = command{name: "check", usage: "[flags] NOTEBOOK.ipynb",
	short: "run the tests of an assignment in a fresh session, before it is handed in"}

func init() { checkCommand.run = runCheck }

func runCheck(args []string) int {
	fs := checkCommand.flags()
	var o interp.Options
	timeout := fs.Duration("timeout", time.Minute, "the `time` that a cell may take; 0 for no limit")
	addSessionFlags(fs, &o)
	rest, status := parse(fs, args, nil)
	switch {
	case status >= 0:
		return status
	case len(rest) != 1:
		return usage(checkCommand, "%d arguments are too few or too many", len(rest))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	passed, err := checkNotebook(ctx, os.Stdout, rest[0], o, *timeout)
	if err != nil {
		return fail(err)
	}
	if !passed {
		return 1
	}
	return 0
}

// checkNotebook runs all cells of a notebook from its first to its last, and writes a line for each test cell and for each
// other cell that fails. It reports whether all tests passed.
func checkNotebook(ctx context.Context, w io.Writer, path string, o interp.Options, timeout time.Duration) (passed bool, err error) {
	nb, err := notebook.ReadFile(path)
	if err != nil {
		return false, err
	}
	if nb.Language() != "go" {
		return false, fmt.Errorf("%s: the notebook's language is %q, must be go", path, nb.Language())
	}
	rec := headless.NewRecorder()
	o.Sink = rec
	if o.Dir, err = filepath.Abs(nb.Dir); err != nil {
		return false, err
	}
	session, err := interp.Start(ctx, o)
	if err != nil {
		return false, err
	}
	defer session.Close()
	tests, held := 0, 0
	for i, c := range nb.Cells {
		if c.Type != "code" || c.Empty() {
			continue
		}
		marks, _ := c.Metadata["nbgrader"].(map[string]any)
		id, _ := marks["grade_id"].(string)
		isTest := marks["grade"] == true && marks["solution"] != true
		e := headless.RunCell(ctx, c, i+1, session, rec, timeout)
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		name := fmt.Sprintf("cell %d", i+1)
		if id != "" {
			name += " (" + id + ")"
		}
		switch {
		case isTest && e == nil:
			tests, held = tests+1, held+1
			fmt.Fprintf(w, "✓ %s\n", name)
		case isTest:
			tests++
			fmt.Fprintf(w, "✗ %s: %s\n", name, e)
		case e != nil:
			fmt.Fprintf(w, "  %s fails: %s\n", name, e)
		}
	}
	if tests == 0 {
		return false, fmt.Errorf("%s: no cell is marked as a test", path)
	}
	fmt.Fprintf(w, "%d of %d test cells pass. Hidden tests may ask for more.\n", held, tests)
	return held == tests, nil
}
