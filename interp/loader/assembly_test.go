//go:build go1.26 && !go1.28 && (linux || darwin || windows) && !race && !msan && !asan

package loader_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// assembly is a file for each machine, with functions that Go calls, that call Go and that use data of both.
var assembly = map[string]string{
	"amd64": `#include "funcdata.h"
#include "textflag.h"

DATA table<>+0(SB)/8, $11
DATA table<>+8(SB)/8, $22
GLOBL table<>(SB), RODATA, $16

GLOBL ·counter(SB), NOPTR, $8

TEXT ·add(SB), NOSPLIT, $0-24
	MOVQ a+0(FP), AX
	ADDQ b+8(FP), AX
	MOVQ AX, ret+16(FP)
	RET

TEXT ·lookup(SB), NOSPLIT, $0-16
	MOVQ i+0(FP), CX
	LEAQ table<>(SB), DX
	MOVQ (DX)(CX*8), AX
	ADDQ ·offset(SB), AX
	INCQ ·counter(SB)
	MOVQ AX, ret+8(FP)
	RET

TEXT ·twice(SB), $24-16
	NO_LOCAL_POINTERS
	MOVQ n+0(FP), AX
	MOVQ AX, 0(SP)
	CALL ·inGo(SB)
	MOVQ 8(SP), AX
	ADDQ AX, AX
	MOVQ AX, ret+8(FP)
	RET
`,
	"arm64": `#include "funcdata.h"
#include "textflag.h"

DATA table<>+0(SB)/8, $11
DATA table<>+8(SB)/8, $22
GLOBL table<>(SB), RODATA, $16

GLOBL ·counter(SB), NOPTR, $8

TEXT ·add(SB), NOSPLIT, $0-24
	MOVD a+0(FP), R0
	MOVD b+8(FP), R1
	ADD R1, R0
	MOVD R0, ret+16(FP)
	RET

TEXT ·lookup(SB), NOSPLIT, $0-16
	MOVD i+0(FP), R1
	MOVD $table<>(SB), R2
	MOVD (R2)(R1<<3), R0
	MOVD ·offset(SB), R3
	ADD R3, R0
	MOVD ·counter(SB), R4
	ADD $1, R4
	MOVD R4, ·counter(SB)
	MOVD R0, ret+8(FP)
	RET

TEXT ·twice(SB), $24-16
	NO_LOCAL_POINTERS
	MOVD n+0(FP), R0
	MOVD R0, 8(RSP)
	BL ·inGo(SB)
	MOVD 16(RSP), R0
	ADD R0, R0
	MOVD R0, ret+8(FP)
	RET
`,
}

const assemblyGo = `package main

import (
	"fmt"
	"runtime"
)

var offset = 100
var counter int

func add(a, b int) int
func lookup(i int) int
func twice(n int) int

func inGo(n int) int {
	if n == 3 {
		runtime.GC()
	}
	if n < 0 {
		panic("negative")
	}
	return n + len(fmt.Sprint(n))
}

func deep(n int) int {
	var pad [100]int
	if n == 0 {
		return twice(3)
	}
	pad[n%100] = deep(n - 1)
	return pad[n%100]
}

func main() {
	fmt.Println(add(3, 4), lookup(0), lookup(1), counter, twice(20), twice(3), deep(1000))
	defer func() { fmt.Println(recover()) }()
	twice(-1)
}
`

// TestAssembly loads a package with functions in assembly, as go build makes its archive.
func TestAssembly(t *testing.T) {
	b := build(t)
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	tool := func(args ...string) {
		if _, err := output(goTool(append([]string{"tool"}, args...)...)); err != nil {
			t.Fatal(err)
		}
	}
	goroot, err := output(exec.Command("go", "env", "GOROOT"))
	if err != nil {
		t.Fatal(err)
	}
	include := filepath.Join(strings.TrimSpace(goroot), "pkg", "include")
	source, object, symabis := write("x.s", assembly[machine]), filepath.Join(dir, "x.o"), filepath.Join(dir, "symabis")
	write("go_asm.h", "")
	p := pkg{path: "withasm", sources: []string{assemblyGo, callMain}, flags: []string{"-symabis", symabis}}
	tool("asm", "-p", p.path, "-I", dir, "-I", include, "-gensymabis", "-o", symabis, source)
	arg := b.compile(t, p)
	tool("asm", "-p", p.path, "-linkshared", "-I", dir, "-I", include, "-o", object, source)
	tool("pack", "r", b.archive(p), object)
	const want = "7 111 122 2 44 8 8\nnegative\n"
	for _, env := range [][]string{nil, {"GOGC=1"}} {
		got, stderr, err := b.run(t, env, arg)
		if got != want || err != nil {
			t.Errorf("%v: %v\n%s\n%.3000s", env, err, difference(got, want), stderr)
		}
	}
}
