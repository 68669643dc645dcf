package worker

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"gaucho/interp/rt/run"
)

// builtins are what a session has a worker do that is not Go code: the worker's side of each magic, with those that end what
// others began. They print through rt. An error fails the cell.
var builtins = map[string]func(c *cellRun, arg string) error{
	"shell":     func(_ *cellRun, line string) error { return shell("sh", line) },
	"bash":      func(_ *cellRun, text string) error { return shell("bash", text) },
	"cd":        func(_ *cellRun, dir string) error { return changeDir(dir) },
	"env":       func(_ *cellRun, arg string) error { return environment(arg) },
	"writefile": func(_ *cellRun, arg string) error { return writeFile(arg) },
	"args": func(_ *cellRun, list string) error {
		var args []string
		err := json.Unmarshal([]byte(list), &args)
		if len(args) > 0 { // else a program has its name alone, as cells do
			os.Args = args
		}
		newCommandLine()
		return err
	},
	"figure":    func(_ *cellRun, arg string) error { return figure(arg) },
	"print":     func(_ *cellRun, text string) error { _, err := run.Stdout.Write([]byte(text)); return err },
	"ps":        func(c *cellRun, arg string) error { return c.w.ps(arg) },
	"time":      (*cellRun).startClock,
	"timed":     (*cellRun).stopClock,
	"bench":     func(_ *cellRun, length string) error { return setBenchTime(length) },
	"benched":   (*cellRun).benched,
	"timedit":   (*cellRun).timedit,
	"precision": func(_ *cellRun, digits string) error { return precision(digits) },
	"whole":     func(c *cellRun, _ string) error { c.all = true; return nil },
	"capture":   (*cellRun).startCapture,
	"captured":  (*cellRun).stopCapture,
	"prof":      (*cellRun).startProfile,
	"profiled":  (*cellRun).stopProfile,
}

// lastDir is the directory before the last %cd.
var lastDir string

// changeDir changes the directory that cells work in, to the user's own for an empty argument, and back for "-".
func changeDir(dir string) error {
	old, _ := os.Getwd()
	if dir == "-" {
		if dir = lastDir; dir == "" {
			return errors.New("%cd - goes back to the directory before the last %cd, and there was none")
		}
	}
	if dir == "" || dir == "~" || strings.HasPrefix(dir, "~/") {
		home, err := os.UserHomeDir()
		if err != nil {
			return err
		}
		dir = filepath.Join(home, strings.TrimPrefix(dir, "~"))
	}
	if err := os.Chdir(dir); err != nil {
		return err
	}
	lastDir = old
	wd, err := os.Getwd()
	if err != nil {
		return err
	}
	fmt.Fprintln(run.Stdout, wd)
	return nil
}

// environment shows all variables for an empty argument, one for a name, and sets one for name=value.
func environment(arg string) error {
	name, value, set := strings.Cut(arg, "=")
	switch {
	case set:
		return os.Setenv(strings.TrimSpace(name), strings.TrimSpace(value))
	case arg != "":
		name, value, set := strings.Cut(arg, " ")
		if set {
			return os.Setenv(name, strings.TrimSpace(value))
		}
		value, ok := os.LookupEnv(name)
		if !ok {
			return fmt.Errorf("there is no environment variable %s", name)
		}
		fmt.Fprintln(run.Stdout, value)
	default:
		env := os.Environ()
		slices.Sort(env)
		fmt.Fprintln(run.Stdout, strings.Join(env, "\n"))
	}
	return nil
}

// writeFile writes what follows the first line of its argument to the file that the line names, which may be in quotes; -a before
// the name appends.
func writeFile(arg string) error {
	name, text, _ := strings.Cut(arg, "\n")
	flags, verb := os.O_CREATE|os.O_WRONLY|os.O_TRUNC, "Wrote"
	if rest, ok := strings.CutPrefix(name, "-a "); ok {
		name, flags, verb = strings.TrimSpace(rest), os.O_CREATE|os.O_WRONLY|os.O_APPEND, "Appended to"
	}
	if unquoted, err := strconv.Unquote(name); err == nil { // as the name of a file with spaces is written in a shell
		name = unquoted
	} else if n := len(name); n > 1 && name[0] == '\'' && name[n-1] == '\'' {
		name = name[1 : n-1]
	}
	f, err := os.OpenFile(name, flags, 0o666)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		fmt.Fprintln(run.Stdout, verb, name)
	}
	return err
}

func (c *cellRun) startClock(string) error {
	c.clocks = append(c.clocks, time.Now())
	return nil
}

func (c *cellRun) stopClock(string) error {
	n := len(c.clocks) - 1
	took := time.Since(c.clocks[n])
	c.clocks = c.clocks[:n]
	fmt.Fprintf(run.Stdout, "Wall time: %v\n", took.Round(took/1000+1))
	return nil
}

func (c *cellRun) benched(name string) error {
	err := c.w.benched(name, c.values)
	c.values, c.show = nil, false
	return err
}

func (c *cellRun) timedit(string) error {
	err := timedit(c.values)
	c.values, c.show = nil, false
	return err
}

func (c *cellRun) startCapture(arg string) (err error) {
	file, _, _ := strings.Cut(arg, "\n")
	c.capture, err = c.w.startCapture(c.r.Cell, file)
	return err
}

func (c *cellRun) stopCapture(string) error {
	capture := c.capture
	c.capture, c.values, c.show = nil, nil, false
	return capture.stop()
}

func (c *cellRun) startProfile(source string) (err error) {
	c.prof, err = startProfile(source)
	return err
}

func (c *cellRun) stopProfile(string) error {
	prof := c.prof
	c.prof = nil
	return prof.stop(c.r.Cell)
}

// stopMagics ends what the magics of a cell that failed have begun.
func (c *cellRun) stopMagics() {
	if c.capture != nil {
		c.capture.fail()
	}
	if c.prof != nil {
		c.prof.stop(c.r.Cell)
	}
}
