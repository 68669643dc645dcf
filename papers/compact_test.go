package papers

import (
	"bytes"
	"context"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"gaucho/stdlib/study"
)

// compactStudy has a number, a number that need not be finite, and paths of different lengths.
func compactStudy() *study.Study {
	return &study.Study{
		Name: "compact.default", Version: "3", Seed: 5, Replications: 5, AnyNumber: true,
		Points: study.Grid(study.Values("m", "a", "b"), study.Values("x", 0.5)),
		Replicate: func(_ context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
			path := make([]float64, 120+rng.IntN(3))
			for i := range path {
				path[i] = float64(i)
			}
			r := study.Record{"n": rng.IntN(100), "f": rng.Float64(), "path": path, "text": "no number"}
			if p.Text("m") == "b" {
				r["f"] = math.Inf(1)
			}
			return r, nil
		},
	}
}

func TestCompact(t *testing.T) {
	s, dir := compactStudy(), t.TempDir()
	if _, err := s.Run(context.Background(), &study.Settings{Workers: 3, Dir: dir}); err != nil {
		t.Fatal(err)
	}
	res, err := s.Load(filepath.Join(dir, "compact.default.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewCompact(res, Small); err == nil {
		t.Error("the small size is taken")
	}
	c, err := NewCompact(res, Default)
	if err != nil {
		t.Fatal(err)
	}
	if c.Study != "compact" || c.Seed != 5 || c.Version != "3" || len(c.Made) != 1 || len(c.Kept) != 2 || c.Missing != 0 {
		t.Errorf("the record is %+v", c)
	}
	want, err := res.Summary(s.Points[0], "n")
	if err != nil {
		t.Fatal(err)
	}
	if n := c.Kept[0].Numbers["n"]; n.N != 5 || float64(n.Median) != want.Median || float64(n.Q3) != want.Q3 || float64(n.Max) != want.Max {
		t.Errorf("n is %+v, want %+v", n, want)
	}
	path := c.Kept[0].Paths["path"]
	if n := len(path.Places); n > 50 || path.Places[0] != 0 || path.Places[1] != 1 || path.Places[n-1] < 119 || float64(path.Median[7]) != float64(path.Places[7]) {
		t.Errorf("the path is %v", path)
	}
	if len(c.Kept[0].Numbers) != 2 {
		t.Errorf("the numbers are %v", c.Kept[0].Numbers)
	}
}

func TestCompactRoundTrip(t *testing.T) {
	res, err := compactStudy().Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewCompact(res, Default)
	if err != nil {
		t.Fatal(err)
	}
	c.Made = []string{"go1.0 on none"}
	dir := filepath.Join(t.TempDir(), "new")
	if _, err := ReadCompact(dir, "compact"); !os.IsNotExist(err) {
		t.Errorf("error %v for no record, want %v", err, fs.ErrNotExist)
	}
	if _, err := WriteCompact(dir, c); err != nil {
		t.Fatal(err)
	}
	first, err := c.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	back, err := ReadCompact(dir, "compact")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := back.Marshal(); err != nil || !bytes.Equal(first, again) {
		t.Errorf("reading and writing gives\n%s, %v, not\n%s", again, err, first)
	}
	if f := back.Kept[1].Numbers["f"].Min; !math.IsInf(float64(f), 1) {
		t.Errorf("an infinity came back as %v", f)
	}
	back.Size = string(Paper)
	if _, err := WriteCompact(dir, back); err != nil {
		t.Fatal(err)
	}
	if _, err := WriteCompact(dir, c); err == nil {
		t.Error("a record of the paper's size was replaced by a smaller one")
	}
	if err := os.WriteFile(filepath.Join(dir, "broken.json"), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadCompact(dir, "broken"); err == nil {
		t.Error("half a record was read")
	}
	if _, err := ReadCompact(dir, "other"); !os.IsNotExist(err) {
		t.Error(err)
	}
}
