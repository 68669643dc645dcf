package interp

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// studyCell declares a study whose function reaches a helper, a type with a method, a constant and a variable.
const studyCell = `type coin struct{ bias float64 }
func (c coin) flip(rng *rand.Rand) bool { return rng.Float64() < c.bias*scale }
const scale = 1.0
var tosses = 10
func heads(c coin, rng *rand.Rand) (n int) {
	for range tosses {
		if c.flip(rng) { n++ }
	}
	return n
}
s := &study.Study{
	Name: "coin", Version: "1", Seed: 1, Replications: 5, Points: study.Grid(study.Values("bias", 0.25, 0.5)),
	Replicate: func(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
		return study.Record{"heads": heads(coin{p.Float("bias")}, rng)}, nil
	},
}`

func TestStudyKnowsItsSource(t *testing.T) {
	dir := t.TempDir()
	at := "Dir: " + strconv.Quote(dir)
	ts, _ := startTest(t)
	lines := func() (records, headers int) {
		text, err := os.ReadFile(filepath.Join(dir, "coin.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(text), `{"point"`), strings.Count(string(text), `{"study"`)
	}
	run := func(cell string) (records, headers int) {
		t.Helper()
		for _, src := range []string{cell, `res, err := s.Run(ctx, &study.Settings{Workers: 1, ` + at + `}); err`} {
			if src == "" {
				continue
			}
			if res := ts.Execute(context.Background(), Cell{ID: "x", Source: src}); res.Err != nil {
				t.Fatalf("%s\n%v", src, strings.Join(res.Err.Traceback, "\n"))
			}
		}
		return lines()
	}
	want := func(what string, records, headers, r, h int) {
		t.Helper()
		if r != records || h != headers {
			t.Errorf("%s: %d records under %d headers, want %d under %d", what, r, h, records, headers)
		}
	}
	r, h := run(studyCell)
	want("first run", 10, 1, r, h)
	r, h = run("")
	want("second run", 10, 1, r, h)
	r, h = run(strings.NewReplacer("Replications: 5", "Replications: 6", "return n", "return n // heads").Replace(studyCell))
	want("more replications and a comment", 12, 1, r, h)
	r, h = run("func heads(c coin, rng *rand.Rand) (n int) { return 1 }")
	want("another helper", 24, 2, r, h)
	r, h = run("func (c coin) flip(rng *rand.Rand) bool { return true }")
	want("a method of a type that is reached", 36, 3, r, h)
	r, h = run(strings.Replace(studyCell, "Replications: 5", "Replications: 6", 1))
	want("everything as it was", 36, 4, r, h)
	r, h = run("func (c coin) flip(rng *rand.Rand) bool { return true }")
	want("another method", 48, 5, r, h)
	r, h = run("tosses = 20")
	want("another value of a variable", 60, 6, r, h)
	r, h = run("unrelated := 20")
	want("another variable", 60, 6, r, h)
}

// TestStudyIsNumberedAmongStudies: what names a study's source does not depend on how many cells have run.
func TestStudyIsNumberedAmongStudies(t *testing.T) {
	ts, _ := startTest(t)
	const literal = `study.Study{Replicate: func(ctx context.Context, p study.Point, rng *rand.Rand) (study.Record, error) { return nil, nil }}`
	for i, cell := range []string{"1 + 1", "x :=", "a := " + literal + "\na.Source", "2 + 2", "b, c := " + literal + ", " + literal + "\nb.Source + c.Source"} {
		res := ts.Execute(context.Background(), Cell{ID: strconv.Itoa(i), Source: cell})
		want := []string{"2", "", `"cells: study 1"`, "4", `"cells: study 2cells: study 3"`}[i]
		if want != "" && (res.Display == nil || res.Display.Data["text/plain"] != want) {
			t.Errorf("%s: %v, %v, want %s", cell, res.Display, res.Err, want)
		}
	}
}
