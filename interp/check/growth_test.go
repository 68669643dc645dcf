package check

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestInOrder compares with the order that moving one item at a time gives, and counts the ranks that are asked for.
func TestInOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		list := rng.Perm(rng.IntN(9) + 1)
		for i := range list {
			if rng.IntN(3) == 0 {
				list[i] = -i // has no rank
			}
		}
		asked := 0
		rank := func(v int) int { asked++; return max(v, 0) }
		want := slices.Clone(list)
		for i := range want {
			for j := i + 1; j < len(want); j++ {
				if want[j] > 0 && want[i] > 0 && want[j] < want[i] {
					v := want[j]
					want = slices.Insert(slices.Delete(want, j, j+1), i, v)
				}
			}
		}
		if got := inOrder(list, rank); !slices.Equal(got, want) || asked != len(list) {
			t.Fatalf("%v in order is %v, want %v; %d ranks asked for", list, got, want, asked)
		}
	}
}
