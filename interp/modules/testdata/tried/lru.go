package main

import (
	"fmt"

	"github.com/hashicorp/golang-lru/v2"
)

func main() {
	l, err := lru.NewWithEvict(2, func(k string, v int) { fmt.Println("out", k, v) })
	l.Add("a", 1)
	l.Add("b", 2)
	l.Get("a")
	l.Add("c", 3)
	fmt.Println(l.Keys(), err)
}
