package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// reductions writes sums with 32 partial sums and functions of two slices.
func reductions(w *writer) {
	w.reduction("sum", "x", "", "returns the sum of x in 32 partial sums, folded.",
		func(acc, x, _ vector) vector { return w.add(acc, x) })
	w.reduction("dot", "a", "b", "returns the sum of a[i]*b[i] in 32 partial sums, folded.",
		func(acc, a, b vector) vector { return w.fma(a, b, acc) })
	w.reduction("distance", "a", "b", "returns the sum of (a[i]-b[i])^2 in 32 partial sums, folded.",
		func(acc, a, b vector) vector { d := w.sub(a, b); return w.fma(d, d, acc) })
	w.dots()
	w.maximum()
	w.rotate()
	w.binary("add", "a + b", w.add)
	w.binary("subtract", "a - b", w.sub)
	w.binary("multiply", "a * b", w.mul)
	w.binary("divide", "a / b", w.div)
	w.scalar("axpy", "dst + alpha*src", true, func(alpha, x, d vector) vector { return w.fma(alpha, x, d) })
	w.scalar("scaleBy", "alpha*src", false, func(alpha, x, _ vector) vector { return w.mul(alpha, x) })
	w.scalar("offset", "src + alpha", false, func(alpha, x, _ vector) vector { return w.add(x, alpha) })
}

// fold adds the upper half of the accumulators to the lower until one lane is
// left, lane l of accumulator j being partial sum lanes*j + l.
func (w *writer) fold(acc []vector) vector {
	for len(acc) > 1 {
		h := len(acc) / 2
		for i := range h {
			acc[i] = w.add(acc[i], acc[i+h])
		}
		acc = acc[:h]
	}
	return w.foldLanes(acc[0])
}

func (w *writer) foldLanes(v vector) vector {
	if w.lanes == 8 {
		hi, s := w.YMM(), w.YMM()
		w.VEXTRACTF64X4(operand.U8(1), v, hi)
		w.VADDPD(hi, v.AsY(), s)
		v = s
	}
	h := w.XMM()
	w.VEXTRACTF128(operand.U8(1), v, h)
	s := w.XMM()
	w.VADDPD(h, v.AsX(), s)
	t := w.XMM()
	w.VPERMILPD(operand.U8(1), s, t)
	r := w.XMM()
	w.VADDSD(t, s, r)
	return r
}

func (w *writer) reduction(name, p, q, doc string, f func(acc, x, y vector) vector) {
	args := p
	if q != "" {
		args += ", " + q
	}
	w.function(name, "func("+args+" *float64, n int) float64", "NAME "+doc)
	a, n := w.arg(p), w.arg("n")
	var b reg.GPVirtual
	if q != "" {
		b = w.arg(q)
	}
	acc := make([]vector, 32/w.lanes)
	for i := range acc {
		acc[i] = w.reg()
		w.zero(acc[i])
	}
	loop, tail, end := w.label("loop"), w.label("tail"), w.label("end")
	step := func(load func(p reg.GPVirtual, i int) vector) {
		for i := range acc {
			x, y := load(a, i), vector(nil)
			if q != "" {
				y = load(b, i)
			}
			w.VMOVAPD(f(acc[i], x, y), acc[i])
		}
	}
	w.Label(loop)
	w.CMPQ(n, operand.U8(32))
	w.JL(operand.LabelRef(tail))
	step(func(p reg.GPVirtual, i int) vector { return w.loadMem(at(p, 8*w.lanes*i)) })
	w.ADDQ(operand.U32(256), a)
	if q != "" {
		w.ADDQ(operand.U32(256), b)
	}
	w.SUBQ(operand.U8(32), n)
	w.JMP(operand.LabelRef(loop))
	w.Label(tail)
	w.TESTQ(n, n)
	w.JZ(operand.LabelRef(end))
	for i := range acc {
		if i > 0 {
			w.CMPQ(n, operand.U8(w.lanes*i))
			w.JLE(operand.LabelRef(end))
		}
		m := w.tailMask(n, w.lanes*i)
		x, y := w.loadMasked(at(a, 8*w.lanes*i), m), vector(nil)
		if q != "" {
			y = w.loadMasked(at(b, 8*w.lanes*i), m)
		}
		w.VMOVAPD(f(acc[i], x, y), acc[i])
	}
	w.Label(end)
	w.Store(w.fold(acc), w.ReturnIndex(0))
	w.ret()
}

// dots writes the dot products of rows and one vector. Four rows at a time, where there are registers for their sums, read
// the vector once; the sums are those of dot.
func (w *writer) dots() {
	w.function("dots", "func(dst, a *float64, as int, x *float64, rows, n int)",
		"NAME sets dst[r] to the dot product of x and row r of a, n elements each, in 32 partial sums, folded. Rows are as bytes apart.")
	dst, a, as, x, rows, n := w.arg("dst"), w.arg("a"), w.arg("as"), w.arg("x"), w.arg("rows"), w.arg("n")
	step := func(count int, group, next string) {
		acc, row := make([][]vector, count), make([]reg.GPVirtual, count)
		w.Label(group)
		w.CMPQ(rows, operand.U8(count))
		w.JL(operand.LabelRef(next))
		for r := range count {
			acc[r], row[r] = make([]vector, 32/w.lanes), w.GP64()
			for i := range acc[r] {
				acc[r][i] = w.reg()
				w.zero(acc[r][i])
			}
			if w.MOVQ(a, row[r]); r > 0 {
				w.LEAQ(operand.Mem{Base: row[r-1], Index: as, Scale: 1}, row[r])
			}
		}
		q, left := w.GP64(), w.GP64()
		w.MOVQ(x, q)
		w.MOVQ(n, left)
		loop, tail, fold := w.label("loop"), w.label("tail"), w.label("fold")
		w.Label(loop)
		w.CMPQ(left, operand.U8(32))
		w.JL(operand.LabelRef(tail))
		for i := range 32 / w.lanes {
			v := w.loadMem(at(q, 8*w.lanes*i))
			for r := range count {
				w.VFMADD231PD(at(row[r], 8*w.lanes*i), v, acc[r][i])
			}
		}
		for _, p := range append(row, q) {
			w.ADDQ(operand.U32(256), p)
		}
		w.SUBQ(operand.U8(32), left)
		w.JMP(operand.LabelRef(loop))
		w.Label(tail)
		w.TESTQ(left, left)
		w.JZ(operand.LabelRef(fold))
		for i := range 32 / w.lanes {
			if i > 0 {
				w.CMPQ(left, operand.U8(w.lanes*i))
				w.JLE(operand.LabelRef(fold))
			}
			m := w.tailMask(left, w.lanes*i)
			v := w.loadMasked(at(q, 8*w.lanes*i), m)
			for r := range count {
				w.VFMADD231PD(w.loadMasked(at(row[r], 8*w.lanes*i), m), v, acc[r][i])
			}
		}
		w.Label(fold)
		for r := range count {
			w.VMOVSD(w.fold(acc[r]).AsX(), at(dst, 8*r))
			w.ADDQ(as, a)
		}
		w.ADDQ(operand.U8(8*count), dst)
		w.SUBQ(operand.U8(count), rows)
		w.JMP(operand.LabelRef(group))
	}
	four, one, end := w.label("four"), w.label("one"), w.label("end")
	if w.lanes == 8 {
		step(4, four, one)
	}
	step(1, one, end)
	w.Label(end)
	w.ret()
}

// maximum returns the largest of n > 0 elements, NaN if one is NaN.
func (w *writer) maximum() {
	w.function("max", "func(x *float64, n int) float64", "NAME returns the largest of n elements, NaN if one is NaN.")
	x, n := w.arg("x"), w.arg("n")
	best := []vector{w.reg(), w.reg()}
	bad := []vector{w.reg(), w.reg()}
	for i := range best {
		w.VMOVAPD(w.load(num(math.Inf(-1))), best[i])
		w.zero(bad[i])
	}
	loop, single, tail, end := w.label("loop"), w.label("single"), w.label("tail"), w.label("end")
	// VMAXPD forgets a NaN when the next number comes: bad remembers it.
	take := func(i int, v vector) {
		w.VMOVAPD(w.max(best[i], v), best[i])
		nan := w.blend(w.cmp(isNaN, v, v), v, num(0))
		w.VMOVAPD(w.add(bad[i], nan), bad[i])
	}
	w.Label(loop)
	w.CMPQ(n, operand.U8(2*w.lanes))
	w.JL(operand.LabelRef(single))
	take(0, w.loadMem(at(x, 0)))
	take(1, w.loadMem(at(x, 8*w.lanes)))
	w.ADDQ(operand.U32(16*w.lanes), x)
	w.SUBQ(operand.U8(2*w.lanes), n)
	w.JMP(operand.LabelRef(loop))
	w.Label(single)
	w.CMPQ(n, operand.U8(w.lanes))
	w.JL(operand.LabelRef(tail))
	take(0, w.loadMem(at(x, 0)))
	w.ADDQ(operand.U32(8*w.lanes), x)
	w.SUBQ(operand.U8(w.lanes), n)
	w.Label(tail)
	w.TESTQ(n, n)
	w.JZ(operand.LabelRef(end))
	m := w.tailMask(n, 0)
	v := w.blend(m, w.loadMasked(at(x, 0), m), num(math.Inf(-1)))
	take(0, v)
	w.Label(end)
	r := w.foldMax(w.max(best[0], best[1]))
	total := w.foldLanes(w.add(bad[0], bad[1]))
	sum := w.XMM()
	w.VADDSD(total, r, sum)
	w.Store(sum, w.ReturnIndex(0))
	w.ret()
}

// foldMax is the largest lane.
func (w *writer) foldMax(v vector) vector {
	if w.lanes == 8 {
		hi, s := w.YMM(), w.YMM()
		w.VEXTRACTF64X4(operand.U8(1), v, hi)
		w.VMAXPD(hi, v.AsY(), s)
		v = s
	}
	h := w.XMM()
	w.VEXTRACTF128(operand.U8(1), v, h)
	s, t, r := w.XMM(), w.XMM(), w.XMM()
	w.VMAXPD(h, v.AsX(), s)
	w.VPERMILPD(operand.U8(1), s, t)
	w.VMAXSD(t, s, r)
	return r
}

// binary writes dst[i] = f(a[i], b[i]).
func (w *writer) binary(name, what string, f func(a, b value) vector) {
	w.function(name, "func(dst, a, b *float64, n int)", "NAME sets dst = "+what+" for n elements; dst may be a or b.")
	w.elementLoop(w.arg("dst"), []reg.GPVirtual{w.arg("a"), w.arg("b")}, func(in []vector) vector { return f(in[0], in[1]) })
}

// scalar writes dst[i] = f(alpha, src[i], dst[i]).
func (w *writer) scalar(name, what string, reads bool, f func(alpha, x, d vector) vector) {
	w.function(name, "func(dst *float64, alpha float64, src *float64, n int)", "NAME sets dst = "+what+" for n elements; dst may be src.")
	dst := w.arg("dst")
	alpha := w.broadcastArg("alpha")
	if !reads {
		w.elementLoop(dst, []reg.GPVirtual{w.arg("src")}, func(in []vector) vector { return f(alpha, in[0], nil) })
		return
	}
	w.elementLoop(dst, []reg.GPVirtual{w.arg("src"), dst}, func(in []vector) vector { return f(alpha, in[0], in[1]) })
}

func (w *writer) elementLoop(dst reg.GPVirtual, src []reg.GPVirtual, f func(in []vector) vector) {
	n := w.arg("n")
	i := w.GP64()
	w.XORQ(i, i)
	four, loop, tail, end := w.label("four"), w.label("loop"), w.label("tail"), w.label("end")
	step := func(disp int) {
		var in []vector
		for _, p := range src {
			in = append(in, w.loadMem(atIndex(p, i, disp)))
		}
		w.storeMem(f(in), atIndex(dst, i, disp))
	}
	w.Label(four)
	w.CMPQ(n, operand.U8(4*w.lanes))
	w.JL(operand.LabelRef(loop))
	for k := range 4 {
		step(8 * w.lanes * k)
	}
	w.ADDQ(operand.U8(4*w.lanes), i)
	w.SUBQ(operand.U8(4*w.lanes), n)
	w.JMP(operand.LabelRef(four))
	w.Label(loop)
	w.CMPQ(n, operand.U8(w.lanes))
	w.JL(operand.LabelRef(tail))
	step(0)
	w.ADDQ(operand.U8(w.lanes), i)
	w.SUBQ(operand.U8(w.lanes), n)
	w.JMP(operand.LabelRef(loop))
	w.Label(tail)
	w.TESTQ(n, n)
	w.JZ(operand.LabelRef(end))
	m := w.tailMask(n, 0)
	var in []vector
	for _, p := range src {
		in = append(in, w.loadMasked(atIndex(p, i, 0), m))
	}
	w.storeMasked(f(in), atIndex(dst, i, 0), m)
	w.Label(end)
	w.ret()
}

// rotate writes (x, y) = (c*x + s*y, c*y - s*x).
func (w *writer) rotate() {
	w.function("rotate", "func(x, y *float64, c, s float64, n int)", "NAME sets x, y = c*x + s*y, c*y - s*x for n elements.")
	x, y, n := w.arg("x"), w.arg("y"), w.arg("n")
	c, s := w.broadcastArg("c"), w.broadcastArg("s")
	loop, tail, end := w.label("loop"), w.label("tail"), w.label("end")
	turn := func(a, b vector) (vector, vector) {
		return w.fma(c, a, w.mul(s, b)), w.fnma(s, a, w.mul(c, b))
	}
	w.Label(loop)
	w.CMPQ(n, operand.U8(w.lanes))
	w.JL(operand.LabelRef(tail))
	a, b := turn(w.loadMem(at(x, 0)), w.loadMem(at(y, 0)))
	w.storeMem(a, at(x, 0))
	w.storeMem(b, at(y, 0))
	w.ADDQ(operand.U8(8*w.lanes), x)
	w.ADDQ(operand.U8(8*w.lanes), y)
	w.SUBQ(operand.U8(w.lanes), n)
	w.JMP(operand.LabelRef(loop))
	w.Label(tail)
	w.TESTQ(n, n)
	w.JZ(operand.LabelRef(end))
	m := w.tailMask(n, 0)
	a, b = turn(w.loadMasked(at(x, 0), m), w.loadMasked(at(y, 0), m))
	w.storeMasked(a, at(x, 0), m)
	w.storeMasked(b, at(y, 0), m)
	w.Label(end)
	w.ret()
}
