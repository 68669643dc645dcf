package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWritten: the page and README's table are what the records give, and every group has its picture.
func TestWritten(t *testing.T) {
	root := filepath.Join("..", "..")
	groups, err := read(filepath.Join(root, "bench", "results"))
	if err != nil {
		t.Fatal(err)
	}
	if len(groups) == 0 {
		t.Fatal("bench/results has no records")
	}
	written, err := os.ReadFile(filepath.Join(root, "docs", "benchmarks.md"))
	if err != nil || string(written) != page(groups) {
		t.Errorf("docs/benchmarks.md is not what bench/results has: go run ./bench/page (%v)", err)
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if want, err := withSummary(string(readme), groups); err != nil || string(readme) != want {
		t.Errorf("README.md is not what bench/results has: go run ./bench/page (%v)", err)
	}
	for _, g := range groups {
		if len(g.peers()) == 0 {
			continue
		}
		if _, err := os.Stat(filepath.Join(root, "docs", "benchmarks", g.Name+".png")); err != nil {
			t.Errorf("%v: go run ./bench/page", err)
		}
	}
}

// TestEveryBenchmark: the page has a place for every benchmark there is.
func TestEveryBenchmark(t *testing.T) {
	scripts, err := filepath.Glob(filepath.Join("..", "*", "bench.py"))
	if err != nil {
		t.Fatal(err)
	}
	if len(scripts) != len(titles) {
		t.Errorf("there are %d benchmarks, the page has %d groups", len(scripts), len(titles))
	}
	for _, s := range scripts {
		if name := filepath.Base(filepath.Dir(s)); place(name) < 0 {
			t.Errorf("%s is no group of the page", name)
		}
	}
}

// TestRead reads a record of two rows: 3, 2 and 4 times a peer with the goal 3.5, and 5 MiB where 4 are the most.
func TestRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "em.jsonl")
	record := `{"group": "em", "about": "First.\n\n    a command\n\nSecond."}
{"title": "times", "own": [1, 2, 1], "peer": "other", "other": [3, 4, 4], "unit": "s", "goal": 3.5}
{"title": "memory", "own": [5242880], "unit": "B", "most": 4194304}
`
	if err := os.WriteFile(file, []byte(record), 0o644); err != nil {
		t.Fatal(err)
	}
	g, err := readGroup(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(g.paragraphs(), "|"); got != "First.|Second." {
		t.Errorf("paragraphs %q", got)
	}
	for i, want := range []string{"1.00 s|4.00 s|other|3.00 (2.00 to 4.00)|3.50", "5.00 MiB||||at most 4.00 MiB"} {
		if got := strings.Join(g.rows[i].cells(), "|"); got != want {
			t.Errorf("row %d is %s, want %s", i, got, want)
		}
		if v := g.verdict(&g.rows[i]); v != missed {
			t.Errorf("row %d: %v", i, v)
		}
	}
	g.Disturbed = []string{"something else ran"}
	for _, r := range g.rows {
		if v := g.verdict(&r); v != open {
			t.Errorf("%s on a busy machine: %v", r.Title, v)
		}
	}
	g.rows[0].Other[1], g.rows[0].Other[2] = 6, 3.5 // 3, 3 and 3.5 times
	if v := g.verdict(&g.rows[0]); v != missed {
		t.Errorf("a ratio far below its goal in all rounds: %v", v)
	}
	if got := strings.Join((&row{Own: []float64{1.1, 0.9, 1}, Most: 1.25}).cells(), "|"); got != "1.00||||at most 1.25" {
		t.Errorf("a row without a unit is %s", got)
	}
	g.rows[0].Goal, g.rows[1].Most = 3, 5<<20
	for _, r := range g.rows {
		if v := g.verdict(&r); v != met {
			t.Errorf("%s: %v", r.Title, v)
		}
	}
	for _, wrong := range []string{
		`{"group": "nothing"}`,
		`{"group": "em"} {"title": "fewer", "own": [1, 2], "other": [1]}`,
		`{"group": "em"} {"title": "none"}`,
		`{"group": "em"} {"title": "nothing took time", "own": [0]}`,
	} {
		if err := os.WriteFile(file, []byte(wrong), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := readGroup(file); err == nil {
			t.Errorf("%s is read", wrong)
		}
	}
}
