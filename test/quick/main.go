// Command quick checks a change within three minutes: gofmt, vet, staticcheck and tests of the packages that changed since
// the main branch and of those that import them directly. Tests are in their short forms. It always tests the rules of the
// house, and says what there was no time for.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
)

func main() {
	limit := flag.Duration("limit", 3*time.Minute, "how long it may take")
	base := flag.String("base", "main", "the `commit` that the change is compared with")
	staticcheck := flag.String("staticcheck", "", "the `package` of staticcheck, with its version; none if empty")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), *limit)
	defer cancel()
	if err := check(ctx, *base, *staticcheck); err != nil {
		fmt.Fprintln(os.Stderr, "quick:", err)
		os.Exit(1)
	}
}

// check runs all parts, also after one that failed.
func check(ctx context.Context, base, staticcheck string) error {
	files, err := changedFiles(ctx, base)
	if err != nil {
		return err
	}
	packages, err := list(ctx)
	if err != nil {
		return err
	}
	changed, importers := affected(packages, files)
	fmt.Printf("changed: %s\nimporters: %s\n", orNone(changed), orNone(importers))
	all := slices.Concat(changed, importers)
	errs := []error{format(ctx, files)}
	if len(all) > 0 {
		errs = append(errs, run(ctx, "vet", os.Stdout, slices.Concat([]string{"vet"}, all)...))
	}
	errs = append(errs, test(ctx, slices.Concat([]string{packages[0].ImportPath}, changed)))
	if staticcheck != "" && len(changed) > 0 {
		errs = append(errs, lint(ctx, staticcheck, changed))
	}
	errs = append(errs, test(ctx, importers))
	return errors.Join(errs...)
}

// lint runs staticcheck, where it is there or can be fetched.
func lint(ctx context.Context, staticcheck string, packages []string) error {
	if out, err := goCommand(ctx, "run", staticcheck, "-version").CombinedOutput(); err != nil && ctx.Err() == nil {
		fmt.Printf("LEFT OUT: staticcheck cannot be fetched: %s\n", out)
		return nil
	}
	return run(ctx, "staticcheck", os.Stdout, slices.Concat([]string{"run", staticcheck}, packages)...)
}

func orNone(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, " ")
}

// changedFiles lists the files that differ from those of the commit from which the branch began, and those that git does not
// know yet.
func changedFiles(ctx context.Context, base string) ([]string, error) {
	from, err := git(ctx, "merge-base", "HEAD", base)
	if err != nil {
		return nil, err
	}
	changed, err := git(ctx, "diff", "--name-only", "--no-renames", strings.TrimSpace(from))
	if err != nil {
		return nil, err
	}
	added, err := git(ctx, "ls-files", "--others", "--exclude-standard")
	if err != nil {
		return nil, err
	}
	return strings.Fields(changed + added), nil
}

func git(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w", strings.Join(args, " "), err)
	}
	return string(out), nil
}

// A pkg is a package as go list describes it.
type pkg struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
}

// list returns the packages of the module, that of its root first.
func list(ctx context.Context) ([]pkg, error) {
	cmd := goCommand(ctx, "list", "-e", "-json=ImportPath,Imports,TestImports,XTestImports", "./...")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		return nil, errors.New("there are no packages here")
	}
	return all, nil
}

// affected returns the packages that files belong to, and the others that import one of those, each sorted. A file that is not
// in the directory of a package belongs to the package of the nearest directory above, but for the root's, which is tested
// anyway.
func affected(packages []pkg, files []string) (changed, importers []string) {
	root := packages[0].ImportPath
	is := map[string]bool{}
	for _, p := range packages[1:] {
		is[p.ImportPath] = true
	}
	hit := map[string]bool{}
	for _, file := range files {
		dir := path.Dir(file)
		for dir != "." && !is[root+"/"+dir] {
			dir = path.Dir(dir)
		}
		if dir != "." {
			hit[root+"/"+dir] = true
		}
	}
	use := map[string]bool{}
	for _, p := range packages[1:] {
		if !hit[p.ImportPath] && slices.ContainsFunc(slices.Concat(p.Imports, p.TestImports, p.XTestImports), func(q string) bool { return hit[q] }) {
			use[p.ImportPath] = true
		}
	}
	return slices.Sorted(maps.Keys(hit)), slices.Sorted(maps.Keys(use))
}

// format reports Go files that are not formatted.
func format(ctx context.Context, files []string) error {
	var sources []string
	for _, f := range files {
		if _, err := os.Stat(f); err == nil && path.Ext(f) == ".go" {
			sources = append(sources, f)
		}
	}
	if len(sources) == 0 {
		return nil
	}
	out, err := exec.CommandContext(ctx, "gofmt", append([]string{"-l"}, sources...)...).CombinedOutput()
	if err == nil && len(out) > 0 {
		err = fmt.Errorf("not formatted:\n%s", out)
	}
	return err
}

func goCommand(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.WaitDelay = time.Second
	return cmd
}

// run runs a go command. What there is no time for is left out with a word.
func run(ctx context.Context, what string, out io.Writer, args ...string) error {
	if ctx.Err() != nil {
		fmt.Printf("LEFT OUT: %s, the time is up\n", what)
		return nil
	}
	start := time.Now()
	cmd := goCommand(ctx, args...)
	cmd.Stdout, cmd.Stderr = out, os.Stderr
	err := cmd.Run()
	fmt.Printf("%s: %.0f s\n", what, time.Since(start).Seconds())
	if ctx.Err() != nil {
		fmt.Printf("LEFT OUT: %s, the time is up\n", what)
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s failed", what)
	}
	return nil
}

// done matches what go test prints of a package that it is done with.
var done = regexp.MustCompile(`^(?:ok|FAIL|\?)\s+(\S+)`)

// test tests packages, and says which it did not come to.
func test(ctx context.Context, packages []string) error {
	if len(packages) == 0 {
		return nil
	}
	left := slices.Clone(packages)
	reader, writer := io.Pipe()
	finished := make(chan bool)
	failed := false
	go func() {
		defer close(finished)
		for lines := bufio.NewReader(reader); ; {
			line, err := lines.ReadString('\n')
			fmt.Print(line)
			if m := done.FindStringSubmatch(line); m != nil {
				left = slices.DeleteFunc(left, func(p string) bool { return p == m[1] })
				failed = failed || strings.HasPrefix(line, "FAIL")
			}
			if err != nil {
				return
			}
		}
	}()
	err := run(ctx, "tests", writer, slices.Concat([]string{"test", "-short", "-vet=off"}, packages)...)
	writer.Close()
	<-finished
	if ctx.Err() != nil {
		fmt.Printf("not tested: %s\n", orNone(left))
	}
	if failed && err == nil {
		err = errors.New("tests failed")
	}
	return err
}
