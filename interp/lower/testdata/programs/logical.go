package main

import "fmt"

type P struct {
	n int
	b bool
}

var p = &P{1, false}
var q = &P{2, true}

func flip() bool { p.b = !p.b; p, q = q, p; return p.b }

func pick(b bool, n int) int {
	if b {
		return n
	}
	return -n
}

type pair struct{ a, b int }

func sum(xs ...int) (n int) {
	for _, x := range xs {
		n += x
	}
	return
}
func first(p pair) int           { return p.a }
func size(m map[string]int) int  { return len(m) }
func count[E any](list ...E) int { return len(list) }
func both(x int, p ...pair) bool { return x > 0 && len(p) > 0 && p[0].a == x }
func (p pair) sum(xs ...int) int { return p.a + sum(xs...) }

// literals are at the beginning of conditions.
func literals(x, y int) (s string) {
	if sum([]int{x, -y}...) == 2 && y == 1 {
		s += "a"
	}
	if sum(x, -y) == 2 || y == 2 {
		s += "b"
	}
	for n := 0; size(map[string]int{"a": x}) == 1 && n < 2; n++ {
		s += "c"
	}
	for n := 0; sum([]int{n, sum(y)}...) == 3 || n < 2; n++ {
		s += "d"
	}
	if (pair{x, y}) == (pair{3, 1}) && first(pair{x, y}) == 3 || y == 4 {
		s += "e"
	}
	switch x {
	case sum(append([]int{count(3, y)}, x)...), 3:
		s += "f"
	}
	switch {
	case count([]int{x, -y}...) == 3, [...]int{x, y}[1] == 1 && x == 3, y == 7:
		s += "g"
	case both(x, pair{x, y}) && y == 4, count(x, -y) == 2 || x == 1:
		s += "h"
	}
	ok := []int{x, -y}[0] == 3 && y > 0
	never := (pair{x, y}).sum(x, -y) == 5 && !ok
	return fmt.Sprint(s, ok, never, func() bool { return count(x, -y) == 2 && both(x, pair{x, y}) }())
}

func main() {
	fmt.Println(literals(3, 1), literals(1, 4), literals(2, 7))
	x := 7
	for range 4 {
		fmt.Println(pick(((p.b || flip()) || (flip() && p.b)), p.n), p.b, q.b)
		fmt.Println(!(p.b && flip()) && flip(), p.n, p.b, q.b)
		switch pick(flip(), p.n) {
		case 7:
			fmt.Println("one")
		case pick(p.b, -x), 3:
			fmt.Println("two")
		default:
			fmt.Println("none")
		}
	}
}
