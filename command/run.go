package command

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/term"

	"gaucho/command/headless"
	"gaucho/command/notebook"
	"gaucho/command/page"
	"gaucho/interp"
)

var runCommand = command{name: "run", usage: "[flags] NOTEBOOK.ipynb, or [flags] FILE.go [ARGUMENTS]",
	short: "run a notebook or a Go program without Jupyter"}

func init() { runCommand.run = runRun }

// Exit statuses besides 0 and 1.
const (
	exitPanic       = 2   // as Go programs have it
	exitInterrupted = 130 // as shells have it
)

// A notebookRun is what gaucho run is to do with a notebook.
type notebookRun struct {
	session headless.Options
	cells   interp.Options
	output  string // the executed notebook goes here
	page    string // the HTML page goes here
	params  []notebook.Parameter
}

func runRun(args []string) int {
	fs := runCommand.flags()
	var r notebookRun
	fs.StringVar(&r.output, "o", "", "write the executed notebook to `file`; - for standard output")
	fs.StringVar(&r.page, "html", "", "write a page that needs no network to `file`; - for standard output")
	fs.Func("p", "set a parameter, `name=value`, in the cell tagged parameters; may be repeated", r.addParameter(false))
	fs.Func("r", "set a parameter to a string, `name=text`, whatever it looks like", r.addParameter(true))
	fs.BoolVar(&r.session.AllowErrors, "allow-errors", false, "continue after a cell that fails, and exit with status 0")
	fs.DurationVar(&r.session.Timeout, "timeout", 0, "the `time` that a cell may take, such as 30s or 5m; 0 for no limit")
	fs.StringVar(&r.cells.Dir, "cwd", "", "the working `directory` of cells; by default the notebook's, for a program the current one")
	fs.BoolFunc("x", "print to standard error what becomes of each cell: its stages, the code that is compiled, and how far it ran", func(string) error {
		r.cells.Trace = os.Stderr
		return nil
	})
	addSessionFlags(fs, &r.cells)
	rest, status := parse(fs, args, func(arg string) bool { return filepath.Ext(arg) == ".go" })
	switch {
	case status >= 0:
		return status
	case len(rest) == 0:
		return usage(runCommand, "a notebook or a Go file is missing")
	}
	if dir := r.cells.Dir; dir != "" {
		if st, err := os.Stat(dir); err != nil || !st.IsDir() {
			return fail(fmt.Errorf("--cwd is %s, must be a directory", dir))
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if filepath.Ext(rest[0]) == ".go" {
		return runProgram(ctx, fs, r.cells, rest[0], rest[1:])
	}
	if len(rest) > 1 {
		return usage(runCommand, "unexpected argument %q", rest[1])
	}
	return r.run(ctx, rest[0])
}

func (r *notebookRun) addParameter(raw bool) func(string) error {
	return func(s string) error {
		p, err := notebook.ParseParameter(s)
		p.Raw = raw
		r.params = append(r.params, p)
		return err
	}
}

// run executes the notebook. What was executed is written also when a cell fails.
func (r *notebookRun) run(ctx context.Context, path string) int {
	nb, err := notebook.ReadFile(path)
	if err != nil {
		return fail(err)
	}
	unknown, err := nb.SetParameters(r.params)
	if err != nil {
		return fail(err)
	}
	for _, name := range unknown {
		fmt.Fprintf(os.Stderr, "gaucho: the notebook declares no parameter %s; it is set anyway\n", name)
	}
	began := time.Now()
	r.session.Version = longVersion()
	allowed := 0
	r.session.Failed = func(ce *headless.CellError) {
		allowed++
		if r.output == "" && r.page == "" { // nothing else would show it
			fmt.Fprintf(os.Stderr, "gaucho: %s: cell [%d] failed\n", path, ce.Number)
			writeTraceback(os.Stderr, ce.Err)
		}
	}
	failed := r.execute(ctx, nb)
	if allowed > 0 {
		fmt.Fprintf(os.Stderr, "gaucho: %s: %d of the cells failed, and the run went on\n", path, allowed)
	}
	for _, write := range []func(*notebook.Notebook) error{r.writeNotebook, r.writePage} {
		if err := write(nb); err != nil {
			return fail(err)
		}
	}
	if ce := (*headless.CellError)(nil); errors.As(failed, &ce) {
		fmt.Fprintf(os.Stderr, "gaucho: %s: cell [%d] failed\n", path, ce.Number)
		writeTraceback(os.Stderr, ce.Err)
		return 1
	} else if errors.Is(failed, context.Canceled) {
		fmt.Fprintf(os.Stderr, "gaucho: %s: interrupted\n", path)
		return exitInterrupted
	} else if failed != nil {
		return fail(fmt.Errorf("%s: %w", path, failed))
	}
	if term.IsTerminal(int(os.Stderr.Fd())) {
		fmt.Fprintf(os.Stderr, "%s: done in %s\n", path, time.Since(began).Round(10*time.Millisecond))
	}
	return 0
}

// execute runs the notebook's cells in a session of their own. When nothing is to be written, what they show goes to
// the terminal.
func (r *notebookRun) execute(ctx context.Context, nb *notebook.Notebook) error {
	rec := headless.NewRecorder()
	if r.output == "" && r.page == "" {
		rec.Stdout, rec.Stderr = os.Stdout, os.Stderr
	} else if fd := int(os.Stderr.Fd()); term.IsTerminal(fd) {
		bar := headless.NewBar(os.Stderr, nb.Name, func() int {
			width, _, _ := term.GetSize(fd)
			return width
		})
		defer bar.Close()
		r.session.Progress = bar
	}
	r.cells.Sink = rec
	if r.cells.Dir == "" {
		r.cells.Dir = nb.Dir
	}
	session, err := interp.Start(ctx, r.cells)
	if err != nil {
		return err
	}
	if why := session.Interprets(); why != "" && rec.Stdout == nil {
		waiting(why)
	}
	err = headless.Run(ctx, nb, session, rec, &r.session)
	return errors.Join(err, session.Close())
}

func (r *notebookRun) writeNotebook(nb *notebook.Notebook) error {
	switch r.output {
	case "":
		return nil
	case "-":
		return nb.Encode(os.Stdout)
	}
	return nb.WriteFile(r.output)
}

func (r *notebookRun) writePage(nb *notebook.Notebook) error {
	if r.page == "" {
		return nil
	}
	var text bytes.Buffer
	if err := page.Write(&text, nb, nil); err != nil {
		return err
	}
	if r.page == "-" {
		_, err := os.Stdout.Write(text.Bytes())
		return err
	}
	return notebook.WriteFile(r.page, text.Bytes())
}

// runProgram executes a Go program as go run does, and returns its exit status.
func runProgram(ctx context.Context, fs *flag.FlagSet, o interp.Options, path string, args []string) int {
	foreign := ""
	fs.Visit(func(f *flag.Flag) {
		switch f.Name {
		case "engine", "memory", "no-shell", "cwd", "x":
		default:
			foreign = f.Name
		}
	})
	if foreign != "" {
		return usage(runCommand, "the flag -%s is for notebooks", foreign)
	}
	source, err := os.ReadFile(path)
	if err != nil {
		return fail(err)
	}
	o.Sink = &headless.Console{Stdout: os.Stdout, Stderr: os.Stderr, Stdin: os.Stdin, Password: readPassword}
	if o.Stdin, err = programInput(); err != nil {
		return fail(err)
	}
	session, err := interp.Start(ctx, o)
	if err != nil {
		return fail(err)
	}
	defer session.Close()
	res := session.Execute(ctx, interp.Cell{ID: path, Number: 1, Source: string(source), Stdin: true, Program: true,
		Args: append([]string{path}, args...)})
	switch e := res.Err; {
	case e == nil:
		return 0
	case ctx.Err() != nil:
		return exitInterrupted
	case e.Name == "Exit":
		return exitStatus(e)
	case e.Name == "CompileError":
		writeTraceback(os.Stderr, e)
		return 1
	default:
		writeTraceback(os.Stderr, e)
		return exitPanic
	}
}

// programInput is the standard input of a program: this process's, or where that is a terminal a pipe that follows it, for
// the system stops a process of another group that reads from the terminal.
func programInput() (*os.File, error) {
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		return os.Stdin, nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	go func() {
		io.Copy(w, os.Stdin)
		w.Close()
	}()
	return r, nil
}

func readPassword() (string, error) {
	fd := int(os.Stdin.Fd())
	if !term.IsTerminal(fd) {
		return "", errors.New("a password can be read from a terminal only")
	}
	line, err := term.ReadPassword(fd)
	fmt.Fprintln(os.Stdout)
	return string(line), err
}

var digits = regexp.MustCompile(`-?[0-9]+`)

// exitStatus is the status with which a program ended itself.
func exitStatus(e *interp.Error) int {
	if n, err := strconv.Atoi(digits.FindString(e.Value)); err == nil {
		return n
	}
	return 1
}

// writeTraceback writes a cell's error, without colours unless w is a terminal.
func writeTraceback(w io.Writer, e *interp.Error) {
	text := strings.Join(e.Traceback, "\n")
	if strings.TrimSpace(text) == "" {
		text = e.Error()
	}
	if f, ok := w.(*os.File); !ok || !term.IsTerminal(int(f.Fd())) {
		text = page.StripANSI(text)
	}
	fmt.Fprintln(w, text)
}
