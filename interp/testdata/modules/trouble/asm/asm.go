// Package asm has a function in assembly.
package asm

// Add is in add.s.
func Add(a, b int) int

// Sub is not.
func Sub(a, b int) int { return a - b }
