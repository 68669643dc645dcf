//go:build go1.26 && !go1.28 && !race && !msan && !asan

#include "textflag.h"

// func flushCode(addr, size uintptr)
TEXT ·flushCode(SB), NOSPLIT, $0-16
	MOVD addr+0(FP), R1
	MOVD size+8(FP), R2
	ADD  R1, R2
	MRS  CTR_EL0, R3
	MOVD $4, R6
	UBFX $16, R3, $4, R4 // data lines: words as a power of two
	LSL  R4, R6, R4
	AND  $15, R3, R5     // lines of instructions
	LSL  R5, R6, R5
	SUB  $1, R4, R7
	BIC  R7, R1, R0

data:
	WORD $0xd50b7b20 // DC CVAU, R0: clean to where instructions are fetched from
	ADD  R4, R0
	CMP  R2, R0
	BLO  data
	DSB  $11
	SUB  $1, R5, R7
	BIC  R7, R1, R0

code:
	WORD $0xd50b7520 // IC IVAU, R0: forget what was fetched
	ADD  R5, R0
	CMP  R2, R0
	BLO  code
	DSB  $11
	ISB  $15
	RET
