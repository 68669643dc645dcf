#include "textflag.h"

// ROW adds x, an element of A in both lanes, times the row of B in V24 to V29 to a row of C.
#define ROW(x, c0, c1, c2, c3, c4, c5) \
	VFMLA x.D2, V24.D2, c0.D2 \
	VFMLA x.D2, V25.D2, c1.D2 \
	VFMLA x.D2, V26.D2, c2.D2 \
	VFMLA x.D2, V27.D2, c3.D2 \
	VFMLA x.D2, V28.D2, c4.D2 \
	VFMLA x.D2, V29.D2, c5.D2

// OUT writes the row of C at R6: V24 to V29 plus alpha, in V30, times the row's sums.
#define OUT(c0, c1, c2, c3, c4, c5) \
	ROW2(c0, V24, c1, V25, c2, V26, c3, V27, c4, V28, c5, V29) \
	VST1 [V24.D2, V25.D2, V26.D2, V27.D2], (R6) \
	ADD  $64, R6, R13                            \
	VST1 [V28.D2, V29.D2], (R13)                 \
	ADD  R7, R6

#define ROW2(c0, d0, c1, d1, c2, d2, c3, d3, c4, d4, c5, d5) \
	VFMLA V30.D2, c0.D2, d0.D2 \
	VFMLA V30.D2, c1.D2, d1.D2 \
	VFMLA V30.D2, c2.D2, d2.D2 \
	VFMLA V30.D2, c3.D2, d3.D2 \
	VFMLA V30.D2, c4.D2, d4.D2 \
	VFMLA V30.D2, c5.D2, d5.D2

// OLD reads the row of C at R6.
#define OLD \
	VLD1 (R6), [V24.D2, V25.D2, V26.D2, V27.D2] \
	ADD  $64, R6, R13                            \
	VLD1 (R13), [V28.D2, V29.D2]

// NONE sets V24 to V29 to -0, to which any product is added as it is.
#define NONE \
	VMOV V31.B16, V24.B16 \
	VMOV V31.B16, V25.B16 \
	VMOV V31.B16, V26.B16 \
	VMOV V31.B16, V27.B16 \
	VMOV V31.B16, V28.B16 \
	VMOV V31.B16, V29.B16

// ZERO clears four registers.
#define ZERO(a, b, c, d) \
	VEOR a.B16, a.B16, a.B16 \
	VEOR b.B16, b.B16, b.B16 \
	VEOR c.B16, c.B16, c.B16 \
	VEOR d.B16, d.B16, d.B16

// ZERO16 clears V0 to V15, STORE16 writes them one after the other.
#define ZERO16 \
	ZERO(V0, V1, V2, V3)   \
	ZERO(V4, V5, V6, V7)   \
	ZERO(V8, V9, V10, V11) \
	ZERO(V12, V13, V14, V15)

#define STORE16(to) \
	VST1.P [V0.D2, V1.D2, V2.D2, V3.D2], 64(to)   \
	VST1.P [V4.D2, V5.D2, V6.D2, V7.D2], 64(to)   \
	VST1.P [V8.D2, V9.D2, V10.D2, V11.D2], 64(to) \
	VST1   [V12.D2, V13.D2, V14.D2, V15.D2], (to)

// func gemmNEON(k int, a *float64, ars, acs int, b *float64, bs int, c *float64, cs int, alpha float64, add int)
TEXT ·gemmNEON(SB), NOSPLIT, $0-80
	MOVD k+0(FP), R0
	MOVD a+8(FP), R9
	MOVD ars+16(FP), R2
	MOVD acs+24(FP), R3
	MOVD b+32(FP), R4
	MOVD bs+40(FP), R5
	MOVD c+48(FP), R6
	MOVD cs+56(FP), R7
	MOVD add+72(FP), R8
	ADD  R2, R9, R10
	ADD  R2, R10, R11
	ADD  R2, R11, R12
	ZERO16
	ZERO(V16, V17, V18, V19)
	ZERO(V20, V21, V22, V23)
	CBZ  R0, store

loop:
	ADD   $64, R4, R13
	VLD1R (R9), [V30.D2]
	VLD1R (R10), [V31.D2]
	VLD1  (R4), [V24.D2, V25.D2, V26.D2, V27.D2]
	VLD1  (R13), [V28.D2, V29.D2]
	ADD   R3, R9
	ADD   R3, R10
	ROW(V30, V0, V1, V2, V3, V4, V5)
	VLD1R (R11), [V30.D2]
	ROW(V31, V6, V7, V8, V9, V10, V11)
	VLD1R (R12), [V31.D2]
	ADD   R3, R11
	ADD   R3, R12
	ADD   R5, R4
	ROW(V30, V12, V13, V14, V15, V16, V17)
	ROW(V31, V18, V19, V20, V21, V22, V23)
	SUBS  $1, R0
	BNE   loop

store:
	MOVD alpha+64(FP), R13
	VDUP R13, V30.D2
	CBZ  R8, plain
	OLD
	OUT(V0, V1, V2, V3, V4, V5)
	OLD
	OUT(V6, V7, V8, V9, V10, V11)
	OLD
	OUT(V12, V13, V14, V15, V16, V17)
	OLD
	OUT(V18, V19, V20, V21, V22, V23)
	RET

plain:
	MOVD $0x8000000000000000, R13
	VDUP R13, V31.D2
	NONE
	OUT(V0, V1, V2, V3, V4, V5)
	NONE
	OUT(V6, V7, V8, V9, V10, V11)
	NONE
	OUT(V12, V13, V14, V15, V16, V17)
	NONE
	OUT(V18, V19, V20, V21, V22, V23)
	RET

// TIMES adds x times V28 to V31 to four registers.
#define TIMES(x, d0, d1, d2, d3) \
	VFMLA x.D2, V28.D2, d0.D2 \
	VFMLA x.D2, V29.D2, d1.D2 \
	VFMLA x.D2, V30.D2, d2.D2 \
	VFMLA x.D2, V31.D2, d3.D2

// func axpyNEON(dst *float64, alpha float64, src *float64, n int)
TEXT ·axpyNEON(SB), NOSPLIT, $0-32
	MOVD dst+0(FP), R0
	MOVD alpha+8(FP), R2
	MOVD src+16(FP), R1
	MOVD n+24(FP), R3
	VDUP R2, V16.D2

loop:
	VLD1   (R0), [V0.D2, V1.D2, V2.D2, V3.D2]
	VLD1.P 64(R1), [V28.D2, V29.D2, V30.D2, V31.D2]
	TIMES(V16, V0, V1, V2, V3)
	VST1.P [V0.D2, V1.D2, V2.D2, V3.D2], 64(R0)
	SUBS   $8, R3
	BNE    loop
	RET

// func axpy4NEON(dst, alpha, a *float64, as, n int)
TEXT ·axpy4NEON(SB), NOSPLIT, $0-40
	MOVD  dst+0(FP), R0
	MOVD  alpha+8(FP), R1
	MOVD  a+16(FP), R4
	MOVD  as+24(FP), R2
	MOVD  n+32(FP), R3
	ADD   R2, R4, R5
	ADD   R2, R5, R6
	ADD   R2, R6, R7
	ADD   $8, R1, R8
	ADD   $16, R1, R9
	ADD   $24, R1, R10
	VLD1R (R1), [V16.D2]
	VLD1R (R8), [V17.D2]
	VLD1R (R9), [V18.D2]
	VLD1R (R10), [V19.D2]

loop:
	VLD1   (R0), [V0.D2, V1.D2, V2.D2, V3.D2]
	VLD1.P 64(R4), [V28.D2, V29.D2, V30.D2, V31.D2]
	TIMES(V16, V0, V1, V2, V3)
	VLD1.P 64(R5), [V28.D2, V29.D2, V30.D2, V31.D2]
	TIMES(V17, V0, V1, V2, V3)
	VLD1.P 64(R6), [V28.D2, V29.D2, V30.D2, V31.D2]
	TIMES(V18, V0, V1, V2, V3)
	VLD1.P 64(R7), [V28.D2, V29.D2, V30.D2, V31.D2]
	TIMES(V19, V0, V1, V2, V3)
	VST1.P [V0.D2, V1.D2, V2.D2, V3.D2], 64(R0)
	SUBS   $8, R3
	BNE    loop
	RET

// func axpyPanelNEON(dst, alpha, a *float64, k int)
TEXT ·axpyPanelNEON(SB), NOSPLIT, $0-32
	MOVD   dst+0(FP), R0
	MOVD   alpha+8(FP), R1
	MOVD   a+16(FP), R2
	MOVD   k+24(FP), R3
	MOVD   R0, R4
	VLD1.P 64(R4), [V0.D2, V1.D2, V2.D2, V3.D2]
	VLD1.P 64(R4), [V4.D2, V5.D2, V6.D2, V7.D2]
	VLD1.P 64(R4), [V8.D2, V9.D2, V10.D2, V11.D2]
	VLD1   (R4), [V12.D2, V13.D2, V14.D2, V15.D2]

loop:
	VLD1R.P 8(R1), [V16.D2]
	VLD1.P  64(R2), [V28.D2, V29.D2, V30.D2, V31.D2]
	TIMES(V16, V0, V1, V2, V3)
	VLD1.P  64(R2), [V28.D2, V29.D2, V30.D2, V31.D2]
	TIMES(V16, V4, V5, V6, V7)
	VLD1.P  64(R2), [V28.D2, V29.D2, V30.D2, V31.D2]
	TIMES(V16, V8, V9, V10, V11)
	VLD1.P  64(R2), [V28.D2, V29.D2, V30.D2, V31.D2]
	TIMES(V16, V12, V13, V14, V15)
	SUBS    $1, R3
	BNE     loop
	STORE16(R0)
	RET

// EIGHT adds the products of the next eight elements to four registers of sums.
#define EIGHT(d0, d1, d2, d3) \
	VLD1.P 64(R0), [V24.D2, V25.D2, V26.D2, V27.D2] \
	VLD1.P 64(R1), [V28.D2, V29.D2, V30.D2, V31.D2] \
	VFMLA  V24.D2, V28.D2, d0.D2                     \
	VFMLA  V25.D2, V29.D2, d1.D2                     \
	VFMLA  V26.D2, V30.D2, d2.D2                     \
	VFMLA  V27.D2, V31.D2, d3.D2

// func dotNEON(acc, a, b *float64, n int)
TEXT ·dotNEON(SB), NOSPLIT, $0-32
	MOVD acc+0(FP), R2
	MOVD a+8(FP), R0
	MOVD b+16(FP), R1
	MOVD n+24(FP), R3
	ZERO16

loop:
	EIGHT(V0, V1, V2, V3)
	EIGHT(V4, V5, V6, V7)
	EIGHT(V8, V9, V10, V11)
	EIGHT(V12, V13, V14, V15)
	SUBS   $32, R3
	BNE    loop
	STORE16(R2)
	RET

// BOTH uses eight elements of a row for its sums d and, times x, for y.
#define BOTH(row, x, d0, d1, d2, d3) \
	VLD1.P 64(row), [V28.D2, V29.D2, V30.D2, V31.D2] \
	VFMLA  V20.D2, V28.D2, d0.D2                      \
	VFMLA  V21.D2, V29.D2, d1.D2                      \
	VFMLA  V22.D2, V30.D2, d2.D2                      \
	VFMLA  V23.D2, V31.D2, d3.D2                      \
	TIMES(x, V24, V25, V26, V27)

// func symv4NEON(acc, y, a *float64, as int, x, xr *float64, n int)
TEXT ·symv4NEON(SB), NOSPLIT, $0-56
	MOVD    acc+0(FP), R0
	MOVD    y+8(FP), R1
	MOVD    a+16(FP), R4
	MOVD    as+24(FP), R8
	MOVD    x+32(FP), R2
	MOVD    xr+40(FP), R9
	MOVD    n+48(FP), R3
	ADD     R8, R4, R5
	ADD     R8, R5, R6
	ADD     R8, R6, R7
	VLD1R.P 8(R9), [V16.D2]
	VLD1R.P 8(R9), [V17.D2]
	VLD1R.P 8(R9), [V18.D2]
	VLD1R   (R9), [V19.D2]
	ZERO16

loop:
	VLD1.P 64(R2), [V20.D2, V21.D2, V22.D2, V23.D2]
	VLD1   (R1), [V24.D2, V25.D2, V26.D2, V27.D2]
	BOTH(R4, V16, V0, V1, V2, V3)
	BOTH(R5, V17, V4, V5, V6, V7)
	BOTH(R6, V18, V8, V9, V10, V11)
	BOTH(R7, V19, V12, V13, V14, V15)
	VST1.P [V24.D2, V25.D2, V26.D2, V27.D2], 64(R1)
	SUBS   $8, R3
	BNE    loop
	STORE16(R0)
	RET
