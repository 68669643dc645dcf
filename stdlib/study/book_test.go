package study

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestAnyOrder: replications run and their lines entered in any order, some of them twice, give the same bytes.
func TestAnyOrder(t *testing.T) {
	ctx := context.Background()
	whole, err := coin(flip).Run(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 0))
		s := coin(flip)
		b, err := s.Open(&Settings{Workers: 1, Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		jobs := b.Missing()
		rng.Shuffle(len(jobs), func(i, j int) { jobs[i], jobs[j] = jobs[j], jobs[i] })
		text, err := b.RunJobs(ctx, jobs, 1+int(seed))
		if err != nil {
			t.Fatal(err)
		}
		lines := slices.Collect(bytes.Lines(text))
		lines = append(lines, lines[:40]...)
		rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		added := 0
		for _, line := range lines {
			n, err := b.Enter(line)
			if err != nil {
				t.Fatal(err)
			}
			added += n
		}
		if err := b.Close(); err != nil || added != 240 || b.Left() != 0 || csvOf(t, b.Results()) != csvOf(t, whole) {
			t.Errorf("seed %d: other results from %d lines, %v", seed, added, err)
		}
	}
}

// TestEnterWritesItsOwn: a line without an end, or with more in it than a record, does not spoil the file.
func TestEnterWritesItsOwn(t *testing.T) {
	dir := t.TempDir()
	s := coin(flip)
	b, err := s.Open(&Settings{Workers: 1, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	lines, err := b.RunJobs(context.Background(), b.Missing(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range slices.Collect(bytes.Lines(lines)) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		if i%2 == 1 {
			line = append([]byte(`  {"study":"other",`), line[1:]...)
			if _, err := b.Enter(line); err == nil {
				t.Fatal("a line with a study of its own was entered")
			}
			line = append([]byte("{"), line[len(`  {"study":"other",`):]...)
		}
		if _, err := b.Enter(line); err != nil {
			t.Fatal(err)
		}
	}
	want := csvOf(t, b.Results())
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := s.Load(filepath.Join(dir, FileName(s.Name, 0, 0)))
	if err != nil || csvOf(t, again) != want || len(again.Notes) > 0 {
		t.Errorf("the file does not give the same: %v, %v", err, again)
	}
}

// FuzzEnter: a line that is entered is written as one line, which reads as the same outcome, and one that is refused leaves
// nothing.
func FuzzEnter(f *testing.F) {
	s := coin(flip)
	line := []byte(`{"point":{"method":"a","n":10,"bias":0.5},"rep":3,"record":{"heads":1,"path":[0.5,1]},"seconds":0.1}` + "\n")
	f.Add(append(line, line...))
	f.Add(bytes.TrimSpace(line))
	f.Add(bytes.Replace(line, []byte("{"), []byte(`{"study":"x",`), 1))
	f.Add([]byte(`{"point":{"method":"a","n":10,"bias":0.5},"rep":0,"error":"x"}`))
	f.Fuzz(func(t *testing.T, lines []byte) {
		b, err := s.Open(nil)
		if err != nil {
			t.Fatal(err)
		}
		b.log, b.flushed = &writer{}, time.Now() // what would be written stays in pending
		n, err := b.Enter(lines)
		if err != nil && n != 0 {
			t.Errorf("%d lines are entered in spite of %v", n, err)
		}
		if got := bytes.Count(b.pending, []byte("\n")); got != n {
			t.Fatalf("%d lines for %d outcomes: %q", got, n, b.pending)
		}
		for line := range bytes.Lines(b.pending) {
			if e, err := b.table.parse(line); err != nil || e.at < 0 || bytes.HasPrefix(line, []byte(`{"study"`)) {
				t.Errorf("after %q the file would have %q, %v", lines, line, err)
			}
		}
	})
}

// TestBadLines: a file with lines that are no records opens, says where the first is, and what was in them runs again.
func TestBadLines(t *testing.T) {
	dir := t.TempDir()
	s := coin(flip)
	whole, err := s.Run(context.Background(), &Settings{Workers: 1, Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, FileName(s.Name, 0, 0))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	lines[3] = append(bytes.TrimSuffix(lines[3], []byte("\n")), lines[4]...) // two in one
	lines[4] = []byte("{\"study\":\"other\",\"rep\":1}\n")
	lines[7] = []byte("\n")
	if err := os.WriteFile(path, bytes.Join(lines, nil), 0o666); err != nil {
		t.Fatal(err)
	}
	res, err := s.Load(path)
	if err != nil || res.Missing != 3 || len(res.Notes) != 1 || !strings.Contains(res.Notes[0], "3 lines") || !strings.Contains(res.Notes[0], "line 4: ") {
		t.Fatalf("%v, %+v", err, res)
	}
	if res, err = s.Run(context.Background(), &Settings{Workers: 1, Dir: dir}); err != nil || csvOf(t, res) != csvOf(t, whole) {
		t.Errorf("the run after it: %v", err)
	}
}
