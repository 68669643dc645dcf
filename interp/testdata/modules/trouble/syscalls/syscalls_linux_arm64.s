#include "textflag.h"

// func noError(trap uintptr) uintptr
TEXT ·noError(SB), NOSPLIT, $0-16
	BL   runtime·entersyscall(SB)
	MOVD trap+0(FP), R8
	SVC
	MOVD R0, ret+8(FP)
	BL   runtime·exitsyscall(SB)
	RET
