package main

import "fmt"

type K struct{ f func() }

func try(f func()) { defer func() { fmt.Println(recover()) }(); f() }
func main() {
	m := map[any]int{}
	n := map[any]int{1: 2}
	var z map[any]int
	var k any = func() {}
	var k2 any = []int{}
	var k3 any = K{}
	var k4 any = [2]any{1, []int{}}
	for _, k := range []any{k, k2, k3, k4} {
		try(func() { fmt.Println(m[k]) })
		try(func() { fmt.Println(n[k]) })
		try(func() { fmt.Println(z[k]) })
		try(func() { m[k] = 1 })
		try(func() { n[k] = 1 })
		try(func() { delete(m, k) })
		try(func() { delete(n, k) })
		try(func() { delete(z, k) })
		try(func() { _, ok := m[k]; fmt.Println(ok) })
	}
	try(func() { i := -1; _ = make([]int, i) })
	try(func() { i := -1; _ = make([]K, 1, i) })
	try(func() { i := 2; _ = make([]int, i, 1*i-1) })
	try(func() { i := -1; _ = make(chan int, i) })
	try(func() { i := -1; _ = make(chan K, i) })
	try(func() { i := -1; fmt.Println(len(make(map[int]int, i))) })
	try(func() { i := uint64(1 << 63); _ = make([]int, i) })
	try(func() { i := 1.0; fmt.Printf("%T\n", i); var x any; _ = x.(int) })
	try(func() { defer func() { fmt.Printf("%T\n", recover()) }(); i := 5; fmt.Println([]int{1}[i]) })
	try(func() { defer func() { fmt.Printf("%T\n", recover()) }(); i := 0; fmt.Println(1 / i) })
	try(func() { defer func() { fmt.Printf("%T\n", recover()) }(); var p *K; fmt.Println(p.f) })
	try(func() { defer func() { fmt.Printf("%T\n", recover()) }(); var p any; fmt.Println(p.(int)) })
	try(func() { defer func() { fmt.Printf("%T\n", recover()) }(); var p map[int]int; p[1] = 2 })
	try(func() { defer func() { fmt.Printf("%T\n", recover()) }(); fmt.Println(m[k]) })
	try(func() { defer func() { fmt.Printf("%T\n", recover()) }(); fmt.Println(n[k]) })
	try(func() { defer func() { fmt.Printf("%T\n", recover()) }(); var p chan int; close(p) })
	try(func() { defer func() { fmt.Printf("%T\n", recover()) }(); i := -1; _ = make([]int, i) })
	try(func() { defer func() { fmt.Printf("%T\n", recover()) }(); i := -1; _ = make(chan int, i) })
	try(func() { defer func() { fmt.Printf("%T\n", recover()) }(); i := -1; _ = 1 << i })
	try(func() { defer func() { fmt.Printf("%T\n", recover()) }(); _ = [4]int([]int{1}) })
	try(func() { defer func() { fmt.Printf("%T\n", recover()) }(); fmt.Println(k2 == k2) })
	try(func() { defer func() { fmt.Printf("%T\n", recover()) }(); panic(nil) })
}
