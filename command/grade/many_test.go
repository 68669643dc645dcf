//go:build linux && (amd64 || arm64)

package grade

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gaucho/command/grade/fence"
	"gaucho/command/notebook"
)

var submissions = flag.Int("submissions", 18, "how many generated submissions TestMany marks")

// A made submission has a notebook, and the marks that it must get; -1 for either.
type made struct {
	notebook    []byte
	test, other float64
}

// TestMany marks generated submissions, right, wrong, broken, slow and hostile ones in no order: every mark is as it must be,
// a second run gives the same bytes, and so does one that is killed in the middle and taken up again. Times are left out: by
// which of its two clocks a cell ends depends on what else the machine does.
func TestMany(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	if err := fence.Available(); err != nil {
		t.Skip(err)
	}
	a, in := assignment(t), t.TempDir()
	rng := rand.New(rand.NewPCG(24, 1))
	want := map[string]made{}
	for i := range *submissions {
		kind := []string{"right", "right", "wrong", "broken", "slow", "hostile"}[i%6]
		student := fmt.Sprintf("%03d-%s", rng.IntN(1000), kind)
		for want[student].notebook != nil {
			student += "x"
		}
		m := generate(t, rng, kind, i)
		want[student] = m
		if err := os.WriteFile(filepath.Join(in, student+".ipynb"), m.notebook, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	grade := func(out string) *exec.Cmd {
		cmd := exec.Command(os.Args[0], "grade", filepath.Join(a.notebook.Dir, "ps.ipynb"), in, out)
		cmd.Stderr = os.Stderr
		return cmd
	}
	first, second, killed := t.TempDir(), t.TempDir(), t.TempDir()
	for _, out := range []string{first, second} {
		if err := grade(out).Run(); err != nil {
			t.Fatal(err)
		}
	}
	cmd := grade(killed)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	limit := time.Duration(*submissions) * 20 * time.Second
	deadline := time.Now().Add(limit)
	for lines := 0; lines < *submissions/2; time.Sleep(10 * time.Millisecond) {
		text, _ := os.ReadFile(filepath.Join(killed, markedFile))
		if lines = bytes.Count(text, []byte("\n")); time.Now().After(deadline) {
			t.Fatalf("waited %v for half of %d to be marked, have %d", limit, *submissions, lines)
		}
	}
	cmd.Process.Kill()
	cmd.Wait()
	if err := grade(killed).Run(); err != nil {
		t.Fatal(err)
	}

	rows := table(t, first)
	for student, m := range want {
		row := rows[student] // student, points, of, test, other, note
		if len(row) != 6 || m.test >= 0 && row[3] != number(m.test) || m.other >= 0 && row[4] != number(m.other) {
			t.Errorf("%s has the row %q, want %v for the test and %v for the other", student, row, m.test, m.other)
		}
	}
	for _, name := range append([]string{"grades.csv"}, pages(want)...) {
		var all [3]string
		var errs error
		for i, dir := range []string{first, second, killed} {
			text, err := os.ReadFile(filepath.Join(dir, name))
			all[i], errs = withoutTimes(text), errors.Join(errs, err)
		}
		if errs != nil || all[0] != all[1] || all[0] != all[2] {
			t.Errorf("%s is not the same three times, %v: %s", name, errs, differenceOf(all[0], all[1], all[2]))
		}
	}
}

func pages(want map[string]made) (names []string) {
	for _, student := range slices.Sorted(maps.Keys(want)) {
		if !strings.Contains(student, "hostile") { // what those show is their own affair
			names = append(names, filepath.Join("feedback", student+".html"))
		}
	}
	return names
}

var times = regexp.MustCompile(`took longer than [0-9.a-z]+( together| by the clock)?|nonce(="|-)[0-9a-f]+|<!-- [0-9a-f]+ -->`)

// withoutTimes also drops all but the test's mark of hostile submissions: several limits may end one that runs into all of them,
// and whether its process lives on to the next cell depends on which comes first.
func withoutTimes(text []byte) string {
	var b strings.Builder
	for line := range strings.Lines(times.ReplaceAllString(string(text), "")) {
		if strings.Contains(line, "-hostile") && strings.Count(line, ",") >= 5 {
			fields := strings.SplitN(line, ",", 6)
			line = fields[0] + "," + fields[3] + "\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

func differenceOf(texts ...string) string {
	for i := range texts[0] {
		for _, other := range texts[1:] {
			if i >= len(other) || other[i] != texts[0][i] {
				return fmt.Sprintf("%q and %q", clip(texts[0][max(0, i-80):], 200), clip(other[max(0, min(i, len(other))-80):], 200))
			}
		}
	}
	return "lengths differ"
}

// generate makes one submission.
func generate(t *testing.T, rng *rand.Rand, kind string, i int) made {
	pick := func(all ...string) string { return all[rng.IntN(len(all))] }
	own := pick("", "xs := []float64{1, 2, 3}\nfmt.Println(len(xs))", "fmt.Println(`hello`)", "undefined + 1", "panic(`mine`)", "%who")
	rights := []string{"return 2 * x", "return x + x", "return x * 2", "y := x; y += x; return y", "return x / 0.5", "return math.FMA(x, 2, 0)",
		"s := 0.0; for range 2 { s += x }; return s", "f := func(a, b float64) float64 { return a + b }; return f(x, x)",
		"b, _ := os.ReadFile(`data.txt`); if string(b) != `21` { return 0 }; return 2 * x", "defer func() { recover() }(); return 2 * x",
		"c := make(chan float64); go func() { c <- 2 * x }(); return <-c", "return map[bool]float64{true: 2 * x}[true]"}
	f := func(body string) string { return "func Double(x float64) float64 { " + body + " }" }
	switch kind {
	case "right":
		return made{encode(t, own, f(pick(rights...))), 3, 1}
	case "wrong":
		return made{encode(t, own, f(pick("return 2*x + 1", "return x", "return 0", "return -2 * x", "if x > 4 { return 0 }; return 2 * x", "return float64(int(x) * 2)",
			"return math.NaN()", "return math.Inf(1)", "panic(`not implemented`)", "return 7", "var xs []float64; return xs[int(x)]"))), 0, 1}
	case "broken":
		switch rng.IntN(6) {
		case 0:
			return made{[]byte("{"), 0, 0}
		case 1:
			return made{nil, 0, 0}
		case 2:
			return made{[]byte(`{"nbformat": 4, "nbformat_minor": 5, "metadata": {"language_info": {"name": "python"}}, "cells": []}`), 0, 0}
		case 3:
			return made{[]byte(`{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []}`), 0, 1}
		case 4:
			return made{encode(t, own, "func Double(x float64 {"), 0, 1}
		}
		return made{encode(t, own, "func Double(x float64) string { return `7` }"), 0, 1}
	case "slow":
		if rng.IntN(2) == 0 {
			return made{encode(t, "time.Sleep(50 * time.Millisecond)", f(pick(rights...))), 3, 1}
		}
		return made{encode(t, own, f(pick("for {}", "for { x++ }", "var c chan int; <-c; return 2 * x"))), 0, -1}
	}
	all := map[string]string{}
	maps.Copy(all, hostile)
	maps.Copy(all, hostileToo)
	names := slices.Sorted(maps.Keys(all))
	return made{encode(t, "", all[names[(i*7)%len(names)]]), 0, -1}
}

func encode(t *testing.T, own, solution string) []byte {
	var b bytes.Buffer
	cells := []*notebook.Cell{{Type: "markdown", Source: "# Mine\n\n$x$ and *y*"}, cell("", own, 0), cell("double", solution, 0),
		cell("test", "// mine", 3), cell("other", "", 1)}
	if err := homework("", cells...).Encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
