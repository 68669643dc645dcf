package main

import (
	"fmt"
	"unsafe"
)

type S struct {
	a int
	b string
}

func main() {
	any := 1
	fmt.Println(any)
	var s S
	fmt.Println(unsafe.Sizeof(s))
	var t S
	fmt.Println(unsafe.Offsetof(t.b), unsafe.Alignof(t))
	string := "x"
	fmt.Println(string)
	nil := 4
	fmt.Println(nil)
	true := false
	fmt.Println(true)
	var u [4]int
	const n = len(u)
	fmt.Println(n)
}
