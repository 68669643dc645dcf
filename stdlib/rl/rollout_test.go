package rl

import (
	"context"
	"testing"
)

// TestRolloutSteps plays until there are enough steps, and no episode more than the last lengths let expect: the episodes are those
// that Rollout plays, whatever their number, and a random policy's episodes of CartPole have some twenty steps.
func TestRolloutSteps(t *testing.T) {
	system := NewCartPole()
	policy, err := NewPolicy(system, nil, source(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, steps := range []int{1, 100, 2048} {
		got, err := rolloutSteps(context.Background(), system, policy, steps, 0, source(2))
		if err != nil {
			t.Fatal(err)
		}
		want, err := Rollout(context.Background(), system, policy, len(got), 0, source(2))
		if err != nil {
			t.Fatal(err)
		}
		total := 0
		for i, e := range got {
			total += e.Len()
			if e.Return() != want[i].Return() || e.Len() != want[i].Len() {
				t.Errorf("%d steps: episode %d has %d steps, must have %d", steps, i, e.Len(), want[i].Len())
			}
		}
		if total < steps || total > 2*steps+200 {
			t.Errorf("%d steps were asked for, %d were played", steps, total)
		}
	}
}
