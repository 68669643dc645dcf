package compiled

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"gaucho/interp/check"
	"gaucho/interp/engine"
	"gaucho/interp/goldentest"
	"gaucho/interp/kit"
)

func texts(t *testing.T, sources []string) []string {
	return goldentest.Texts(t, func(*check.Library) engine.Engine {
		return newSession(&Builder{kit: &kit.Kit{ID: "growth"}}, func(cell int) string { return "cell" + strconv.Itoa(cell) + ".go" })
	}, sources)
}

// TestFormsDoNotPileUp: the package of a function's 40th form imports no more packages, and is no longer, than that of its fourth,
// also where parameters change and come back.
func TestFormsDoNotPileUp(t *testing.T) {
	for name, form := range map[string]func(k int) string{
		"function":       func(k int) string { return fmt.Sprintf("func f(a int) int { return a + %d }", 10+k) },
		"caller":         func(k int) string { return fmt.Sprintf("func g(a int) int { return a + %d }", 10+k) },
		"generic":        func(k int) string { return fmt.Sprintf("func gen[T any](a T) int { return %d }", 10+k) },
		"generic method": func(k int) string { return fmt.Sprintf("func (Q[T]) M(a T) int { return %d }", 10+k) },
		"method":         func(k int) string { return fmt.Sprintf("func (T) M(a int) int { return a + %d }", 10+k) },
		"signature": func(k int) string {
			return fmt.Sprintf("func s(a %s) int { return %d }", []string{"int", "string"}[k%2], 10+k)
		},
	} {
		cells := []string{"type T struct{}", "func g(a int) int { return a }", "func h(a int) int { return g(a) + 1 }", "x := h",
			"func gen[T any](a T) int { return 0 }", "type Q[T any] struct{}", "func (Q[T]) M(a T) int { return 0 }", "y, z := gen[int], Q[int]{}.M"}
		for k := range 40 {
			cells = append(cells, form(k))
		}
		all := texts(t, cells)[8:]
		fourth, last := all[3], all[39]
		if a, b := strings.Count(fourth, "\nimport "), strings.Count(last, "\nimport "); a != b || len(fourth) != len(last) {
			t.Errorf("%s: %d imports in %d bytes the 40th time, %d in %d the fourth", name, b, len(last), a, len(fourth))
		}
	}
}

// TestRecursive compares with a search from every function, on random calls, and counts the calls that are looked at.
func TestRecursive(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		n := 1 + rng.IntN(12)
		calls, all := make([][]int, n), make([]int, n)
		for i := range rng.IntN(2 * n) {
			calls[rng.IntN(n)] = append(calls[rng.IntN(n)], rng.IntN(n+i%2)) // n is a function of an earlier package
		}
		for i := range all {
			all[i] = i
		}
		again := recursive(all, func(f int, each func(int)) {
			for _, g := range calls[f] {
				each(g)
			}
		})
		for i := range all {
			if want := comesBack(calls, i, i, map[int]bool{}); again[i] != want {
				t.Fatalf("calls %v: function %d comes back to itself: %v", calls, i, want)
			}
		}
	}
	const n = 20_000
	chain, looked := make([]int, n), 0
	for i := range chain {
		chain[i] = i
	}
	recursive(chain, func(f int, each func(int)) {
		looked++
		if f > 0 {
			each(f - 1)
		}
	})
	if looked != n {
		t.Errorf("looked at the calls of %d functions, want %d", looked, n)
	}
}

// comesBack reports whether from may call to.
func comesBack(calls [][]int, from, to int, seen map[int]bool) bool {
	if from == len(calls) {
		return false
	}
	for _, g := range calls[from] {
		if g == to {
			return true
		}
		if !seen[g] {
			seen[g] = true
			if comesBack(calls, g, to, seen) {
				return true
			}
		}
	}
	return false
}
