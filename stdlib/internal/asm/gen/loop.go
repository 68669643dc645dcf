package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// An expression is a function of one vector; the code of f has no jumps. Where usual is not nil, f holds only if all lanes
// of usual(x) are positive, normal and finite; any holds for all x.
type expression struct {
	f, usual, any func(x vector) vector
}

// A plan is how many vectors are on their way at a time, in AVX-512 and in AVX2, whose registers are fewer, and how many
// constants AVX-512 keeps in registers.
type plan struct{ wide, narrow, keep int }

// simpleLoop sets dst to e of src, for n > 0 elements; the last vector is masked.
func (w *writer) simpleLoop(dst, src reg.GPVirtual, p plan, e expression) {
	n := w.arg("n")
	tail, end := w.label("tail"), w.label("end")
	w.wholeVectors(dst, src, n, p, e, w.storeMem, tail)
	w.Label(tail)
	w.TESTQ(n, n)
	w.JZ(operand.LabelRef(end))
	f := e.f
	if e.usual != nil {
		f = e.any
	}
	m := w.tailMask(n, 0)
	w.storeMasked(f(w.loadMasked(at(src, 0), m)), at(dst, 0), m)
	w.Label(end)
	w.ret()
}

// wholeVectors does as planned what is whole vectors, and goes to next with what is left.
func (w *writer) wholeVectors(dst, src, n reg.GPVirtual, p plan, e expression, store func(v vector, m operand.Mem), next string) {
	w.keep(p.keep, e.f)
	loop, many := w.label("loop"), p.wide
	if w.lanes == 4 {
		many = p.narrow
	}
	if many > 1 {
		w.vectors(dst, src, n, many, e, store, w.label("chains"), loop)
	}
	w.vectors(dst, src, n, 1, e, store, loop, next)
}

// vectors is the loop over count vectors at a time, which goes to next when fewer are left.
func (w *writer) vectors(dst, src, n reg.GPVirtual, count int, e expression, store func(v vector, m operand.Mem), loop, next string) {
	other, stored := w.label("other"), w.label("stored")
	size := 8 * w.lanes
	load := func(i int) vector { return w.loadMem(at(src, size*i)) }
	w.Label(loop)
	w.CMPQ(n, operand.U8(count*w.lanes))
	w.JL(operand.LabelRef(next))
	if e.usual != nil {
		for i := range count {
			w.jumpIfAny(w.unusual(e.usual(load(i))), other)
		}
	}
	w.interleave(count, func(i int) { store(e.f(load(i)), at(dst, size*i)) })
	w.Label(stored)
	w.ADDQ(operand.U32(size*count), src)
	w.ADDQ(operand.U32(size*count), dst)
	w.SUBQ(operand.U8(count*w.lanes), n)
	w.JMP(operand.LabelRef(loop))
	if e.usual != nil {
		w.Label(other)
		for i := range count {
			store(e.any(load(i)), at(dst, size*i))
		}
		w.JMP(operand.LabelRef(stored))
	}
}

// unusual selects the lanes that are not positive, normal and finite.
func (w *writer) unusual(x vector) mask {
	if w.lanes == 8 {
		m := mask{k: w.K()}
		w.VFPCLASSPDZ(operand.U8(0xff), x, m.k) // NaN, zeros, infinities, subnormal, negative
		return m
	}
	return mask{v: w.or(w.cmp(notGE, x, num(minNormal)).v, w.cmp(eq, x, bits(infBits)).v)}
}
