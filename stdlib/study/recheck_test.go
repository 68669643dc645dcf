package study

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// constant is a study whose records hold what v points to.
func constant(v *float64, calls *atomic.Int64) *Study {
	return &Study{Name: "c", Points: Grid(Values("n", 1, 2)), Replications: 5, Seed: 1,
		Replicate: func(context.Context, Point, *rand.Rand) (Record, error) {
			calls.Add(1)
			return Record{"v": *v}, nil
		}}
}

func TestRecheck(t *testing.T) {
	v, dir := 1.0, t.TempDir()
	var calls atomic.Int64
	s := constant(&v, &calls)
	run := func() (*Results, error) { return s.Run(context.Background(), &Settings{Dir: dir, Workers: 2}) }
	if _, err := run(); err != nil {
		t.Fatal(err)
	}
	calls.Store(0)
	if res, err := run(); err != nil || calls.Load() != 1 || res.Len() != 10 || len(res.Notes) > 0 {
		t.Errorf("an unchanged study: %d records, %d run anew, notes %v, %v", res.Len(), calls.Load(), res.Notes, err)
	}
	v = math.Nextafter(1, 2)
	_, err := run()
	if err == nil || !strings.Contains(err.Error(), `{"v":1.0}, and running it again gives {"v":1.0000000000000002}`) {
		t.Errorf("a change of the last bit: %v", err)
	}
	if _, err := s.Run(context.Background(), &Settings{Dir: dir, Fresh: true}); err != nil {
		t.Error(err)
	}
	if _, err := run(); err != nil {
		t.Error(err)
	}
}

// TestRecheckTimes has a function that measures something, as a benchmark does.
func TestRecheckTimes(t *testing.T) {
	var calls atomic.Int64
	s := &Study{Name: "t", Points: Grid(Values("n", 1)), Replications: 3}
	s.Replicate = func(context.Context, Point, *rand.Rand) (Record, error) {
		return Record{"ms": float64(calls.Add(1))}, nil
	}
	dir := t.TempDir()
	for i := range 2 {
		res, err := s.Run(context.Background(), &Settings{Dir: dir})
		if noted := err == nil && len(res.Notes) == 1 && strings.Contains(res.Notes[0], "something else each time"); err != nil || noted != (i == 1) {
			t.Errorf("run %d: %v, %v", i, res.Notes, err)
		}
	}
}

func TestReads(t *testing.T) {
	v, dir := 1.0, t.TempDir()
	var calls atomic.Int64
	s := constant(&v, &calls)
	m := map[string]*float64{"v": &v}
	s.Reads = func() map[string]any { return map[string]any{"m": m} }
	for _, want := range []float64{1, 2, math.Copysign(0, -1), 0} {
		v = want
		res, err := s.Run(context.Background(), &Settings{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, rec := res.Row(0); math.Float64bits(rec["v"].(float64)) != math.Float64bits(want) {
			t.Errorf("the study says %v, want %v", rec, want)
		}
	}
	for name, bad := range map[string]any{
		"channel": make(chan int), "file": os.Stdout, "function": func() float64 { return v }, "method": strings.NewReader("").Len,
	} {
		s.Reads = func() map[string]any { return map[string]any{"bad": []any{bad}} }
		if _, err := s.Run(context.Background(), &Settings{Dir: dir}); err == nil || !strings.Contains(err.Error(), "reads bad[0]") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := s.Run(context.Background(), nil); err != nil {
			t.Errorf("%s, without a file: %v", name, err)
		}
	}
}

func TestOneMapForAllRecords(t *testing.T) {
	one := Record{}
	s := &Study{Name: "one", Points: Grid(Values("n", 1)), Replications: 6,
		Replicate: func(_ context.Context, _ Point, rng *rand.Rand) (Record, error) {
			one["x"] = rng.Float64()
			return one, nil
		}}
	res, err := s.Run(context.Background(), &Settings{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i := range res.Len() {
		p, rep, rec := res.Row(i)
		if want := s.Rand(p, rep).Float64(); rec["x"] != want {
			t.Errorf("record %d is %v, want %v", i, rec, want)
		}
	}
}

func TestEmptyError(t *testing.T) {
	s := &Study{Name: "e", Points: Grid(Values("n", 1)), Replications: 3,
		Replicate: func(_ context.Context, _ Point, rng *rand.Rand) (Record, error) { return nil, errors.New("") }}
	dir := t.TempDir()
	for range 2 {
		res, err := s.Run(context.Background(), &Settings{Dir: dir})
		if err == nil || len(res.Failures) != 3 || res.Len() != 0 {
			t.Errorf("%d failures, %d records, %v", len(res.Failures), res.Len(), err)
		}
	}
}

func TestGoexit(t *testing.T) {
	s := &Study{Name: "g", Points: Grid(Values("n", 1)), Replications: 6,
		Replicate: func(_ context.Context, _ Point, rng *rand.Rand) (Record, error) {
			if rng.IntN(2) == 0 {
				runtime.Goexit()
			}
			return Record{"x": 1.0}, nil
		}}
	want := 0
	for rep := range 6 {
		want += 1 - s.Rand(s.Points[0], rep).IntN(2)
	}
	for _, workers := range []int{1, 3} {
		res, err := s.Run(context.Background(), &Settings{Workers: workers})
		if err == nil || len(res.Failures) != want || res.Len() != 6-want || res.Missing != 0 || want == 0 {
			t.Errorf("%d failures, want %d; %d records, %d missing, %v", len(res.Failures), want, res.Len(), res.Missing, err)
		}
	}
}

func TestFresh(t *testing.T) {
	v, dir := 1.0, t.TempDir()
	var calls atomic.Int64
	s := constant(&v, &calls)
	long, err := s.Open(&Settings{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Run(context.Background(), &Settings{Dir: dir, Fresh: true}); err == nil || !strings.Contains(err.Error(), "another process writes") {
		t.Errorf("Fresh beside a run: %v", err)
	}
	if err := long.Close(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := s.Run(context.Background(), &Settings{Dir: dir, Fresh: true}); err != nil {
			t.Fatal(err)
		}
	}
	for name, records := range map[string]int{"c.jsonl": 10, "c.jsonl.old": 0, "c.jsonl.old2": 10, "c.jsonl.old3": 10} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if n := strings.Count(string(text), `{"point"`); err != nil || n != records {
			t.Errorf("%s has %d records, want %d, %v", name, n, records, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "c.jsonl.old4")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestTextsOfRecords(t *testing.T) {
	for text, ok := range map[string]bool{"NaN": false, "+Inf": false, "a\xff": false, "nan": true, "ä <b>": true, "\ufffd": true, "": true} {
		s := &Study{Name: "s", Points: Grid(Values("n", 1)), Replications: 1,
			Replicate: func(context.Context, Point, *rand.Rand) (Record, error) { return Record{"s": text}, nil }}
		dir := t.TempDir()
		for range 2 {
			res, err := s.Run(context.Background(), &Settings{Dir: dir})
			if (err == nil) != ok {
				t.Errorf("%q: %v", text, err)
			} else if ok {
				if _, _, rec := res.Row(0); rec["s"] != text {
					t.Errorf("%q came back as %q", text, rec["s"])
				}
			}
		}
	}
}

func TestGridNames(t *testing.T) {
	for what, f := range map[string]func(){
		"named twice": func() { Grid(Values("n", 1, 2), Values("n", 3, 4)) },
		"UTF-8":       func() { NewPoint("n", "a\xff") },
		"an int":      func() { NewPoint("n", uint64(math.MaxUint64)) },
	} {
		func() {
			defer func() {
				if err, _ := recover().(error); err == nil || !strings.Contains(err.Error(), what) {
					t.Errorf("%s: %v", what, err)
				}
			}()
			f()
		}()
	}
	if p := NewPoint("a", uint(3), "b", uint64(4)); p.Int("a") != 3 || p.Int("b") != 4 {
		t.Error(p)
	}
}

// TestValuesOfSlices: a slice stands for its elements, and makes the points that these written out make.
func TestValuesOfSlices(t *testing.T) {
	want := Grid(Values("m", "1", "2", "11"), Values("n", 1, 2, 4), Values("x", .5, 1.5, true))
	got := Grid(Values("m", []string{"1", "2", "11"}), Values("n", 1, []int8{2, 4}), Values("x", []any{.5, 1.5}, [1]bool{true}))
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if points := Grid(Values("m", []string{})); len(points) != 0 {
		t.Errorf("no values make %v", points)
	}
}

func TestPointsThatAreNone(t *testing.T) {
	s := &Study{Name: "p", Points: append(Grid(Values("policy", "UCB1", "greedy"), Values("n", 1, 2)), NewPoint("policy", "none", "n", 3)), Replications: 1,
		Replicate: func(context.Context, Point, *rand.Rand) (Record, error) { return Record{"x": 1.0}, nil }}
	res, err := s.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewCompact(res)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range []Findings{res, c} {
		if got := f.Points("n", 1.0); !slices.Equal([]string{got[0].String(), got[1].String()}, []string{"policy=UCB1 n=1", "policy=greedy n=1"}) || len(got) != 2 {
			t.Errorf("n=1.0 are %v", got)
		}
		if sum, err := f.Summary(NewPoint("policy", "UCB1", "n", 1.0), "x"); err != nil || sum.Mean != 1 {
			t.Errorf("at n=1.0: %v, %v", sum, err)
		}
		for what, pairs := range map[string][]any{
			"has no parameter polcy; it has policy, n":                {"polcy", "UCB1"},
			"policy=UCB; the values of policy are [UCB1 greedy none]": {"policy", "UCB"},
			"no point with policy=UCB1 n=3":                           {"policy", "UCB1", "n", 3},
		} {
			func() {
				defer func() {
					if err, _ := recover().(error); err == nil || !strings.Contains(err.Error(), what) {
						t.Errorf("%v: %v, want %s", pairs, err, what)
					}
				}()
				f.Points(pairs...)
			}()
		}
	}
	if _, err := res.Floats(NewPoint("policy", "UCB1", "n", 9), "x"); err == nil {
		t.Error("a point that is none has numbers")
	}
}

func TestMergeOtherData(t *testing.T) {
	v, dir := 1.0, filepath.Join(t.TempDir(), "a [1]")
	var calls atomic.Int64
	s := constant(&v, &calls)
	shard := func(i int) {
		t.Helper()
		if _, err := s.Run(context.Background(), &Settings{Dir: dir, Shard: i, Shards: 2, Fresh: true}); err != nil {
			t.Fatal(err)
		}
	}
	shard(1)
	shard(2)
	if res, err := s.Merge(dir); err != nil || res.Len() != 10 {
		t.Fatal(res, err)
	}
	if err := os.Remove(filepath.Join(dir, "c.jsonl")); err != nil {
		t.Fatal(err)
	}
	v = 3
	shard(2)
	if _, err := s.Merge(dir); err == nil || !strings.Contains(err.Error(), "running it again gives") {
		t.Errorf("shards of two data sets: %v", err)
	}
	s.Reads = func() map[string]any { return map[string]any{"v": v} }
	shard(1)
	if _, err := s.Merge(dir); err == nil || !strings.Contains(err.Error(), "another version, seed or function") {
		t.Errorf("a shard of another source: %v", err)
	}
}

// BenchmarkReadAgain reads 10^6 records.
func BenchmarkReadAgain(b *testing.B) {
	s := &Study{Name: "million", Points: Grid(Values("m", "a", "b"), Values("n", 1, 2, 3, 4, 5)), Replications: 100_000,
		Replicate: func(_ context.Context, _ Point, rng *rand.Rand) (Record, error) {
			return Record{"x": rng.Float64(), "y": rng.Float64()}, nil
		}}
	o := &Settings{Dir: b.TempDir()}
	if _, err := s.Run(context.Background(), o); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if res, err := s.Run(context.Background(), o); err != nil || res.Len() != 1_000_000 {
			b.Fatal(res, err)
		}
	}
}
