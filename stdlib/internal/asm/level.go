package asm

import (
	"runtime"

	"golang.org/x/sys/cpu"
)

// A Level names a set of vector instructions.
type Level int

// The levels, from the slowest.
const (
	Portable Level = iota
	AVX2
	AVX512
)

func (l Level) String() string {
	switch l {
	case AVX512:
		return "avx512"
	case AVX2:
		return "avx2"
	}
	return "portable"
}

var level = Best()

// Best returns the highest level that the processor (and GODEBUG) allows.
func Best() Level {
	x := &cpu.X86
	switch {
	case runtime.GOARCH != "amd64" || !x.HasAVX2 || !x.HasFMA || !x.HasBMI1 || !x.HasPOPCNT:
		return Portable
	case x.HasAVX512F && x.HasAVX512DQ && x.HasAVX512VL:
		return AVX512
	}
	return AVX2
}

// Current returns the level in use.
func Current() Level { return level }

// Force sets the level, at most Best, and returns the one before. For tests
// only, while no other goroutine computes.
func Force(l Level) Level {
	old := level
	level = min(l, Best())
	return old
}
