package main

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestPages: each package has a page and a line of the index, and each link leads to a page and a heading that there are.
func TestPages(t *testing.T) {
	all, err := pages(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dirs, err := filepath.Glob(filepath.Join("..", "..", "stdlib", "*", "doc.go"))
	if err != nil || len(dirs) < 15 {
		t.Fatalf("%d packages, %v", len(dirs), err)
	}
	for _, name := range dirs {
		name = filepath.Base(filepath.Dir(name))
		if all[name+".md"] == "" || !strings.Contains(all["index.md"], "]("+name+".md)") {
			t.Errorf("package %s has no page, or it is not in the index", name)
		}
	}
	headings := map[string][]string{}
	for name, text := range all {
		for _, m := range regexp.MustCompile(`(?m)^(?:#+ (.*)|<a id="(.*)"></a>)$`).FindAllStringSubmatch(text, -1) {
			headings[name] = append(headings[name], anchor(m[1]+m[2]))
		}
	}
	links := 0
	for name, text := range all {
		for _, m := range regexp.MustCompile(`\]\(([a-z]+\.md)?(?:#([^)]*))?\)`).FindAllStringSubmatch(text, -1) {
			links++
			page, heading := m[1], m[2]
			if page == "" {
				page = name
			}
			if all[page] == "" || heading != "" && !slices.Contains(headings[page], heading) {
				t.Errorf("%s has the link %s", name, m[0])
			}
		}
	}
	if links < 1000 {
		t.Errorf("%d links, where each function has one", links)
	}
}

// TestPage: a function's page has its declaration without the body, its comment and its example with the output.
func TestPage(t *testing.T) {
	all, err := pages(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for page, wants := range map[string][]string{
		"hypothesis.md": {"## WelchT\n\n```go\nfunc WelchT(", "* [WelchT](#welcht): "},
		"herding.md":    {"### Rule.At\n\n```go\nfunc (r *Rule) At(n int)", "```text\n"},
	} {
		for _, want := range wants {
			if !strings.Contains(all[page], want) {
				t.Errorf("%s lacks %q", page, want)
			}
		}
		if strings.Contains(all[page], "// Output:") {
			t.Errorf("%s repeats an example's output", page)
		}
	}
}
