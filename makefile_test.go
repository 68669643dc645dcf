package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// makeIn has a copy of the Makefile say what it would do with a go command that says it is of a release, and that the newest
// toolchain of an older one is what it is told.
func makeIn(t *testing.T, dir, version, newest string, args ...string) (string, error) {
	t.Helper()
	command := filepath.Join(t.TempDir(), "go")
	text := "#!/bin/sh\ncase \"$GOTOOLCHAIN $*\" in go*'env GOVERSION') echo $GOTOOLCHAIN;; *'env GOVERSION') echo '" + version + "';; *list*) echo " + newest + ";; esac\n"
	if err := os.WriteFile(command, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("make", append([]string{"--no-print-directory", "-f", filepath.Join(dir, "Makefile"), "GO=" + command}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestBothReleases: make test-all runs its parts with the release in use and with the other one, each with its own arguments.
func TestBothReleases(t *testing.T) {
	t.Setenv("GOTOOLCHAIN", "")
	for _, version := range []string{"go1.26.8", "go1.27.4"} {
		out, err := makeIn(t, makeTree(t), version, "", "-n", "test-all", "ALL=fetched")
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, toolchain := range []string{"go1.26.7", "go1.27.3"} {
			if n := strings.Count(out, "-fetched "+toolchain); n != 1 {
				t.Errorf("%s: -fetched %s %d times in\n%s", version, toolchain, n, out)
			}
		}
	}
}

// makeTree is a repository with the Makefile, files of the loader for two releases, and one that git does not know.
func makeTree(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("there is no make command")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"Makefile": read(t, "Makefile"), "interp/loader/runtime126.go": "", "interp/loader/runtime127.go": "",
		"dist/kit/kit.tar.zst": "", ".gitignore": "/dist/\n", "stdlib/new/new.go": "package new\n", "stdlib/new/new_test.go": "package new\n"} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v: %s", err, out)
	}
	return dir
}

// TestMakeKnowsReleases: make builds with a release of Go that no file of the loader knows by the newest that one knows, and
// says so in a line; where that cannot be had it says what to do.
func TestMakeKnowsReleases(t *testing.T) {
	dir := makeTree(t)
	for _, c := range []struct{ version, newest, want string }{
		{"go1.26.0", "", ""},
		{"go1.27rc2", "", ""},
		{"go1.27.4 X:nodwarf5", "", ""},
		{"go1.28.1", "go1.27.9", "This Gaucho is for Go 1.26 1.27, not for go1.28.1: building with go1.27.9, which GO fetches"},
		{"devel go1.29-abcdef", "go1.27.9", "This Gaucho is for Go 1.26 1.27, not for devel go1.29-abcdef: building with go1.27.9, which GO fetches"},
		{"go1.28", "", "not for go1.28, and GO cannot fetch Go 1.27: install that, or let GO reach its GOPROXY"},
		{"", "", "There is no GO command: install Go"},
	} {
		out, err := makeIn(t, dir, c.version, c.newest, "-n", "build")
		first := strings.SplitN(out, "\n", 2)[0]
		words := strings.Fields(first)
		for i, w := range words { // where the command lies is of no interest
			if strings.HasSuffix(strings.Trim(w, ":,"), "/go") {
				words[i] = "GO"
			}
		}
		failed := c.newest == "" && c.want != ""
		if (err != nil) != failed || c.want != "" && !strings.Contains(strings.Join(words, " "), c.want) || c.want == "" && strings.Contains(out, "not for") {
			t.Errorf("with %q make says %q, error %v", c.version, out, err)
		}
	}
}

// TestMakeSeesParts: the kit is packed again when any part of the module changes that it is packed from.
func TestMakeSeesParts(t *testing.T) {
	seen := regexp.MustCompile(`(?m)^KITFILES := .* --exclude-standard (.*) 2>`).FindStringSubmatch(read(t, "Makefile"))
	embedded := regexp.MustCompile(`(?m)^//go:embed (.*)$`).FindStringSubmatch(read(t, "sources.go"))
	if seen == nil || embedded == nil {
		t.Fatal("Makefile has no KITFILES, or sources.go embeds nothing")
	}
	for _, part := range strings.Fields(embedded[1]) {
		covered := slices.ContainsFunc(strings.Fields(seen[1]), func(dir string) bool { return part == dir || strings.HasPrefix(part, dir+"/") })
		if !covered && part != "LICENSE" && part != "go.sum" {
			t.Errorf("make does not see changes of %s", part)
		}
	}
}

// TestMakeSeesNewFiles: the kit is packed again for a file of the library that git does not know, and with another release of Go, but
// not for a test or for what git ignores.
func TestMakeSeesNewFiles(t *testing.T) {
	dir := makeTree(t)
	now := time.Now()
	at := func(name string, age time.Duration) {
		t.Helper()
		if err := os.Chtimes(filepath.Join(dir, name), now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "dist/kit/release"), []byte("go1.26.0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	at("dist/kit/release", time.Hour)
	var packed []string
	for _, name := range []string{"", "stdlib/new/new.go", "stdlib/new/new_test.go"} {
		at("dist/kit/kit.tar.zst", time.Minute)
		at("stdlib/new/new.go", time.Hour)
		at("stdlib/new/new_test.go", time.Hour)
		if name != "" {
			at(name, 0)
		}
		if _, err := makeIn(t, dir, "go1.26.0", "", "-q", "dist/kit/kit.tar.zst"); err != nil {
			packed = append(packed, name)
		}
	}
	if !slices.Equal(packed, []string{"stdlib/new/new.go"}) {
		t.Errorf("the kit is packed again for %q", packed)
	}
	at("stdlib/new/new.go", time.Hour)
	if _, err := makeIn(t, dir, "go1.27.0", "", "-q", "dist/kit/kit.tar.zst"); err == nil {
		t.Error("the kit is not packed again with another release of Go")
	}
}
