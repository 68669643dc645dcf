package study

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

func coin(replicate func(Point, *rand.Rand) (Record, error)) *Study {
	return &Study{
		Name: "coin", Version: "1", Seed: 7, Replications: 20, Paired: []string{"method"},
		Points: Grid(Values("method", "a", "b"), Values("n", 10, 20, 40), Values("bias", 0.5, 1.0)),
		Replicate: func(_ context.Context, p Point, rng *rand.Rand) (Record, error) {
			return replicate(p, rng)
		},
	}
}

func flip(p Point, rng *rand.Rand) (Record, error) {
	heads := 0
	path := []float64{}
	for range p.Int("n") {
		if rng.Float64() < p.Float("bias") {
			heads++
		}
		path = append(path, float64(heads)/3)
	}
	return Record{"heads": heads, "share": float64(heads) / float64(p.Int("n")), "path": path, "all": heads == p.Int("n"), "label": p.Text("method")}, nil
}

func csvOf(t *testing.T, r *Results) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.WriteCSV(&b, false); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestSameBytesForAnyWorkersAndShards(t *testing.T) {
	ctx := context.Background()
	whole, err := coin(flip).Run(ctx, &Settings{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	want := csvOf(t, whole)
	if n := strings.Count(want, "\n"); n != 1+2*2*20*(10+20+40) {
		t.Fatalf("%d lines", n)
	}
	for _, workers := range []int{2, 4, 9} {
		r, err := coin(flip).Run(ctx, &Settings{Workers: workers, Dir: t.TempDir()})
		if err != nil || csvOf(t, r) != want {
			t.Errorf("%d workers: other results, %v", workers, err)
		}
	}
	for _, shards := range []int{2, 7} {
		dir := t.TempDir()
		done := 0
		for i := 1; i <= shards; i++ {
			r, err := coin(flip).Run(ctx, &Settings{Workers: 2, Dir: dir, Shard: i, Shards: shards})
			if err != nil {
				t.Fatal(err)
			}
			done += r.Len()
		}
		if done != 240 {
			t.Errorf("%d shards ran %d replications, want 240", shards, done)
		}
		merged, err := coin(flip).Merge(dir)
		if err != nil || csvOf(t, merged) != want {
			t.Errorf("%d shards: other results, %v", shards, err)
		}
	}
}

func TestStreams(t *testing.T) {
	s := coin(flip)
	draw := func(s *Study, p Point, rep int) uint64 { return s.Rand(p, rep).Uint64() }
	a, b := NewPoint("method", "a", "n", 10, "bias", 0.5), NewPoint("bias", 0.5, "n", 10, "method", "b")
	if draw(s, a, 3) != draw(s, b, 3) {
		t.Error("paired methods see different data")
	}
	for _, other := range []uint64{draw(s, a, 4), draw(s, NewPoint("method", "a", "n", 20, "bias", 0.5), 3),
		draw(&Study{Name: "coin", Seed: 8, Paired: s.Paired}, a, 3), draw(&Study{Name: "dice", Seed: 7, Paired: s.Paired}, a, 3)} {
		if other == draw(s, a, 3) {
			t.Error("two streams are the same")
		}
	}
	// Frozen: records that people keep depend on it. Do not change.
	if got := draw(s, a, 3); got != 0xbd08b8198a79f706 {
		t.Errorf("the stream has changed: %#x", got)
	}
}

func TestResume(t *testing.T) {
	dir := t.TempDir()
	var runs atomic.Int64
	ctx, cancel := context.WithCancel(context.Background())
	s := coin(func(p Point, rng *rand.Rand) (Record, error) {
		if runs.Add(1) == 100 {
			cancel()
		}
		return flip(p, rng)
	})
	r, err := s.Run(ctx, &Settings{Workers: 2, Dir: dir})
	if !errors.Is(err, context.Canceled) || r.Missing == 0 || r.Len() == 0 {
		t.Fatalf("cancelled run: %v, %d records, %d missing", err, r.Len(), r.Missing)
	}
	had := r.Len()
	file := filepath.Join(dir, "coin.jsonl")
	text, _ := os.ReadFile(file)
	os.WriteFile(file, append(text, `{"point":{"method":"a`...), 0o666)
	runs.Store(1000)
	r, err = s.Run(context.Background(), &Settings{Workers: 2, Dir: dir})
	if err != nil || r.Missing != 0 || int(runs.Load())-1000 != 240-had+1 { // one is run anew
		t.Errorf("resumed run: %v, %d missing, %d run for %d", err, r.Missing, runs.Load()-1000, 240-had)
	}
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "torn") {
		t.Errorf("notes: %q", r.Notes)
	}
	fresh, _ := coin(flip).Run(context.Background(), nil)
	if csvOf(t, r) != csvOf(t, fresh) {
		t.Error("a resumed run gives other results")
	}
	runs.Store(0)
	if r, err = s.Run(context.Background(), &Settings{Workers: 2, Dir: dir}); err != nil || runs.Load() != 1 || csvOf(t, r) != csvOf(t, fresh) {
		t.Errorf("a finished study ran %d replications, %v", runs.Load(), err)
	}
	s.Replications = 21
	if _, err = s.Run(context.Background(), &Settings{Workers: 2, Dir: dir}); err != nil || runs.Load() != 1+1+12 {
		t.Errorf("one more replication at 12 points ran %d, %v", runs.Load(), err)
	}
	s.Version = "2"
	runs.Store(1000)
	if r, err = s.Run(context.Background(), &Settings{Workers: 2, Dir: dir}); err != nil || runs.Load() != 1000+252 || len(r.Notes) != 1 {
		t.Errorf("another version ran %d, %v, %q", runs.Load()-1000, err, r.Notes)
	}
}

func TestFailures(t *testing.T) {
	dir := t.TempDir()
	bad := true
	s := coin(func(p Point, rng *rand.Rand) (Record, error) {
		if bad && p.Matches("method", "b", "n", 20) {
			if p.Float("bias") == 1 {
				panic("no such coin")
			}
			return nil, errors.New("lost the coin")
		}
		return flip(p, rng)
	})
	r, err := s.Run(context.Background(), &Settings{Workers: 2, Dir: dir})
	var f *Failure
	if !errors.As(err, &f) || len(r.Failures) != 40 || r.Len() != 200 {
		t.Fatalf("%v, %d failures, %d records", err, len(r.Failures), r.Len())
	}
	if f.Error() != "study coin: method=b n=20 bias=0.5, replication 0, seed 7: lost the coin" {
		t.Error(f)
	}
	if _, err := s.One(context.Background(), NewPoint("method", "b", "n", 20, "bias", 1.0), 5); err == nil || !strings.Contains(err.Error(), "replication 5, seed 7: panic: no such coin") {
		t.Error(err)
	}
	bad = false
	if r, err = s.Run(context.Background(), &Settings{Workers: 2, Dir: dir}); err != nil || r.Len() != 240 {
		t.Errorf("failed replications are not tried again: %v", err)
	}
}

func TestBadInput(t *testing.T) {
	for want, change := range map[string]func(*Study){
		`name is "a/b"`:                       func(s *Study) { s.Name = "a/b" },
		"empty grid":                          func(s *Study) { s.Points = nil },
		"0 replications":                      func(s *Study) { s.Replications = 0 },
		"twice":                               func(s *Study) { s.Points = append(s.Points, NewPoint("bias", 0.5, "method", "a", "n", 10)) },
		"no Replicate":                        func(s *Study) { s.Replicate = nil },
		`pairs "m"`:                           func(s *Study) { s.Paired = []string{"m"} },
		"field x of the record is NaN":        func(s *Study) { s.Replicate = recordOf("x", math.NaN()) },
		"field c of the record is a chan int": func(s *Study) { s.Replicate = recordOf("c", make(chan int)) },
	} {
		s := coin(flip)
		change(s)
		if _, err := s.Run(context.Background(), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	for _, o := range []*Settings{{Workers: 1, Shard: 3, Shards: 2}, {Workers: -1}, {Workers: 1, Shards: 2}} {
		if _, err := coin(flip).Run(context.Background(), o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
	dir := t.TempDir()
	other := coin(flip)
	if _, err := other.Run(context.Background(), &Settings{Workers: 1, Dir: dir}); err != nil {
		t.Fatal(err)
	}
	os.Rename(filepath.Join(dir, "coin.jsonl"), filepath.Join(dir, "dice.jsonl"))
	before, _ := os.ReadFile(filepath.Join(dir, "dice.jsonl"))
	other.Name = "dice"
	_, err := other.Run(context.Background(), &Settings{Workers: 1, Dir: dir})
	after, _ := os.ReadFile(filepath.Join(dir, "dice.jsonl"))
	if err == nil || !bytes.Equal(before, after) {
		t.Errorf("a file of another study was taken: %v", err)
	}
}

func recordOf(name string, v any) func(context.Context, Point, *rand.Rand) (Record, error) {
	return func(context.Context, Point, *rand.Rand) (Record, error) { return Record{name: v}, nil }
}

func TestPointsSurviveFiles(t *testing.T) {
	p := NewPoint("s", "a \"quoted\" NaN", "i", int64(3), "f", 3.0, "b", true, "tiny", 1e-300)
	js, err := p.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var q Point
	if err := q.UnmarshalJSON(js); err != nil || fmt.Sprintf("%#v", q) != fmt.Sprintf("%#v", p) {
		t.Errorf("%#v came back as %#v, %v", p, q, err)
	}
}

func TestSummary(t *testing.T) {
	s := summarise([]float64{4, 1, 3, 2})
	// R: quantile(c(1,2,3,4)); sd(c(1,2,3,4))/2
	if s.Q1 != 1.75 || s.Median != 2.5 || s.Q3 != 3.25 || s.Mean != 2.5 || math.Abs(s.StdErr-0.6454972243679028) > 1e-15 {
		t.Errorf("%+v", s)
	}
	fit, err := LogLogSlope([]float64{1, 10, 100, 1000}, []float64{5, 0.5, 0.05, 0.005})
	if err != nil || math.Abs(fit.Slope+1) > 1e-12 || fit.StdErr > 1e-12 {
		t.Errorf("%+v, %v", fit, err)
	}
}

func TestOneWriterAFile(t *testing.T) {
	dir := t.TempDir()
	s := coin(flip)
	w, _, err := openLog(filepath.Join(dir, "coin.jsonl"), mustHeader(t, s), newTable(s))
	if err != nil {
		t.Fatal(err)
	}
	defer w.close()
	if _, err := s.Run(context.Background(), &Settings{Workers: 1, Dir: dir}); err == nil || !strings.Contains(err.Error(), "another process writes") {
		t.Error(err)
	}
}

func BenchmarkOverhead(b *testing.B) {
	s := &Study{Name: "nothing", Points: []Point{NewPoint("x", 1)}, Replications: b.N,
		Replicate: func(context.Context, Point, *rand.Rand) (Record, error) { return Record{"x": 1.0}, nil }}
	b.ReportAllocs()
	if _, err := s.Run(context.Background(), &Settings{Workers: 2, Dir: b.TempDir()}); err != nil {
		b.Fatal(err)
	}
}

// TestSecondsLeft: points that have begun are judged by what they took, others by what the study says or by all.
func TestSecondsLeft(t *testing.T) {
	s := coin(flip)
	s.Replications = 4
	s.Points = s.Points[:3]
	table := newTable(s)
	for at, seconds := range map[int]float32{0: 1, 1: 3, 2: 2, 3: 2, 4: 10} { // point 0 is done, 1 has one of four, 2 none
		table.at[at] = outcome{record: Record{"heads": 1.0}, seconds: seconds}
	}
	if got, want := table.results().SecondsLeft(), 3*10+4*18/5.0; math.Abs(got-want) > 1e-9 {
		t.Errorf("%v seconds are left, want %v", got, want)
	}
	s.Seconds = 7
	if got, want := table.results().SecondsLeft(), 3*10+4*7.0; got != want {
		t.Errorf("%v seconds are left, want %v", got, want)
	}
}

func mustHeader(t *testing.T, s *Study) header {
	t.Helper()
	h, err := s.header()
	if err != nil {
		t.Fatal(err)
	}
	return h
}
