package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// elementary writes the functions of one slice into another. Each has a twin
// in package asm, elem.go, with the same operations in the same order.
func elementary(w *writer) {
	w.unary("exp", "e^x", plan{2, 3, 12}, expression{f: w.exp})
	w.unary("expm1", "e^x - 1", plan{2, 2, 12}, expression{f: w.expm1})
	w.unary("log", "ln x", plan{2, 2, 12}, expression{f: w.log, usual: func(x vector) vector { return x }, any: w.logAny})
	w.unary("log1p", "ln(1 + x)", plan{2, 1, 12}, expression{f: w.log1p, usual: func(x vector) vector { return w.add(x, num(1)) }, any: w.log1pAny})
	w.unary("tanh", "tanh x", plan{2, 2, 12}, expression{f: w.tanh})
	w.unary("logistic", "1/(1 + e^-x)", plan{2, 2, 12}, expression{f: w.logistic})
	w.unary("erf", "erf x", plan{2, 1, 8}, expression{f: w.erf})
	w.unary("sqrt", "the square root of x", plan{1, 1, 0}, expression{f: func(x vector) vector { return w.sqrt(x) }})
	w.trig("sin", "sin x", func(x vector) []vector { return []vector{w.sin(x)} })
	w.trig("cos", "cos x", func(x vector) []vector { return []vector{w.cos(x)} })
	w.sincos()
	w.oddsProducts()
}

// oddsProducts writes a loop over vectors, in each of which a loop over numbers.
func (w *writer) oddsProducts() {
	w.function("oddsProducts", "func(dst, c0, c1 *float64, n int, x *float64, m int)",
		"NAME sets dst[i] to the product of 1 + e^(c0[i] + c1[i]*x[j]) over m > 0 numbers x, for n elements; dst may be c0 or c1.")
	dst, c0, c1, n := w.arg("dst"), w.arg("c0"), w.arg("c1"), w.arg("n")
	x, m := w.arg("x"), w.arg("m")
	w.keep(12, w.exp)
	i, j := w.GP64(), w.GP64()
	w.XORQ(i, i)
	products := func(count int, load func(p reg.GPVirtual, k int) vector, store func(v vector, k int)) {
		a, b, p := make([]vector, count), make([]vector, count), make([]vector, count)
		for k := range count {
			a[k], b[k], p[k] = load(c0, k), load(c1, k), w.copy(w.load(num(1)))
		}
		w.XORQ(j, j)
		over := w.label("over")
		w.Label(over)
		v := w.reg()
		w.VBROADCASTSD(atIndex(x, j, 0), v)
		w.interleave(count, func(k int) {
			w.VMOVAPD(w.mul(p[k], w.add(w.exp(w.fma(v, b[k], a[k])), num(1))), p[k])
		})
		w.INCQ(j)
		w.CMPQ(j, m)
		w.JL(operand.LabelRef(over))
		for k := range count {
			store(p[k], k)
		}
	}
	for _, count := range []int{2, 1} {
		loop, next := w.label("loop"), w.label("next")
		w.Label(loop)
		w.CMPQ(n, operand.U8(count*w.lanes))
		w.JL(operand.LabelRef(next))
		products(count, func(p reg.GPVirtual, k int) vector { return w.loadMem(atIndex(p, i, 8*w.lanes*k)) },
			func(v vector, k int) { w.storeMem(v, atIndex(dst, i, 8*w.lanes*k)) })
		w.ADDQ(operand.U8(count*w.lanes), i)
		w.SUBQ(operand.U8(count*w.lanes), n)
		w.JMP(operand.LabelRef(loop))
		w.Label(next)
	}
	end := w.label("end")
	w.TESTQ(n, n)
	w.JZ(operand.LabelRef(end))
	rest := w.tailMask(n, 0)
	products(1, func(p reg.GPVirtual, _ int) vector { return w.loadMasked(atIndex(p, i, 0), rest) },
		func(v vector, _ int) { w.storeMasked(v, atIndex(dst, i, 0), rest) })
	w.Label(end)
	w.ret()
}

// unary writes the loop of a function of one slice.
func (w *writer) unary(name, what string, p plan, e expression) {
	w.function(name, "func(dst, src *float64, n int)", "NAME sets dst[i] to "+what+" of src[i] for n elements; dst may be src.")
	w.simpleLoop(w.arg("dst"), w.arg("src"), p, e)
}

// trig writes a loop that stops before the first vector with an argument
// beyond trigMax or NaN and returns the number of elements done.
func (w *writer) trig(name, what string, f func(x vector) []vector) {
	w.function(name, "func(dst, src *float64, n int) int", "NAME sets dst[i] to "+what+" of src[i]. It stops before the first vector with an argument\n"+
		"beyond trigMax or NaN, and returns the number of elements done; dst may be src.")
	w.stoppingLoop([]reg.GPVirtual{w.arg("dst")}, f)
}

func (w *writer) sincos() {
	w.function("sincos", "func(sin, cos, src *float64, n int) int", "NAME sets sin[i], cos[i] to the sine and cosine of src[i]. It stops as sin does.")
	s, c := w.arg("sin"), w.arg("cos")
	w.stoppingLoop([]reg.GPVirtual{s, c}, func(x vector) []vector {
		r, lo, n := w.reduceTrig(w.abs(x))
		ps, pc := w.polys(r, lo)
		return []vector{w.finishSin(x, ps, pc, n), w.finishCos(ps, pc, n)}
	})
}

func (w *writer) stoppingLoop(dst []reg.GPVirtual, f func(x vector) []vector) {
	src, n := w.arg("src"), w.arg("n")
	w.keep(22, func(x vector) vector { return f(x)[0] })
	done := w.GP64()
	w.XORQ(done, done)
	loop, tail, end := w.label("loop"), w.label("tail"), w.label("end")
	w.Label(loop)
	w.CMPQ(n, operand.U8(w.lanes))
	w.JL(operand.LabelRef(tail))
	x := w.loadMem(atIndex(src, done, 0))
	w.jumpIfAny(w.cmp(notLE, w.abs(x), num(trigMax)), end)
	for i, y := range f(x) {
		w.storeMem(y, atIndex(dst[i], done, 0))
	}
	w.ADDQ(operand.U8(w.lanes), done)
	w.SUBQ(operand.U8(w.lanes), n)
	w.JMP(operand.LabelRef(loop))
	w.Label(tail)
	w.TESTQ(n, n)
	w.JZ(operand.LabelRef(end))
	m := w.tailMask(n, 0)
	x = w.loadMasked(atIndex(src, done, 0), m)
	w.jumpIfAny(w.cmp(notLE, w.abs(x), num(trigMax)), end)
	for i, y := range f(x) {
		w.storeMasked(y, atIndex(dst[i], done, 0), m)
	}
	w.ADDQ(n, done)
	w.Label(end)
	w.Store(done, w.ReturnIndex(0))
	w.ret()
}

func (w *writer) abs(x vector) vector { return w.andnot(bits(signMask), x) }

// withSign is y with the sign of x.
func (w *writer) withSign(y, x vector) vector {
	if w.lanes == 8 {
		return w.signTernary(0xd8, y, x)
	}
	return w.or(w.andnot(bits(signMask), y), w.and(x, bits(signMask)))
}

// orSign is y, whose sign bit is set where that of x is.
func (w *writer) orSign(y, x vector) vector {
	if w.lanes == 8 {
		return w.signTernary(0xf8, y, x)
	}
	return w.or(y, w.and(x, bits(signMask)))
}

// flipSign is y, with the other sign where the sign bit of x is set.
func (w *writer) flipSign(y, x vector) vector {
	if w.lanes == 8 {
		return w.signTernary(0x78, y, x)
	}
	return w.xor(y, w.and(x, bits(signMask)))
}

// signTernary combines each bit of y and x with that of signMask, by a table of the eight cases.
func (w *writer) signTernary(table uint8, y, x vector) vector {
	d := w.copy(y)
	w.VPTERNLOGQ_BCST(operand.U8(table), w.consts.mem(signMask), x, d)
	return d
}

// round returns x*k to the nearest integer, and the same plus magic.
func (w *writer) round(x vector, k float64) (n, t vector) {
	t = w.fma(x, num(k), num(magic))
	return w.sub(t, num(magic)), t
}

// pow2 is 2^n for an integer n in [-1022, 1023], in floating point.
func (w *writer) pow2(n vector) vector {
	t := w.add(n, num(magic))
	return w.shl(w.addi(t, bits(1023)), 52)
}

// scale is y*2^n with one rounding, for n in [-1076, 1024].
func (w *writer) scale(y, n vector) vector {
	if w.lanes == 8 {
		d := w.reg()
		w.VSCALEFPD(n, y, d)
		return d
	}
	h, _ := w.round(n, 0.5)
	return w.mul(w.mul(y, w.pow2(h)), w.pow2(w.sub(n, h)))
}

// reduceExp writes x = n ln 2 + r + lo.
func (w *writer) reduceExp(x vector) (r, lo, n vector) {
	n, _ = w.round(x, log2E)
	r1 := w.fnma(n, num(ln2Hi), x)
	r = w.fnma(n, num(ln2Lo), r1)
	lo = w.fnma(n, num(ln2Lo), w.sub(r1, r))
	return r, lo, n
}

// sumFast is a + b = s + e for |a| >= |b| or a = 0.
func (w *writer) sumFast(a, b value) (s, e vector) {
	s = w.add(a, b)
	return s, w.sub(b, w.sub(s, a))
}

func (w *writer) exp(x vector) vector {
	x = w.max(num(-746), w.min(num(710), x))
	n, _ := w.round(x, log2E)
	r := w.fnma(n, num(ln2Hi), x)
	r = w.fnma(n, num(ln2Lo), r)
	s, e := w.sumFast(num(1), r)
	q := w.horner(r, expQ)
	return w.scale(w.add(s, w.fma(w.mul(r, r), q, e)), n)
}

func (w *writer) expm1(x vector) vector {
	y := w.max(num(-44), w.min(num(710), x))
	r, lo, n := w.reduceExp(y)
	p := w.pow2(w.sub(num(0), w.min(num(1000), n)))
	s, e := w.sumFast(w.sub(num(1), p), r)
	q := w.fma(w.mul(r, r), w.horner(r, expQ), lo)
	y = w.scale(w.add(s, w.add(e, q)), n)
	return w.orSign(y, x)
}

func (w *writer) tanh(x vector) vector {
	y := w.mul(w.min(num(22), w.abs(x)), num(-2))
	r, lo, n := w.reduceExp(y)
	p := w.pow2(n)
	q := w.fma(w.mul(r, r), w.horner(r, expQ), lo)
	a := w.sub(p, num(1))
	s, e := w.sumFast(a, w.mul(p, r))
	low := w.fma(p, q, w.add(e, w.sub(p, w.add(a, num(1)))))
	em := w.add(s, low)
	emLow := w.sub(low, w.sub(em, s))
	d := w.add(em, num(2))
	dLow := w.add(w.sub(em, w.sub(d, num(2))), emLow)
	inv := w.div(num(1), d)
	q0 := w.mul(em, inv)
	rem := w.add(w.fnma(q0, d, em), emLow)
	rem = w.fnma(q0, dLow, rem)
	y = w.fma(rem, inv, q0)
	return w.withSign(y, x)
}

func (w *writer) logistic(x vector) vector {
	y := w.sub(num(0), w.min(num(746), w.abs(x)))
	r, lo, n := w.reduceExp(y)
	s, e := w.sumFast(num(1), r)
	low := w.add(w.fma(w.mul(r, r), w.horner(r, expQ), lo), e)
	hi := w.add(s, low)
	hiLow := w.sub(low, w.sub(hi, s))
	p := w.pow2(w.max(num(-200), n))
	t := w.mul(hi, p)
	d := w.add(t, num(1))
	dLow := w.fma(p, hiLow, w.sub(t, w.sub(d, num(1))))
	negative := w.cmp(lt, x, num(0))
	top := w.blend(negative, hi, num(1))
	topLow := w.blend(negative, hiLow, num(0))
	inv := w.div(num(1), d)
	q0 := w.mul(top, inv)
	rem := w.add(w.fnma(q0, d, top), topLow)
	rem = w.fnma(q0, dLow, rem)
	return w.scale(w.fma(rem, inv, q0), w.blend(negative, n, num(0)))
}

// splitLog writes x = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt(2), for a
// positive normal x, and half of f^2. Half of f comes from the bits, as of
// products there are more than of sums.
func (w *writer) splitLog(x vector) (f, half, k vector) {
	var i vector
	if w.lanes == 8 {
		i = w.subi(x, bits(sqrtHalfBits))
		exponent := w.reg()
		k = w.reg()
		w.VPSRAQ(operand.U8(52), i, exponent)
		w.VCVTQQ2PD(exponent, k)
	} else {
		i = w.addi(x, bits(oneBits-sqrtHalfBits))
		k = w.sub(w.or(w.shr(i, 52), bits(magicInt)), num(two52+1023))
	}
	fraction := w.and(i, bits(fractionMask))
	f = w.sub(w.addi(fraction, bits(sqrtHalfBits)), num(1))
	halfF := w.sub(w.addi(fraction, bits(sqrtHalfBits-1<<52)), num(0.5))
	return f, w.mul(f, halfF), k
}

// seriesLog is k ln 2 + ln(1 + f) + c; half is f^2/2.
func (w *writer) seriesLog(f, half, k vector, c value) vector {
	s := w.div(f, w.add(f, num(2)))
	z := w.mul(s, s)
	p := w.fma(z, w.horner(z, logG), half)
	a := w.fma(s, p, w.fma(k, num(ln2Low), c))
	return w.fma(k, num(ln2High), w.sub(f, w.sub(half, a)))
}

// finishLog sets the values at x <= 0, infinity and NaN.
func (w *writer) finishLog(y, x vector) vector {
	y = w.blend(w.cmp(eq, x, bits(infBits)), x, y)
	y = w.blend(w.cmp(notGE, x, num(0)), bits(nanBits), y)
	return w.blend(w.cmp(eq, x, num(0)), bits(infBits|signMask), y)
}

func (w *writer) log(x vector) vector {
	f, half, k := w.splitLog(x)
	return w.seriesLog(f, half, k, num(0))
}

func (w *writer) logAny(x vector) vector {
	small := w.cmp(lt, x, num(minNormal))
	f, half, k := w.splitLog(w.blend(small, w.mul(x, num(0x1p54)), x))
	k = w.sub(k, w.blend(small, num(54), num(0)))
	return w.finishLog(w.seriesLog(f, half, k, num(0)), x)
}

func (w *writer) log1p(x vector) vector {
	u := w.add(x, num(1))
	low := w.sub(x, w.sub(u, num(1)))
	f, half, k := w.splitLog(u)
	return w.orSign(w.seriesLog(f, half, k, w.mul(low, w.inverseEstimate(u))), x)
}

func (w *writer) log1pAny(x vector) vector {
	return w.orSign(w.finishLog(w.log1p(x), w.add(x, num(1))), x)
}

// inverseEstimate is 1/x for a normal x > 0 below 2^200, with the accuracy that asm.inverseEstimate states.
func (w *writer) inverseEstimate(x vector) vector {
	x = w.min(num(0x1p200), x)
	r := w.subi(bits(2*oneBits), x)
	return w.mul(r, w.fnma(x, r, num(2)))
}

func (w *writer) erf(x vector) vector {
	a := w.min(num(6), w.abs(x))
	z := w.mul(a, a)
	small := w.fma(a, w.horner(z, erfP), a)
	n, _ := w.round(z, -log2E)
	r := w.fnma(n, num(ln2Hi), w.sub(num(0), z))
	r = w.fnma(n, num(ln2Lo), r)
	s, e := w.sumFast(num(1), r)
	ez := w.mul(w.add(s, w.fma(w.mul(r, r), w.horner(r, expQ), e)), w.pow2(n))
	t := w.div(w.sub(a, num(2.25)), w.add(a, num(2.25)))
	g := w.div(w.mul(ez, w.horner(t, erfcG)), w.fma(a, num(2), num(1)))
	large := w.sub(num(1), g)
	y := w.blend(w.cmp(lt, a, num(1)), small, large)
	y = w.blend(w.cmp(isNaN, x, x), x, y)
	return w.orSign(y, x)
}

// reduceTrig writes 0 <= x <= trigMax as n pi/2 + r + lo; n stands in the low
// bits of t.
func (w *writer) reduceTrig(x vector) (r, lo, t vector) {
	n, t := w.round(x, twoOverPi)
	r1 := w.fnma(n, num(piOver2A), x)
	r2 := w.fnma(n, num(piOver2B), r1)
	lo = w.fnma(n, num(piOver2B), w.sub(r1, r2))
	lo = w.fnma(n, num(piOver2C), lo)
	r = w.add(r2, lo)
	return r, w.sub(lo, w.sub(r, r2)), t
}

// polys is the sine and the cosine of r + lo, |r| <= pi/4.
func (w *writer) polys(r, lo vector) (sin, cos vector) {
	z := w.mul(r, r)
	return w.polySin(r, lo, z), w.polyCos(r, lo, z)
}

func (w *writer) polySin(r, lo, z vector) vector {
	p := w.horner(z, sinS)
	v := w.mul(z, r)
	a := w.fnma(v, p, w.mul(lo, num(0.5)))
	b := w.fnma(z, a, lo)
	return w.add(r, w.fma(v, num(sinS1), b))
}

func (w *writer) polyCos(r, lo, z vector) vector {
	p := w.horner(z, cosC)
	half := w.mul(z, num(0.5))
	s := w.sub(num(1), half)
	e := w.sub(w.sub(num(1), s), half)
	b := w.fnma(r, lo, e)
	return w.add(s, w.fma(w.mul(z, z), p, b))
}

// odd selects the lanes whose lowest bit is set.
func (w *writer) odd(t vector) mask {
	if w.lanes == 8 {
		m := mask{k: w.K()}
		w.VPTESTMQ_BCST(w.consts.mem(1), t, m.k)
		return m
	}
	return w.signbit(w.shl(t, 63))
}

// finishSin chooses by the quadrant: odd the cosine, bit 1 the sign.
func (w *writer) finishSin(x, s, c, t vector) vector {
	y := w.blend(w.odd(t), c, s)
	return w.flipSign(y, w.xor(w.shl(t, 62), x))
}

func (w *writer) finishCos(s, c, t vector) vector {
	y := w.blend(w.odd(t), s, c)
	return w.flipSign(y, w.shl(w.addi(t, bits(1)), 62))
}

func (w *writer) sin(x vector) vector {
	r, lo, t := w.reduceTrig(w.abs(x))
	s, c := w.polys(r, lo)
	return w.finishSin(x, s, c, t)
}

func (w *writer) cos(x vector) vector {
	r, lo, t := w.reduceTrig(w.abs(x))
	s, c := w.polys(r, lo)
	return w.finishCos(s, c, t)
}
