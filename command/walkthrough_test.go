package command

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gaucho/command/notebook"
)

// walkthrough is the notebook that docs/studies.md speaks of.
const walkthrough = "../docs/ucb1.ipynb"

// TestWalkThroughIsShort: the page says how many lines of code it has, without blank lines and comments.
func TestWalkThroughIsShort(t *testing.T) {
	nb, err := notebook.ReadFile(walkthrough)
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, c := range nb.Cells {
		for line := range strings.Lines(c.Source) {
			if line = strings.TrimSpace(line); c.Type == "code" && line != "" && !strings.HasPrefix(line, "//") {
				lines++
			}
		}
		if len(c.Outputs) > 0 {
			t.Errorf("%.40q has outputs", c.Source)
		}
	}
	page, err := os.ReadFile("../docs/studies.md")
	if err != nil || !strings.Contains(string(page), "in 120 lines of code") || lines > 120 {
		t.Errorf("%d lines of code, %v", lines, err)
	}
}

// TestWalkThrough runs it in small, twice, and works out from the exported records what it says of theorem 1 and of UCB1-tuned.
func TestWalkThrough(t *testing.T) {
	if testing.Short() {
		t.Skip("it interprets a study")
	}
	dir := t.TempDir()
	text, err := os.ReadFile(walkthrough)
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "ucb1.ipynb", string(text))
	small := []string{"-p", "plays=300", "-p", "runs=6"}
	out, errs, status := gaucho(t, dir, append([]string{"run", "ucb1.ipynb"}, small...)...)
	if status != 0 {
		t.Fatalf("status %d: %s", status, errs)
	}
	for _, name := range []string{"regret.pdf", "column.svg", "column.png"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	records, errs, status := gaucho(t, dir, append([]string{"study", "export", "ucb1.ipynb:ucb1"}, small...)...)
	if status != 0 {
		t.Fatalf("export: status %d: %s", status, errs)
	}
	means := lastRegrets(t, records, 6)
	worst, better := 0.0, 0
	for machines, p := range map[string][]float64{"1": {.9, .6}, "2": {.9, .8}, "3": {.55, .45}, "11": slices.Insert(slices.Repeat([]float64{.6}, 9), 0, .9),
		"12": {.9, .8, .8, .8, .7, .7, .7, .6, .6, .6}, "13": slices.Insert(slices.Repeat([]float64{.8}, 9), 0, .9), "14": slices.Insert(slices.Repeat([]float64{.45}, 9), 0, .55)} {
		bound := 0.0
		for _, q := range p[1:] {
			bound += 8*math.Log(300)/(p[0]-q) + (1+math.Pi*math.Pi/3)*(p[0]-q)
		}
		worst = max(worst, means["UCB1 "+machines]/bound)
		if means["UCB1-tuned "+machines] < means["UCB1 "+machines] {
			better++
		}
	}
	found := regexp.MustCompile(`below the bound\n  agrees: (\S+) \(ucb1\)\n.*better than UCB1\n  (agrees|does not): (\d) `).FindStringSubmatch(out)
	if found == nil {
		t.Fatalf("it prints\n%s", out)
	}
	if found[1] != fmt.Sprintf("%.3g", worst) || found[3] != strconv.Itoa(better) || worst >= 1 {
		t.Errorf("it finds %s of the bound and %s of 7, the records say %v and %d", found[1], found[3], worst, better)
	}
	if again, _, status := gaucho(t, dir, append([]string{"run", "ucb1.ipynb"}, small...)...); status != 0 || !strings.Contains(again, found[0]) {
		t.Errorf("from its records, status %d, it prints\n%s", status, again)
	}
}

// lastRegrets are the means of the field last of a table of 7 machines, 5 policies and n runs, by policy and machines.
func lastRegrets(t *testing.T, table string, n int) map[string]float64 {
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	sums, seen := map[string]float64{}, 0
	for _, row := range rows[1:] {
		if row[column["index"]] != "0" {
			continue
		}
		x, err := strconv.ParseFloat(row[column["last"]], 64)
		if err != nil {
			t.Fatal(err)
		}
		sums[row[column["policy"]]+" "+row[column["machines"]]] += x / float64(n)
		seen++
	}
	if seen != 5*7*n || len(sums) != 5*7 {
		t.Fatalf("%d records of %d points", seen, len(sums))
	}
	return sums
}
