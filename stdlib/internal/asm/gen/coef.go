package main

// Constants of the vector functions and of their portable twins. The generator
// copies this file into package asm, so the two cannot differ.
//
// log, log1p, sin and cos use the series of FreeBSD's msun (e_log.c, s_log1p.c,
// k_sin.c, k_cos.c):
//
//	Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
//	Developed at SunPro, a Sun Microsystems, Inc. business.
//	Permission to use, copy, modify, and distribute this software is freely
//	granted, provided that this notice is preserved.
//
// The polynomials of exp and erf come from fit/fit.py.

// magic added to a number of size below 2^51 rounds it to an integer, which
// stands in the low bits of the sum; magicInt turns an integer below 2^52 in
// the low bits into a float64.
const (
	magic    = 0x1.8p52
	magicInt = 0x4330000000000000
	two52    = 0x1p52
)

// ln 2 in two parts: for exp with FMA (the product with an integer of the first
// part may use all bits) and for log (the product is exact).
const (
	log2E   = 0x1.71547652b82fep+0
	ln2Hi   = 0x1.62e42fefa39efp-1
	ln2Lo   = 0x1.abc9e3b39803fp-56
	ln2High = 6.93147180369123816490e-01
	ln2Low  = 1.90821492927058770002e-10
)

// pi/2 in three parts; n times the second is exact for |n| < 2^20.
const (
	twoOverPi = 0x1.45f306dc9c883p-1
	piOver2A  = 0x1.921fb54442d18p+0
	piOver2B  = 0x1.1a626331p-54
	piOver2C  = 0x1.1701b839a252p-88
)

// Largest |x| that sin and cos reduce with the three parts.
const trigMax = 1e6

// Bit patterns: exponent field of 1, sqrt(1/2), the fraction, the sign.
const (
	oneBits      = 0x3ff0000000000000
	sqrtHalfBits = 0x3fe6a09e667f3bcd
	fractionMask = 0x000fffffffffffff
	signMask     = 0x8000000000000000
	infBits      = 0x7ff0000000000000
	nanBits      = 0x7ff8000000000000
	minNormal    = 0x1p-1022
)

// logG: log(1+f) = f - f^2/2 + s (f^2/2 + z G(z)), s = f/(2+f), z = s^2.
var logG = []float64{
	6.666666666666735130e-01,
	3.999999999940941908e-01,
	2.857142874366239149e-01,
	2.222219843214978396e-01,
	1.818357216161805012e-01,
	1.531383769920937332e-01,
	1.479819860511658591e-01,
}

// sinS: sin r = r + r^3 (S1 + z S(z)), z = r^2, |r| <= pi/4; S1 apart.
const sinS1 = -1.66666666666666324348e-01

var sinS = []float64{
	8.33333333332248946124e-03,
	-1.98412698298579493134e-04,
	2.75573137070700676789e-06,
	-2.50507602534068634195e-08,
	1.58969099521155010221e-10,
}

// cosC: cos r = 1 - z/2 + z^2 C(z).
var cosC = []float64{
	4.16666666666666019037e-02,
	-1.38888888888741095749e-03,
	2.48015872894767294178e-05,
	-2.75573143513906633035e-07,
	2.08757232129817482790e-09,
	-1.13596475577881948265e-11,
}

// expQ: degree 9 on [-0.34662, 0.34662], weighted error 1.3e-17
var expQ = []float64{
	0.5000000000000001,
	0.16666666666666669,
	0.041666666666624115,
	0.008333333333330062,
	0.0013888888917219482,
	0.00019841269863058052,
	2.480152128699544e-05,
	2.7557268453107527e-06,
	2.7620092706650667e-07,
	2.5100388772450645e-08,
}

// erfP: degree 13 on [0, 1], weighted error 1.2e-17
var erfP = []float64{
	0.1283791670955126,
	-0.37612638903183754,
	0.1128379167095512,
	-0.02686617064512984,
	0.0052239776254232985,
	-0.000854832702193483,
	0.00012055332902888736,
	-1.4925647567519332e-05,
	1.6462045441468418e-06,
	-1.6364642158167616e-07,
	1.4792401209404813e-08,
	-1.216456005728345e-09,
	8.709045129053106e-11,
	-4.230945824295338e-12,
}

// erfcG: degree 20 in t on [-0.385, 0.849], relative error 4.5e-17
var erfcG = []float64{
	1.2709799230171552,
	-0.11025561594301489,
	-0.1307801018299437,
	0.16525643251604671,
	-0.08313253705015915,
	0.011441014921033985,
	0.008093641416379362,
	-0.0026191103432694845,
	-0.001173517485911971,
	0.000411999689709606,
	0.0002511074248267629,
	-4.412247432819439e-05,
	-5.955880166423784e-05,
	-4.311802364912597e-06,
	1.2000078175349017e-05,
	4.486659796873683e-06,
	-7.701471488711069e-07,
	-1.7089803396085794e-06,
	-1.2893127662117149e-06,
	1.5980104186176847e-06,
	-3.924687486266689e-07,
}

// log2 e beyond its first 53 bits.
const log2ELow = 0x1.777d0ffda0d24p-56

// powP: atanh(s)/s = 1 + z/3 + z^2 P(z), z = s^2 <= 0.0295; the error of the
// first coefficient apart.
const powPLow = -1.1102230246251565e-17

var powP = []float64{
	0.2,
	0.14285714285714285,
	0.11111111111111079,
	0.0909090909092323,
	0.07692307689192059,
	0.06666667060576704,
	0.05882322671130413,
	0.05264593674504863,
	0.04720967083948891,
	0.04985600645319424,
}
