package study

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"testing"
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
