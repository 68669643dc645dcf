#include "textflag.h"
#include "go_asm.h"

// func Add(a, b int) int
TEXT ·Add(SB), NOSPLIT, $0-24
	MOVQ a+0(FP), AX
	ADDQ b+8(FP), AX
	MOVQ AX, ret+16(FP)
	RET

// func Second(p *Pair) int
TEXT ·Second(SB), NOSPLIT, $0-16
	MOVQ p+0(FP), AX
	MOVQ Pair_B(AX), AX
	MOVQ AX, ret+8(FP)
	RET

// func Calls() int
TEXT ·Calls(SB), NOSPLIT, $0-8
	CALL ·absent(SB)
	RET
