// Command try runs a small program for each module of docs/modules.md, in both engines and as go run does, and prints a row of that
// page's table for each. It fetches the newest versions of the modules.
//
//	go run ./interp/modules/try [-gaucho ./gaucho] [NAME ...]
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const programs = "interp/modules/testdata/tried"

func main() {
	log.SetFlags(0)
	gaucho := flag.String("gaucho", "./gaucho", "the `program` to try, with its compiler")
	flag.Parse()
	program, err := filepath.Abs(*gaucho)
	if err != nil {
		log.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(programs, "*.go"))
	if err != nil || len(files) == 0 {
		log.Fatal("run it in the directory of the repository: ", programs, " has no programs")
	}
	fmt.Println("| module | native | in the interpreter |\n| --- | --- | --- |")
	for _, file := range files {
		if name := strings.TrimSuffix(filepath.Base(file), ".go"); flag.NArg() > 0 && !slices.Contains(flag.Args(), name) {
			continue
		}
		if err := try(program, file); err != nil {
			log.Printf("%s: %v", file, err)
			defer os.Exit(1)
		}
	}
}

// try prints a program's row.
func try(gaucho, file string) error {
	dir, err := os.MkdirTemp("", "gaucho-try-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), text, 0o666); err != nil {
		return err
	}
	for _, args := range [][]string{{"mod", "init", "tried"}, {"mod", "tidy"}} {
		if out, err := run(dir, "go", args...); err != nil {
			return fmt.Errorf("%v\n%s", err, out)
		}
	}
	want, err := run(dir, "go", "run", ".")
	if err != nil {
		return fmt.Errorf("go run: %v\n%s", err, want)
	}
	// A session without the go.mod fetches the modules itself.
	alone := filepath.Join(dir, "alone")
	if err := os.Mkdir(alone, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(alone, "main.go"), text, 0o666); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(dir, "go.mod")); err != nil {
		return err
	}
	var said []string
	for _, engine := range []string{"native", "yaegi"} {
		got, err := run(alone, gaucho, "run", "--engine", engine, "main.go")
		switch {
		case err == nil && got == want:
			said = append(said, "same")
		case err == nil:
			said = append(said, "differs")
			log.Printf("%s in %s: got\n%s\nwant\n%s", file, engine, got, want)
		default:
			said = append(said, "refused")
			log.Printf("%s in %s: %v\n%s", file, engine, err, got)
		}
	}
	fmt.Printf("| %s | %s |\n", module(string(text)), strings.Join(said, " | "))
	return nil
}

var imported = regexp.MustCompile(`\t"([a-z]+\.[a-z.]+/[^"]+)"`)

// module is the first package of a module that a program imports.
func module(text string) string { return imported.FindStringSubmatch(text)[1] }

// run returns what a command writes; where it fails, what it complains of too.
func run(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	err := cmd.Run()
	if err != nil {
		return out.String() + complaints.String(), err
	}
	return out.String(), nil
}
