package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const coinStudy = `coins := &study.Study{
	Name: "coins", Points: study.Grid(study.Values("n", 10, 20)), Replications: 3, Seed: 1,
	Replicate: func(_ context.Context, at study.Point, rng *rand.Rand) (study.Record, error) {
		heads := 0
		for range at.Int("n") * scale {
			heads += rng.IntN(2)
		}
		return study.Record{"heads": heads}, nil
	},
}
results, err := coins.Run(ctx, nil)
if err != nil {
	panic(err)
}
results.Len()`

// TestNotebookStudy: a study that a notebook makes is run, resumed and read from the command line, with its records beside
// the notebook, and nothing of the notebook after it runs.
func TestNotebookStudy(t *testing.T) {
	dir := t.TempDir()
	notebookFile(t, dir, "coins.ipynb", "parameters:scale := 1", coinStudy, `os.WriteFile("after", nil, 0o644)`)
	for range 2 {
		out, errs, status := gaucho(t, dir, "study", "run", "coins.ipynb:coins")
		if status != 0 || out != "coins: 6 records, 0 failed, 0 missing\n" {
			t.Fatalf("status %d, %q, %q", status, out, errs)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "after")); err == nil {
		t.Error("the notebook went on after its study")
	}
	records, err := os.ReadFile(filepath.Join(dir, "studies", "coins.jsonl"))
	if err != nil || strings.Count(string(records), `"heads"`) != 6 {
		t.Errorf("records are %s, error %v", records, err)
	}
	out, _, status := gaucho(t, dir, "study", "export", "coins.ipynb:coins")
	if status != 0 || !strings.HasPrefix(out, "n,replication,heads\n10,0,") || strings.Count(out, "\n") != 7 {
		t.Errorf("export: status %d, %q", status, out)
	}
	if out, _, _ := gaucho(t, dir, "study", "status", "coins.ipynb:coins"); out != "coins: 6 of 6 replications, 0 failed\n" {
		t.Errorf("status says %q", out)
	}
	// With another parameter the function is another, and has records of its own.
	before, _, _ := gaucho(t, dir, "study", "export", "coins.ipynb:coins")
	gaucho(t, dir, "study", "run", "-p", "scale=50", "coins.ipynb:coins")
	if out, errs, status := gaucho(t, dir, "study", "run", "-p", "scael=1000", "coins.ipynb:coins"); status == 0 || !strings.Contains(errs, "no cell tagged parameters declares scael") {
		t.Errorf("a parameter that is misspelled: status %d, %q, %q", status, out, errs)
	}
	after, _, _ := gaucho(t, dir, "study", "export", "-p", "scale=50", "coins.ipynb:coins")
	if before == after || strings.Count(after, "\n") != 7 {
		t.Errorf("with another parameter: %q, before %q", after, before)
	}
}

func TestNotebookStudyBadInput(t *testing.T) {
	dir := t.TempDir()
	notebookFile(t, dir, "coins.ipynb", "scale := 1", coinStudy)
	notebookFile(t, dir, "broken.ipynb", "scale := 1", `panic("before")`, coinStudy)
	notebookFile(t, dir, "none.ipynb", "1")
	for _, c := range []struct{ action, study, want string }{
		{"run", "coins.ipynb:dice", "runs no study called dice; it runs coins"},
		{"run", "none.ipynb:dice", "the notebook runs no studies"},
		{"run", "broken.ipynb:coins", "before"},
		{"submit", "coins.ipynb:coins", "is for built-in studies only"},
		{"show", "coins.ipynb:coins", "coins.jsonl"},
		{"run", "missing.ipynb:coins", "missing.ipynb"},
	} {
		if out, errs, status := gaucho(t, dir, "study", c.action, c.study); status == 0 || !strings.Contains(errs, c.want) {
			t.Errorf("%s %s: status %d, %q, %q, want %s", c.action, c.study, status, out, errs, c.want)
		}
	}
}
