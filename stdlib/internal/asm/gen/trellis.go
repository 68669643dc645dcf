package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// trellis writes the forward pass of dynamic programming over a chain.
func trellis(w *writer) {
	w.function("maxPlus", "func(score, row, panels *float64, s, padded, steps int)",
		"NAME adds to the next rows of score, of s columns each, max_j row[j] + M[j][k], M in panels of 8 columns, where row is the\n"+
			"row before. row has room for two rows of padded columns, a multiple of 8, and the first is the row before the first\n"+
			"step; s and steps > 0. What it adds up is kept in row too, as vectors cannot be read at once where a part of one was stored.")
	score, row, panels := w.arg("score"), w.arg("row"), w.arg("panels")
	s, width, steps := w.arg("s"), w.arg("padded"), w.arg("steps")
	w.SHLQ(operand.U8(3), width)
	next := w.GP64()
	w.LEAQ(operand.Mem{Base: row, Index: width, Scale: 1}, next)
	p, to, left, x, j := w.GP64(), w.GP64(), w.GP64(), w.GP64(), w.GP64()
	step, group, pairs, single, done, part, stored := w.label("step"), w.label("group"), w.label("pairs"), w.label("single"), w.label("done"), w.label("part"), w.label("stored")
	n := 8 / w.lanes
	even, odd := make([]vector, n), make([]vector, n)
	for i := range n {
		even[i], odd[i] = w.reg(), w.reg()
	}
	least := w.load(num(math.Inf(-1)))

	w.Label(step)
	w.MOVQ(panels, p)
	w.MOVQ(next, to)
	w.MOVQ(s, left)
	w.Label(group)
	for i := range n {
		w.VMOVAPD(least, even[i])
		w.VMOVAPD(least, odd[i])
	}
	w.MOVQ(row, x)
	w.MOVQ(s, j)
	w.Label(pairs)
	w.CMPQ(j, operand.U8(2))
	w.JL(operand.LabelRef(single))
	w.better(even, x, p, 0)
	w.better(odd, x, p, 1)
	w.ADDQ(operand.U32(128), p)
	w.ADDQ(operand.U8(16), x)
	w.SUBQ(operand.U8(2), j)
	w.JMP(operand.LabelRef(pairs))
	w.Label(single)
	w.TESTQ(j, j)
	w.JZ(operand.LabelRef(done))
	w.better(even, x, p, 0)
	w.ADDQ(operand.U32(64), p)
	w.Label(done)
	for i := range n {
		w.VMAXPD(even[i], odd[i], even[i])
	}
	w.CMPQ(left, operand.U8(8))
	w.JL(operand.LabelRef(part))
	for i := range n {
		v := w.add(w.loadMem(at(score, 8*w.lanes*i)), even[i])
		w.storeMem(v, at(score, 8*w.lanes*i))
		w.storeMem(v, at(to, 8*w.lanes*i))
	}
	w.ADDQ(operand.U8(64), score)
	w.ADDQ(operand.U8(64), to)
	w.SUBQ(operand.U8(8), left)
	w.JNZ(operand.LabelRef(group))
	w.JMP(operand.LabelRef(stored))
	w.Label(part)
	for i := range n {
		m := w.tailMask(left, w.lanes*i)
		v := w.add(w.loadMasked(at(score, 8*w.lanes*i), m), even[i])
		w.storeMasked(v, at(score, 8*w.lanes*i), m)
		w.storeMem(v, at(to, 8*w.lanes*i))
	}
	w.LEAQ(atIndex(score, left, 0), score)
	w.Label(stored)
	w.XCHGQ(row, next)
	w.DECQ(steps)
	w.JNZ(operand.LabelRef(step))
	w.ret()
}

// better makes each lane of best the larger of itself and x[j] + M[j][k], of the j-th row from p on; itself where that is NaN.
func (w *writer) better(best []vector, x, p reg.GPVirtual, j int) {
	b := w.reg()
	w.VBROADCASTSD(at(x, 8*j), b)
	for i := range best {
		w.VMAXPD(best[i], w.add(b, w.loadMem(at(p, 64*j+8*w.lanes*i))), best[i])
	}
}
