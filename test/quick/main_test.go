package main

import (
	"slices"
	"testing"
)

func TestAffected(t *testing.T) {
	packages := []pkg{
		{ImportPath: "m", Imports: []string{"m/a"}},
		{ImportPath: "m/a"},
		{ImportPath: "m/a/b", Imports: []string{"m/a"}},
		{ImportPath: "m/c", TestImports: []string{"m/a"}},
		{ImportPath: "m/d", XTestImports: []string{"m/a/b"}},
		{ImportPath: "m/e", Imports: []string{"m/c"}},
	}
	for _, c := range []struct{ files, changed, importers []string }{
		{[]string{"README.md", "docs/x.md", "main.go"}, nil, nil},
		{[]string{"a/x.go"}, []string{"m/a"}, []string{"m/a/b", "m/c"}},
		{[]string{"a/testdata/deep/x.txt"}, []string{"m/a"}, []string{"m/a/b", "m/c"}},
		{[]string{"a/b/new.go", "a/x.go"}, []string{"m/a", "m/a/b"}, []string{"m/c", "m/d"}},
		{[]string{"gone/x.go"}, nil, nil},
	} {
		changed, importers := affected(packages, c.files)
		if !slices.Equal(changed, c.changed) || !slices.Equal(importers, c.importers) {
			t.Errorf("%v: changed %v, importers %v, want %v, %v", c.files, changed, importers, c.changed, c.importers)
		}
	}
}

func TestDone(t *testing.T) {
	for line, want := range map[string]string{
		"ok  \tm/a\t0.1s\n": "m/a", "FAIL\tm/b [build failed]\n": "m/b", "?   \tm/c\t[no test files]\n": "m/c", "FAIL\n": "", "--- FAIL: TestX (0.00s)\n": "",
	} {
		got := ""
		if m := done.FindStringSubmatch(line); m != nil {
			got = m[1]
		}
		if got != want {
			t.Errorf("%q is of %q, want %q", line, got, want)
		}
	}
}
