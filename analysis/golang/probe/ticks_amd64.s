//go:build tierscope_probe

#include "textflag.h"

// func pmTicks() int64
TEXT runtime·pmTicks(SB),NOSPLIT,$0-8
	RDTSC
	SHLQ	$32, DX
	ORQ	DX, AX
	MOVQ	AX, ret+0(FP)
	RET
