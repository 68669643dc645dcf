package compiled

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A Toolchain is the Go toolchain and C compiler with which the worker and the plugins are built.
type Toolchain struct {
	Go      string // the go command
	Version string // as go1.26.8
	Dir     string // of compile and link
	CC      string
	env     []string
}

// Supported reports whether Go can load plugins on this platform.
func Supported() error {
	switch runtime.GOOS {
	case "linux", "darwin", "freebsd":
		return nil
	}
	return fmt.Errorf("the compiled engine needs Go's plugins, which there are not on %s", runtime.GOOS)
}

// FindToolchain looks for the toolchain that built this program, and for a C compiler. Where the go command is of
// another version it is asked to use the right one, which may be a download by the user's own Go configuration. The error
// says in words what is missing.
func FindToolchain(ctx context.Context) (*Toolchain, error) {
	if err := Supported(); err != nil {
		return nil, err
	}
	command, err := exec.LookPath("go")
	if err != nil {
		return nil, fmt.Errorf("the compiled engine needs the Go toolchain %s, and no go command was found", runtime.Version())
	}
	t := &Toolchain{Go: command, env: environment("local")}
	vars, err := t.ask(ctx)
	if err == nil && vars["GOVERSION"] != runtime.Version() {
		local := vars["GOVERSION"]
		t.env = environment(runtime.Version())
		if vars, err = t.ask(ctx); err != nil {
			return nil, fmt.Errorf("the compiled engine needs the Go toolchain %s; %s is %s, and cannot get it: %w",
				runtime.Version(), command, local, err)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the compiled engine needs the Go toolchain: %w", err)
	}
	t.Version, t.Dir, t.CC = vars["GOVERSION"], vars["GOTOOLDIR"], vars["CC"]
	if words := strings.Fields(t.CC); len(words) > 0 {
		if _, err := exec.LookPath(words[0]); err == nil {
			return t, nil
		}
	}
	return nil, fmt.Errorf("the compiled engine needs a C compiler, and %s was not found: install gcc or clang", t.CC)
}

// environment is the environment of the go command: the user's own, with what the compiled engine must rely on.
func environment(toolchain string) []string {
	env := os.Environ()
	return append(env, "CGO_ENABLED=1", "GOTOOLCHAIN="+toolchain, "GOFLAGS=", "GOWORK=off", "GO111MODULE=on", "GOOS=", "GOARCH=", "GOEXPERIMENT=")
}

func (t *Toolchain) ask(ctx context.Context) (map[string]string, error) {
	out, err := t.run(ctx, os.TempDir(), t.Go, "env", "-json", "GOVERSION", "GOTOOLDIR", "CC")
	if err != nil {
		return nil, err
	}
	vars := map[string]string{}
	return vars, json.Unmarshal(out, &vars)
}

// tool runs the compiler or the linker on a cell. They are so short that collecting their garbage is a waste of time.
func (t *Toolchain) tool(ctx context.Context, dir, name string, args ...string) error {
	quick := *t
	quick.env = append(slices.Clone(t.env), "GOGC=400")
	_, err := quick.run(ctx, dir, filepath.Join(t.Dir, name), args...)
	return err
}

// run runs a program in a directory and returns what it prints; its error holds what it complains of.
func (t *Toolchain) run(ctx context.Context, dir, program string, args ...string) ([]byte, error) {
	return t.runTold(ctx, io.Discard, dir, program, args...)
}

// runTold is run for a program that tells on its standard error, besides, what it does.
func (t *Toolchain) runTold(ctx context.Context, told io.Writer, dir, program string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = dir, t.env
	var complaint strings.Builder
	cmd.Stderr = io.MultiWriter(&complaint, told)
	cmd.WaitDelay = 2 * time.Second
	if program == t.Go { // it removes what it has begun
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	}
	out, err := cmd.Output()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		text := strings.TrimSpace(complaint.String())
		if text == "" {
			text = strings.TrimSpace(string(out))
		}
		if text == "" {
			text = exit.Error()
		}
		return nil, errors.New(text)
	}
	return out, err
}
