package main

import (
	"go/version"
	"os"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"gaucho/install"
	"gaucho/interp/check"
)

// TestRelease: install.Version is the release. What cannot read it there says the same, and nothing else says it.
func TestRelease(t *testing.T) {
	for name, saying := range map[string]string{
		"install/conda/recipe.yaml": `(?m)^  version: "(.*)"$`,
	} {
		text := read(t, name)
		if m := regexp.MustCompile(saying).FindAllStringSubmatch(text, -1); len(m) != 1 || m[0][1] != install.Version {
			t.Errorf("%s says %q, install.Version is %q", name, m, install.Version)
		}
	}
	m := regexp.MustCompile(`(?m)^## (\S+)`).FindStringSubmatch(read(t, "CHANGELOG.md"))
	if m == nil || m[1] != "Unreleased" && m[1] != install.Version {
		t.Errorf("CHANGELOG.md begins with %q, want Unreleased or %s", m, install.Version)
	}
	whole := regexp.MustCompile(`\b` + regexp.QuoteMeta(install.Version) + `\b`)
	for _, name := range tree(t) {
		switch {
		case name == "install/version.go" || name == "install/conda/recipe.yaml" || name == "CHANGELOG.md":
		case name == "Makefile" || name == "Dockerfile" || strings.HasPrefix(name, "install/") || strings.HasPrefix(name, "docs/") && strings.HasSuffix(name, ".md") ||
			strings.HasPrefix(name, "test/") && strings.HasSuffix(name, ".py"):
			if line := whole.FindString(read(t, name)); line != "" {
				t.Errorf("%s says %s; install.Version is the place that does", name, line)
			}
		}
	}
}

// TestGoVersion: whoever builds Gaucho, or writes cells, reads of the same Go everywhere as the go command does in go.mod.
func TestGoVersion(t *testing.T) {
	m := regexp.MustCompile(`(?m)^go (\d+\.\d+)\.\d+$`).FindStringSubmatch(read(t, "go.mod"))
	if m == nil {
		t.Fatal("go.mod names no version of Go")
	}
	if want := version.Lang(runtime.Version()); check.GoVersion != want {
		t.Errorf("cells are checked as %s, the toolchain is %s", check.GoVersion, want)
	}
	for name, saying := range map[string]string{
		"README.md":                 `Go (1\.\d+)`,
		"CONTRIBUTING.md":           `Go (1\.\d+)`,
		"docs/language.md":          `Go (1\.\d+)`,
		"Dockerfile":                `golang:(\d+\.\d+)-`,
		"install/conda/recipe.yaml": `go-nocgo >=(\d+\.\d+)\n`,
	} {
		found := regexp.MustCompile(saying).FindStringSubmatch(read(t, name))
		if found == nil || found[1] != m[1] {
			t.Errorf("%s says %q, go.mod says Go %s", name, found, m[1])
		}
	}
}

// TestPins: a Python package that is named with its version has the same version everywhere, but where it is the peer of a benchmark.
func TestPins(t *testing.T) {
	pin := regexp.MustCompile(`([A-Za-z][\w.-]*)(?:\[\w+\])?==([\w.]+)`)
	versions, places := map[string]string{}, map[string]string{}
	for _, name := range tree(t) {
		if name != "Makefile" && name != "Dockerfile" && !strings.HasSuffix(name, ".md") && !((strings.HasPrefix(name, "test/") || strings.HasPrefix(name, "install/")) && strings.HasSuffix(name, "requirements.txt")) {
			continue
		}
		for _, m := range pin.FindAllStringSubmatch(read(t, name), -1) {
			key := strings.ToLower(strings.ReplaceAll(m[1], "_", "-"))
			if v, ok := versions[key]; ok && v != m[2] {
				t.Errorf("%s has %s %s, %s has %s", name, m[1], m[2], places[key], v)
			}
			versions[key], places[key] = m[2], name
		}
	}
	for _, p := range []string{"jupyterlab", "ipywidgets", "jupyterlite-core", "playwright"} {
		if versions[p] == "" {
			t.Errorf("no pin of %s was found", p)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
