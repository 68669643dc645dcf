package main

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
)

type K struct{ a []int }

func try(what string, f func()) {
	defer func() {
		r := recover()
		fmt.Printf("%s: %T %v\n", what, r, r)
		if e, ok := r.(error); ok {
			var re runtime.Error
			var ve *reflect.ValueError
			var te *runtime.TypeAssertionError
			fmt.Println(errors.As(e, &re), errors.As(e, &ve), errors.As(e, &te))
		}
	}()
	f()
}

func main() {
	var m map[string]int
	var p *K
	var x any = K{}
	s := []int{1}
	n := 5
	z := 0
	try("reflect index", func() { reflect.ValueOf(s).Index(n) })
	try("reflect zero", func() { reflect.Value{}.Int() })
	try("reflect kind", func() { reflect.ValueOf("s").Int() })
	try("reflect nil call", func() { reflect.ValueOf((func())(nil)).Call(nil) })
	try("reflect set", func() { reflect.ValueOf(1).SetInt(3) })
	try("makeslice", func() { reflect.MakeSlice(reflect.TypeFor[[]int](), -1, 0) })
	try("index", func() { _ = s[n] })
	try("slice", func() { _ = s[n:] })
	try("div", func() { _ = n / z })
	try("map", func() { m["a"] = 1 })
	try("nil", func() { _ = p.a })
	try("hash", func() { _ = map[any]int{x: 1} })
	try("compare", func() { _ = x == any(K{}) })
	try("assert", func() { _ = x.(int) })
	try("close", func() { var c chan int; close(c) })
	try("chan", func() { _ = make(chan int, n-10) })
	try("slice make", func() { _ = make([]int, n-10) })
	try("array", func() { _ = [2]int(s) })
	try("string", func() { panic("reflect: slice index out of range") })
	try("own", func() { panic(fmt.Errorf("interface conversion: mine")) })
	try("nil panic", func() { panic(nil) })
	try("value", func() { panic(reflect.ValueOf(3)) })
}
