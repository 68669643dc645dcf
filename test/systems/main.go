// Command systems writes a notebook of 124 cells that stress the native engine: forty types with lists of their values, which are kept while
// the collector runs, goroutines that share a counter, recursion that ends in a fault, maps, and a fault at the end. test/systems.sh compares
// what it prints on one system with what it prints on another.
package main

import (
	"encoding/json"
	"log"
	"os"
	"strconv"
	"strings"
)

const first = `import ("time"; "sync"; "runtime/debug")
var mu sync.Mutex
keep := map[string]any{}
total := 0`

// kinds are the cells of each round; # is its number.
var kinds = []string{`type node# struct { next *node#; val []int; name string }
func (n *node#) Len() int { if n == nil { return 0 }; return 1 + n.next.Len() }
func build#(k int) *node# { var head *node#; for j := range k { head = &node#{head, make([]int, j%50), fmt.Sprint("n", j)} }; return head }
keep["#"] = build#(100 + #)
runtime.GC()
total += keep["#"].(*node#).Len()
fmt.Println(total)`, `ch# := make(chan int)
for g := range 3 { go func() { s := 0; for j := range 20000 { s += j % (g+2); if j%5000 == 0 { _ = make([]byte, 1<<14) } }; mu.Lock(); total += 1; mu.Unlock(); ch# <- s }() }
r# := 0
for range 3 { r# += <-ch# }
fmt.Println(r#)`, `func rec#(n int) (s string, err error) { defer func() { if r := recover(); r != nil { err = fmt.Errorf("caught %v", r) } }(); var p *node#; if n == 0 { return p.name, nil }; return rec#(n-1) }
fmt.Println(rec#(7 * #))
m# := map[int]string{}
for j := range 200 { m#[j] = strings.Repeat("x", j%9) }
ks# := slices.Sorted(maps.Keys(m#))
fmt.Println(len(ks#), ks#[199], len(m#[8]))`}

var last = []string{`n := 0
for k, v := range keep { _ = k; if v.(interface{ Len() int }).Len() > 0 { n++ } }
fmt.Println(n, total)`, "debug.FreeOSMemory()\nvar none *node1\nfmt.Println(none.name)", `fmt.Println("still", total)`}

func main() {
	const rounds = 40
	texts := []string{first}
	for i := range rounds {
		for _, kind := range kinds {
			texts = append(texts, strings.ReplaceAll(kind, "#", strconv.Itoa(i)))
		}
	}
	texts = append(texts, last...)
	cells := make([]any, len(texts))
	for i, text := range texts {
		cells[i] = map[string]any{
			"cell_type": "code", "id": "c" + strconv.Itoa(i), "source": text, "metadata": map[string]any{}, "outputs": []any{}, "execution_count": nil,
		}
	}
	err := json.NewEncoder(os.Stdout).Encode(map[string]any{"nbformat": 4, "nbformat_minor": 5, "cells": cells, "metadata": map[string]any{
		"kernelspec": map[string]any{"name": "gaucho", "display_name": "Gaucho", "language": "go"},
	}})
	if err != nil {
		log.Fatal(err)
	}
}
