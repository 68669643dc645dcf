package kit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// errNoGo says that nothing makes a kit of the program's own sources.
var errNoGo = fmt.Errorf("this program came without its compiler, as go build makes it, and there is no go command that could make it; "+
	"install Go (this program needs %s, which any newer one fetches), or use a program that make built", runtime.Version())

// makeOwn makes a kit from the program's own sources.
func makeOwn(ctx context.Context, dir string, say Say) error {
	t, err := findToolchain(ctx)
	if err != nil {
		return err
	}
	say("This program came without its compiler, as go build makes it. Making it with %s, once, in some minutes ...\n", runtime.Version())
	start := time.Now()
	if err := t.fillHere(ctx, dir); err != nil {
		return fmt.Errorf("the compiler for cells cannot be made: %w", err)
	}
	say("The compiler is made, in %s.\n", time.Since(start).Round(time.Second))
	return nil
}

// Prepare makes the kit, whose making takes minutes, in a process of its own, which goes on when this one ends. command is
// expected to Open the kit. done is called when it has ended. An error says that nothing was started.
func (k *Kit) Prepare(command []string, done func()) error {
	if _, err := exec.LookPath("go"); err != nil {
		return errNoGo
	}
	return k.Background(command, done)
}

// Background starts a command that goes on when this process ends. done is called when it has ended. An error says that nothing was
// started.
func (k *Kit) Background(command []string, done func()) error {
	cmd := exec.Command(command[0], command[1:]...)
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() {
		cmd.Wait()
		done()
	}()
	return nil
}

// Failure is why the kit could not be made the last time, in a line; empty if that is not so.
func (k *Kit) Failure() string {
	text, _ := os.ReadFile(k.failureFile())
	if id, why, _ := strings.Cut(string(text), "\n"); id == k.ID {
		return why
	}
	return ""
}

// noteFailure keeps why the kit could not be made, for Failure; that it was, or is being made, where err is nil.
func (k *Kit) noteFailure(ctx context.Context, err error) {
	switch {
	case !k.own || ctx.Err() != nil:
	case err == nil:
		os.Remove(k.failureFile())
	default:
		os.WriteFile(k.failureFile(), []byte(k.ID+"\n"+OneLine(err)), 0o600)
	}
}

func (k *Kit) failureFile() string { return filepath.Join(filepath.Dir(k.Dir), "failed") }

// OneLine is an error as a line of bounded length: what the go command complains of has many.
func OneLine(err error) string {
	const longest = 400 // bytes
	line := strings.Join(strings.FieldsFunc(err.Error(), func(c rune) bool { return c == '\n' || c == '\r' }), "; ")
	if len(line) > longest {
		line = strings.ToValidUTF8(line[:longest], "") + " ..."
	}
	return line
}

// lock waits until no other process makes a kit in the directory. Where the system cannot lock, two may make the same.
func lock(ctx context.Context, root string, say Say) (unlock func(), err error) {
	f, err := os.OpenFile(filepath.Join(root, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	said := false
	for errors.Is(tryLock(f), errLocked) {
		if !said {
			say("Another session is making the compiler; waiting for it ...\n")
			said = true
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
	return func() { f.Close() }, nil
}
