package main

import (
	"fmt"
)

func h(s string) (string, int)       { return "x", len(s) }
func h1(s []int) (string, int)       { return "x", len(s) }
func h2(s string) (int, int)         { return 1, len(s) }
func h3(s string) int                { return len(s) }
func h4(s string) (string, int)      { return "x", len(s) + 1 }
func mk() func(string) (string, int) { return func(s string) (string, int) { return h(s) } }
func mk2() func(string) int          { return func(s string) int { return h3(s) } }
func mk3() func(string) (string, int) {
	return func(s string) (string, int) { a, b := h(s); return a, b }
}
func mk4() func(string) (int, int)    { return func(s string) (int, int) { return h2(s) } }
func mk5() func(string) (string, int) { return func(s string) (string, int) { return h4(s) } }
func mk6() func([]int) (string, int)  { return func(s []int) (string, int) { return h1(s) } }
func d(s string) (string, int)        { return h(s) }
func try(f func())                    { defer func() { fmt.Println(recover()) }(); f() }
func main() {
	try(func() { fmt.Println(d("ab")) })
	try(func() { fmt.Println(mk()("ab")) })
	try(func() { fmt.Println(mk2()("ab")) })
	try(func() { fmt.Println(mk3()("ab")) })
	try(func() { fmt.Println(mk4()("ab")) })
	try(func() { fmt.Println(mk5()("ab")) })
	try(func() { fmt.Println(mk6()([]int{1, 2})) })
	try(func() { a, b := h("x"); fmt.Println(a, b) })
}
