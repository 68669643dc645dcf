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

func main() {
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
