#include "textflag.h"
#include "go_asm.h"

// func Add(a, b int) int
TEXT ·Add(SB), NOSPLIT, $0-24
	MOVD a+0(FP), R0
	MOVD b+8(FP), R1
	ADD  R1, R0
	MOVD R0, ret+16(FP)
	RET

// func Second(p *Pair) int
TEXT ·Second(SB), NOSPLIT, $0-16
	MOVD p+0(FP), R0
	MOVD Pair_B(R0), R0
	MOVD R0, ret+8(FP)
	RET

// func Calls() int
TEXT ·Calls(SB), NOSPLIT, $0-8
	BL ·absent(SB)
	RET
