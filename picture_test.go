package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gaucho/internal/modpath"
)

var update = flag.Bool("update", false, "draw the packages in docs/how-a-cell-runs.md and make docs/promises.md again")

// TestPicture: the picture of the packages in docs/how-a-cell-runs.md is that of their imports.
func TestPicture(t *testing.T) {
	const file, begin, end = "docs/how-a-cell-runs.md", "<!-- drawn by go test . -run TestPicture -update -->\n", "<!-- end -->\n"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	old, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the picture", file)
	}
	picture := "\n" + draw(importsOf(t)) + "\n"
	if picture == old {
		return
	}
	if !*update {
		t.Fatalf("the picture in %s is not that of today's imports; draw it with go test . -run TestPicture -update", file)
	}
	if err := os.WriteFile(file, []byte(before+begin+picture+end+after), 0o666); err != nil {
		t.Fatal(err)
	}
}

// drawn reports whether a directory is in the picture: the kernel, the session and the packages that it is made of.
func drawn(dir string) bool {
	parts := strings.Split(dir, "/")
	return dir == "kernel" || parts[0] == "interp" && len(parts) <= 2 && !strings.HasSuffix(dir, "test")
}

// importsOf are the imports between the packages in the picture. What is below a package counts as part of it.
func importsOf(t *testing.T) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	room := func(dir string) string {
		for !drawn(dir) && dir != "." {
			dir = path.Dir(dir)
		}
		return dir
	}
	for _, s := range ownSources(t) {
		from := room(path.Dir(s.name))
		if s.test() || from == "." || s.file.Name.Name == "main" || strings.Contains(s.name, "interp/workertest/") || strings.Contains(s.name, "interp/goldentest/") {
			continue
		}
		if out[from] == nil {
			out[from] = map[string]bool{}
		}
		for _, spec := range s.file.Imports {
			p, _ := strconv.Unquote(spec.Path.Value)
			to, ours := strings.CutPrefix(p, modpath.Path+"/")
			if to = room(to); ours && to != "." && to != from {
				out[from][to] = true
			}
		}
	}
	return out
}

// draw writes the packages floor by floor, each above all that it imports, with what it imports besides what it reaches
// through that anyway.
func draw(imports map[string]map[string]bool) string {
	floor := map[string]int{}
	var height func(string) int
	height = func(p string) int {
		if h := floor[p]; h > 0 {
			return h
		}
		h := 1
		for q := range imports[p] {
			h = max(h, height(q)+1)
		}
		floor[p] = h
		return h
	}
	var reaches func(from, to string) bool
	reaches = func(from, to string) bool {
		for q := range imports[from] {
			if q == to || reaches(q, to) {
				return true
			}
		}
		return false
	}
	packages := slices.Sorted(maps.Keys(imports))
	slices.SortStableFunc(packages, func(a, b string) int { return height(b) - height(a) })
	var b strings.Builder
	last := 0
	for _, p := range packages {
		label := "          "
		if floor[p] != last {
			label = fmt.Sprintf("floor %-4d", floor[p])
			last = floor[p]
		}
		var direct []string
		for _, q := range slices.Sorted(maps.Keys(imports[p])) {
			others := slices.DeleteFunc(slices.Collect(maps.Keys(imports[p])), func(o string) bool { return o == q || !reaches(o, q) })
			if len(others) == 0 {
				direct = append(direct, strings.TrimPrefix(q, "interp/"))
			}
		}
		line := fmt.Sprintf("    %s%-20s", label, p)
		if len(direct) > 0 {
			line += " -> " + strings.Join(direct, ", ")
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}
