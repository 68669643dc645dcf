package main

import (
	"errors"
	"fmt"
)

// A default clause is what is left when all cases were tried, in their order, wherever it stands.

type both struct{}

func (both) Error() string  { return "error" }
func (both) String() string { return "string" }

func size(x int) string {
	switch {
	default:
		return "small"
	case x > 10:
		return "big"
	case x > 5:
		return "medium"
	}
}

func middle(x int) (s string) {
	switch {
	case x > 10:
		s = "big"
	default:
		s = "small"
	case x > 5:
		s = "medium"
	case x > 3:
		s = "little"
	}
	return
}

func kind(x any) string {
	switch v := x.(type) {
	default:
		return "other"
	case error:
		return "error " + v.Error()
	case fmt.Stringer:
		return "stringer " + v.String()
	}
}

// tried says in which order cases are.
func tried(n, result int) int {
	fmt.Print(n, " ")
	return result
}

func order(x int) {
	switch tried(0, x) {
	default:
		fmt.Println("none")
	case tried(1, 1), 7:
		fmt.Println("one")
	case tried(2, 2):
		fmt.Println("two")
	case tried(3, 3), tried(4, 2):
		fmt.Println("three")
	}
}

func through(x int) string {
	s := ""
	switch {
	case x > 3:
		s += "a"
		fallthrough
	case x > 2:
	case x > 1:
		s += "b"
		fallthrough
	default:
	}
	switch x {
	default:
		s += "d"
		fallthrough
	case 1:
		const none = 0
	case 2:
		s += "2"
		fallthrough
	case 3:
		s += "3"
	}
	switch {
	case x > 3:
		fallthrough
	case false:
		type local int
	}
	return s
}

func labels(x int) (n int) {
loop:
	for i := range 5 {
		switch {
		default:
			n++
			continue loop
		case i == x:
			break loop
		case i >= x:
			n += 100
		}
		n += 10
	}
	return
}

func main() {
	for x := range 13 {
		fmt.Println(x, size(x), middle(x), through(x), labels(x))
	}
	fmt.Println(kind(both{}), kind(errors.New("e")), kind(1), kind(nil))
	for _, x := range []int{1, 2, 3, 4, 7} {
		order(x)
	}
}
