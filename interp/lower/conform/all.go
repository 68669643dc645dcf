package main

import (
	"bytes"
	"context"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

var defaultDirs = []string{".", "ken", "chan", "interface", "closures", "escape", "fixedbugs", "typeparam"}

var excluded = []string{"unsafe", "os/exec", "runtime/cgo", "syscall/js"}

type outcome struct {
	file string
	ok   bool
	kind string // check, refused, eval, crash, wrong, timeout
	text string
}

// all runs the Go distribution's run-tests of some folders, and prints a table and the failures.
func all(dirs []string) {
	if len(dirs) == 0 {
		dirs = defaultDirs
	}
	self, _ := os.Executable()
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		fmt.Fprintln(os.Stderr, "go env GOROOT:", err)
		os.Exit(1)
	}
	root := filepath.Join(strings.TrimSpace(string(goroot)), "test")
	var total, good int
	var failures []outcome
	for _, d := range dirs {
		files := candidates(root, d)
		results := make([]outcome, len(files))
		var wg sync.WaitGroup
		slots := make(chan bool, 2)
		for i, f := range files {
			wg.Add(1)
			slots <- true
			go func() {
				defer func() { <-slots; wg.Done() }()
				results[i] = one(self, f)
			}()
		}
		wg.Wait()
		n := 0
		for _, r := range results {
			if r.ok {
				n++
			} else {
				failures = append(failures, r)
			}
		}
		fmt.Printf("%-12s %4d of %4d  %.1f%%\n", d, n, len(files), 100*float64(n)/float64(max(1, len(files))))
		total, good = total+len(files), good+n
	}
	fmt.Printf("%-12s %4d of %4d  %.1f%%\n", "all", good, total, 100*float64(good)/float64(max(1, total)))
	slices.SortStableFunc(failures, func(a, b outcome) int { return strings.Compare(a.kind, b.kind) })
	for _, f := range failures {
		rel, _ := filepath.Rel(root, f.file)
		fmt.Printf("%-8s %s: %s\n", f.kind, rel, f.text)
	}
}

func candidates(root, dir string) []string {
	files, _ := filepath.Glob(filepath.Join(root, dir, "*.go"))
	return slices.DeleteFunc(files, func(file string) bool {
		b, err := os.ReadFile(file)
		if err != nil || strings.SplitN(string(b), "\n", 2)[0] != "// run" {
			return true
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, b, parser.ImportsOnly)
		if err != nil {
			return false
		}
		for _, i := range f.Imports {
			if slices.Contains(excluded, strings.Trim(i.Path.Value, `"`)) {
				return true
			}
		}
		return false
	})
}

func one(self, file string) outcome {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	var out bytes.Buffer
	if g := os.Getenv("GAUCHO"); g != "" {
		self = g
	}
	cmd := exec.CommandContext(ctx, self, "run", file)
	cmd.WaitDelay = 2 * time.Second
	cmd.Dir = filepath.Dir(file)
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.Env = append(os.Environ(), "GOMEMLIMIT=1500MiB", "GOMAXPROCS=2")
	err := cmd.Run()
	want, _ := os.ReadFile(strings.TrimSuffix(file, ".go") + ".out")
	got := strings.ReplaceAll(out.String(), "\r\n", "\n")
	r := outcome{file: file, text: first(got)}
	code := cmd.ProcessState.ExitCode()
	switch {
	case err == nil && got == string(want):
		r.ok = true
	case ctx.Err() != nil:
		r.kind = "timeout"
	case strings.HasPrefix(got, "REFUSED"):
		r.kind = "refused"
	case strings.HasPrefix(got, "CHECK"):
		r.kind = "check"
	case strings.HasPrefix(got, "EVAL"), strings.HasPrefix(got, "DEFINE"), strings.HasPrefix(got, "NO TABLE"):
		r.kind = "eval"
	case strings.Contains(got, "fatal error:"), strings.Contains(got, "goroutine 1 ["):
		r.kind = "crash"
		if i := strings.Index(got, "fatal error:"); i >= 0 {
			r.text = first(got[i:])
		}
	case code == 2:
		r.kind = "panic"
		if i := strings.Index(got, "panic:"); i >= 0 {
			r.text = first(got[i:])
		}
	default:
		r.kind = "wrong"
		r.text = fmt.Sprintf("exit %d, %q", code, first(got))
	}
	return r
}

func first(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	if len(s) > 160 {
		s = s[:160]
	}
	return s
}
