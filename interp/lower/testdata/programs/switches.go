package main

import (
	"errors"
	"fmt"
	"io"
)

type T []int

func (r *T) f() []T   { return []T{(*r)[:1], nil} }
func (r *T) g() [1]T  { return [1]T{append((*r), 4)} }
func (r *T) h() [][]T { return [][]T{r.f()} }

var calls int

func fails() error { calls++; return errors.New("failed") }

func reader() io.Reader { calls++; return nil }

func early(n int) (s string) {
	switch {
	case n == 0:
		s = "zero"
	default:
		if true {
			return "default"
		}
	}
	if false {
		return "never"
	}
	return s + "!"
}

func main() {
	switch err := fails().(type) {
	case nil:
		fmt.Println("nil")
	default:
		fmt.Printf("%v %T\n", err, err)
	}
	switch r := reader().(type) {
	case nil:
		fmt.Println("nil", r)
	default:
		fmt.Println(r)
	}
	fmt.Println("calls", calls)
	t := T{1, 2}
	fmt.Println(t.f(), t.g(), t.h())
	fmt.Println(early(0), early(1))
	for i := range [2]int([]int{}) {
		fmt.Println(i)
	}
}
