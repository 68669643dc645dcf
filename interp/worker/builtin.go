package worker

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"gaucho/interp/rt"
)

// builtins are what a session has a worker do that is not Go code: the parts of magics that need the process of cells.
// They print through rt, and fail by panicking with an error, as cells do.
var builtins = map[string]func(arg string) error{
	"shell":     func(arg string) error { return shell("sh", arg) },
	"bash":      func(arg string) error { return shell("bash", arg) },
	"cd":        changeDir,
	"env":       environment,
	"writefile": writeFile,
	"time":      startClock,
	"timed":     stopClock,
	"args":      setArgs,
	"figure":    figure,
	"bench":     setBenchTime,
	"print":     func(arg string) error { _, err := rt.Stdout.Write([]byte(arg)); return err },
}

func builtin(name, arg string) (func(), error) {
	f := builtins[name]
	if f == nil {
		return nil, fmt.Errorf("no builtin %q", name)
	}
	return func() {
		if err := f(arg); err != nil {
			panic(err)
		}
	}, nil
}

// shell runs a command line with the worker's environment and directory. It ends with the cell.
func shell(program, line string) error {
	args := []string{"-c", line}
	if runtime.GOOS == "windows" && program == "sh" {
		program, args = "cmd", []string{"/c", line}
	}
	cmd := exec.CommandContext(rt.Ctx(), program, args...)
	cmd.Stdout, cmd.Stderr = rt.Stdout, rt.Stderr
	cmd.WaitDelay = 100 * time.Millisecond
	err := cmd.Run()
	if rt.Ctx().Err() != nil {
		return rt.ErrInterrupt
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return fmt.Errorf("the command ended with %v", exit)
	}
	return err
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
	fmt.Fprintln(rt.Stdout, wd)
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
		fmt.Fprintln(rt.Stdout, value)
	default:
		env := os.Environ()
		slices.Sort(env)
		fmt.Fprintln(rt.Stdout, strings.Join(env, "\n"))
	}
	return nil
}

// writeFile writes what follows the first line of its argument to the file that the line names; -a before the name
// appends.
func writeFile(arg string) error {
	name, text, _ := strings.Cut(arg, "\n")
	flags, verb := os.O_CREATE|os.O_WRONLY|os.O_TRUNC, "Wrote"
	if rest, ok := strings.CutPrefix(name, "-a "); ok {
		name, flags, verb = strings.TrimSpace(rest), os.O_CREATE|os.O_WRONLY|os.O_APPEND, "Appended to"
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
		fmt.Fprintln(rt.Stdout, verb, name)
	}
	return err
}

// setArgs sets os.Args, given as JSON.
func setArgs(arg string) error { return json.Unmarshal([]byte(arg), &os.Args) }

// clocks are the running clocks of %time, innermost last.
var clocks struct {
	sync.Mutex
	started []time.Time
}

func startClock(string) error {
	clocks.Lock()
	clocks.started = append(clocks.started, time.Now())
	clocks.Unlock()
	return nil
}

func stopClock(string) error {
	clocks.Lock()
	defer clocks.Unlock()
	n := len(clocks.started) - 1
	took := time.Since(clocks.started[n])
	clocks.started = clocks.started[:n]
	fmt.Fprintf(rt.Stdout, "Wall time: %v\n", took.Round(took/1000+1))
	return nil
}
