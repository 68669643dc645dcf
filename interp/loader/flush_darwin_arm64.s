//go:build go1.26 && !go1.28 && !race && !msan && !asan

#include "textflag.h"

TEXT libc_sys_icache_invalidate_trampoline<>(SB), NOSPLIT, $0-0
	JMP libc_sys_icache_invalidate(SB)

GLOBL ·icacheInvalidate(SB), RODATA, $8
DATA ·icacheInvalidate(SB)/8, $libc_sys_icache_invalidate_trampoline<>(SB)
