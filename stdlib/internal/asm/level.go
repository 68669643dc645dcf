package asm

import (
	"runtime"

	"golang.org/x/sys/cpu"
)

// noVector is the panic of an assembly function on another architecture.
const noVector = "asm: no such kernel on " + runtime.GOARCH

// A Level names a set of vector instructions.
type Level int

// The levels, from the slowest.
const (
	Portable Level = iota
	NEON
	AVX2
	AVX512
)

func (l Level) String() string {
	switch l {
	case AVX512:
		return "avx512"
	case AVX2:
		return "avx2"
	case NEON:
		return "neon"
	}
	return "portable"
}

var level = Best()

// Best returns the highest level that the processor (and GODEBUG) allows.
func Best() Level {
	x := &cpu.X86
	switch {
	case runtime.GOARCH == "arm64" && cpu.ARM64.HasASIMD:
		return NEON
	case runtime.GOARCH != "amd64" || !x.HasAVX2 || !x.HasFMA || !x.HasBMI1 || !x.HasPOPCNT:
		return Portable
	case x.HasAVX512F && x.HasAVX512DQ && x.HasAVX512VL:
		return AVX512
	}
	return AVX2
}

// Levels returns those of this machine, the best first.
func Levels() []Level {
	switch Best() {
	case AVX512:
		return []Level{AVX512, AVX2, Portable}
	case AVX2:
		return []Level{AVX2, Portable}
	case NEON:
		return []Level{NEON, Portable}
	}
	return []Level{Portable}
}

// Current returns the level in use.
func Current() Level { return level }

// Force sets the level, one of [Levels], and returns the one before. For tests
// only, while no other goroutine computes.
func Force(l Level) Level {
	old := level
	level = l
	return old
}
