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

// TestWalkThrough runs it in small, twice, and works out from the exported records what it says of theorem 1 and of UCB1-tuned. Then
// workers run its study, and have the same records.
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
	regrets := lastRegrets(t, records, 6)
	agrees := map[bool]string{true: "agrees", false: "(does not|undecided)"}
	below, better := true, true
	var bounds, pairs []string
	for _, k := range []struct {
		machines string
		p        []float64
	}{{"1", []float64{.9, .6}}, {"2", []float64{.9, .8}}, {"3", []float64{.55, .45}}, {"11", slices.Insert(slices.Repeat([]float64{.6}, 9), 0, .9)},
		{"12", []float64{.9, .8, .8, .8, .7, .7, .7, .6, .6, .6}}, {"13", slices.Insert(slices.Repeat([]float64{.8}, 9), 0, .9)}, {"14", slices.Insert(slices.Repeat([]float64{.45}, 9), 0, .55)}} {
		bound := 0.0
		for _, q := range k.p[1:] {
			bound += 8*math.Log(300)/(k.p[0]-q) + (1+math.Pi*math.Pi/3)*(k.p[0]-q)
		}
		ucb1, tuned := regrets["UCB1 "+k.machines], regrets["UCB1-tuned "+k.machines]
		mean, half := interval6(ucb1)
		below = below && mean+half < bound
		bounds = append(bounds, fmt.Sprintf("last at policy=UCB1 machines=%s is %.3g (%.3g to %.3g)", k.machines, mean, mean-half, mean+half))
		for i := range tuned {
			tuned[i] = ucb1[i] - tuned[i]
		}
		less, half := interval6(tuned)
		better = better && less-half > 0
		pairs = append(pairs, fmt.Sprintf("at machines=%s: %.3g less (%.3g to %.3g), paired over 6 replications", k.machines, less, less-half, less+half))
	}
	if !strings.Contains(out, "below the bound\n  agrees: "+strings.Join(bounds, "; ")+" (ucb1)") || !below {
		t.Errorf("all are below the bound, %v, by the records: %q; it prints\n%s", below, bounds, out)
	}
	if !regexp.MustCompile("is better than UCB1\n  " + agrees[better] + ": ").MatchString(out) {
		t.Errorf("UCB1-tuned is better, %v, by the records; it prints\n%s", better, out)
	}
	for _, pair := range pairs {
		if !strings.Contains(out, pair) {
			t.Errorf("by the records, %q; it prints\n%s", pair, out)
		}
	}
	if again, _, status := gaucho(t, dir, append([]string{"run", "ucb1.ipynb"}, small...)...); status != 0 || !strings.Contains(again, strings.Join(bounds, "; ")) {
		t.Errorf("from its records, status %d, it prints\n%s", status, again)
	}
	if out := serveWithTwo(t, dir, append(small, "--dir", "far", "ucb1.ipynb:ucb1")...); out != "ucb1: 210 records, 0 failed, 0 missing\n" {
		t.Errorf("the server says %q", out)
	}
	if far, errs, _ := gaucho(t, dir, append([]string{"study", "export"}, append(small, "--dir", "far", "ucb1.ipynb:ucb1")...)...); far != records {
		t.Errorf("workers have other records: %s", errs)
	}
}

// interval6 is the mean of six values, and half the width of its 95% interval: 2.570582 is the quantile of Student's t of 5 degrees of
// freedom in printed tables.
func interval6(x []float64) (mean, half float64) {
	for _, v := range x {
		mean += v / 6
	}
	for _, v := range x {
		half += (v - mean) * (v - mean) / 5
	}
	return mean, 2.570582 * math.Sqrt(half/6)
}

// lastRegrets are the values of the field last in a table of 7 machines, 5 policies and n runs, by policy and machines.
func lastRegrets(t *testing.T, table string, n int) map[string][]float64 {
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	values, seen := map[string][]float64{}, 0
	for _, row := range rows[1:] {
		if row[column["index"]] != "0" {
			continue
		}
		x, err := strconv.ParseFloat(row[column["last"]], 64)
		if err != nil {
			t.Fatal(err)
		}
		name := row[column["policy"]] + " " + row[column["machines"]]
		values[name] = append(values[name], x)
		seen++
	}
	if seen != 5*7*n || len(values) != 5*7 {
		t.Fatalf("%d records of %d points", seen, len(values))
	}
	return values
}
