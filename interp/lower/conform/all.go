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
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

var defaultDirs = []string{".", "ken", "chan", "interface", "closures", "escape", "fixedbugs", "typeparam"}

// excluded are packages whose tests are not for an interpreter.
var excluded = []string{"unsafe", "os/exec", "runtime/cgo", "syscall/js"}

// An outcome is what became of one test.
type outcome struct {
	file  string
	ok    bool
	cause string
}

// all runs the tests of some directories of a Go distribution through the engines, two at a time, and prints a page.
func all(gaucho, distribution string, engines, dirs []string) error {
	if len(dirs) == 0 {
		dirs = defaultDirs
	}
	here, err := exec.Command("go", "env", "GOROOT", "GOVERSION").Output()
	if err != nil {
		return err
	}
	goroot, version, _ := strings.Cut(strings.TrimSpace(string(here)), "\n")
	os.Setenv("GOROOT", goroot) // a test asks for it, and a binary built with -trimpath does not know
	if distribution == "" {
		distribution = goroot
	}
	root := filepath.Join(distribution, "test")
	of, err := os.ReadFile(filepath.Join(distribution, "VERSION"))
	if err != nil {
		return err
	}
	if _, err := os.Stat(root); err != nil {
		return fmt.Errorf("%w: a toolchain that the go command has fetched comes without tests; -distribution DIR names a whole Go", err)
	}
	tests, _, _ := strings.Cut(string(of), "\n")
	fmt.Printf("# Conformance with %s\n\nThe run-tests of %s (files of its test directory whose first line is `// run`, without those that import\n%s) through `gaucho run`. Made by `interp/lower/conform`.\n",
		version, tests, strings.Join(excluded, ", "))
	for _, e := range engines {
		tested = e
		section(gaucho, root, dirs)
	}
	return nil
}

// section runs the tests through one engine, and prints a table and the failures.
func section(gaucho, root string, dirs []string) {
	fmt.Printf("\n## %s\n\n", tested)
	fmt.Println("| folder | right | of | |\n| --- | ---: | ---: | ---: |")
	var total, good, looks int
	var failures []outcome
	for _, d := range dirs {
		results := runAll(gaucho, candidates(root, d))
		n := 0
		for _, r := range results {
			if r.ok {
				n++
				continue
			}
			failures = append(failures, r)
			if r.cause == looksAtItself {
				looks++
			}
		}
		if len(results) > 0 {
			row(d, n, len(results))
		}
		total, good = total+len(results), good+n
	}
	row("all", good, total)
	if looks > 0 {
		row("all that do not look at themselves", good, total-looks)
	}
	fmt.Println("\n| failure | cause |\n| --- | --- |")
	for _, f := range failures {
		rel, _ := filepath.Rel(root, f.file)
		fmt.Printf("| %s | %s |\n", rel, f.cause)
	}
}

func row(name string, n, of int) {
	fmt.Printf("| %s | %d | %d | %.1f %% |\n", name, n, of, 100*float64(n)/float64(max(1, of)))
}

func runAll(gaucho string, files []string) []outcome {
	results := make([]outcome, len(files))
	var wg sync.WaitGroup
	slots := make(chan bool, 2)
	for i, f := range files {
		slots <- true
		wg.Go(func() {
			defer func() { <-slots }()
			results[i] = one(gaucho, f)
		})
	}
	wg.Wait()
	return results
}

// candidates are the run-tests of a directory.
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

const limit = 60 * time.Second

// one runs a test. It must end well and write what its .out file says, or nothing.
func one(gaucho, file string) outcome {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, gaucho, "run", "--engine", tested, file)
	cmd.Dir = filepath.Dir(file)
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = 2 * time.Second
	err := cmd.Run()
	want, _ := os.ReadFile(strings.TrimSuffix(file, ".go") + ".out")
	got := out.String()
	switch {
	case err == nil && got == string(want):
		return outcome{file: file, ok: true}
	case ctx.Err() != nil:
		return outcome{file: file, cause: fmt.Sprintf("takes longer than %v", limit)}
	}
	return outcome{file: file, cause: cause(file, got)}
}

var refused = regexp.MustCompile(`[^\n]*\(the native engine runs it\)`)

// cause says why a test failed: what is known of it, the refusal, or else the first line that it wrote.
func cause(file, got string) string {
	if m := refused.FindString(got); m != "" {
		if i := strings.LastIndex(m, ": "); i >= 0 {
			m = m[i+2:]
		}
		return "refused: " + m
	}
	rel := filepath.Base(filepath.Dir(file)) + "/" + filepath.Base(file)
	for _, c := range causes {
		if c.engine == tested && slices.Contains(strings.Fields(c.files), strings.TrimPrefix(rel, "test/")) {
			return c.why
		}
	}
	line := ""
	for l := range strings.Lines(got) {
		l = strings.TrimSpace(l)
		if line == "" || strings.Contains(l, "error") || strings.Contains(l, "panic") {
			line = l
		}
	}
	if len(line) > 150 {
		line = line[:150]
	}
	return strings.ReplaceAll(line, "|", "\\|")
}
