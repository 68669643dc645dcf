package main

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

type Key struct{ n int }

type Pair[K comparable, V any] struct {
	Key K
	Val V
}

type List[T any] []Pair[string, T]

type hidden interface{ name() string }

func (k Key) name() string { return fmt.Sprint(k.n) }

// look shows a type's text, and how long it is: what is written out is not all that a program does with it.
func look(x any) {
	t := reflect.TypeOf(x)
	for _, text := range []string{fmt.Sprintf("%T", x), t.String(), t.Name()} {
		fmt.Println(text, len(text), strings.Count(text, "main."))
	}
}

func local() any {
	type Key string
	return Pair[Key, int]{"a", 1}
}

func main() {
	look(Key{})
	look(Pair[Key, rune]{})
	look(&Pair[Key, *Key]{})
	look(List[Pair[Key, Key]]{})
	look(map[Pair[Key, int]][]List[Key]{})
	look(func(Pair[Key, int]) {})
	look(struct{ P Pair[Key, int] }{})
	look(new(hidden))
	look(reflect.New(reflect.SliceOf(reflect.TypeFor[Pair[Key, int]]())).Elem().Interface())
	fmt.Println(reflect.SliceOf(reflect.TypeFor[Pair[Key, int]]()) == reflect.TypeFor[[]Pair[Key, int]]())

	// Types with one name are two.
	type Key string
	here, there := any(Pair[Key, int]{"a", 1}), local()
	fmt.Println(here == there, reflect.TypeOf(here) == reflect.TypeOf(there), len(fmt.Sprintf("%T", here)) == len(fmt.Sprintf("%T", there)))
	_, ok := there.(Pair[Key, int])
	fmt.Println(ok)
	func() {
		defer func() {
			text := recover().(error).Error()
			fmt.Println(len(text))
			var e interface{ RuntimeError() }
			fmt.Println(errors.As(errors.New(text), &e))
		}()
		fmt.Println(there.(Pair[Key, int]))
	}()
}
