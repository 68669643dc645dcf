package export

import (
	"strings"
	"testing"
)

// TestStudiesHaveSources has a study in a function, with a variable of the session and one of the function.
func TestStudiesHaveSources(t *testing.T) {
	p, err := Notebook(t.Context(), t.TempDir(), []Cell{{Source: "scale := 2.0"}, {Source: `func experiment(k float64) *study.Study {
	return &study.Study{
		Name: "e", Points: study.Grid(study.Values("n", 1)), Replications: 1,
		Replicate: func(ctx context.Context, at study.Point, rng *rand.Rand) (study.Record, error) {
			return study.Record{"v": k * scale}, nil
		},
	}
}`}, {Source: "experiment(3).Run(ctx, nil)"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"//go:embed main.go\nvar programText string\n",
		`study.Study{Source: programText, Reads: func() map[string]any { return map[string]any{"scale": scale, "local k": k} },`,
	} {
		if !strings.Contains(string(p.Source), want) {
			t.Errorf("the program lacks %s:\n%s", want, p.Source)
		}
	}
}
