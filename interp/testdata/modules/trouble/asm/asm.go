// Package asm has functions in assembly.
package asm

// Add is in asm_amd64.s.
func Add(a, b int) int

// Sub is not.
func Sub(a, b int) int { return a - b }

// A Pair is laid out by the compiler.
type Pair struct {
	A byte
	B int
}

// Second is in asm_amd64.s.
func Second(p *Pair) int

// Lost is nowhere.
func Lost() int

// Calls calls a function that is nowhere.
func Calls() int
