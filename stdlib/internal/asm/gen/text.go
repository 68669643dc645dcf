package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// usual is how many positions separators writes for a block of 64 bytes without asking how many there are: so many fields end in
// 64 bytes of most files, and a branch that depends on the number is one that a processor cannot foresee.
const usual = 12

// text writes the search for the bytes that end a field. AVX-512's F, DQ and VL compare no bytes, so the kernel for AVX2 serves
// them too.
func text(w *writer) {
	if w.lanes == 8 {
		return
	}
	w.function("separators", "func(at *uint32, text *byte, blocks int, first uint32, comma uint8) int",
		"NAME writes the positions of commas, line feeds and quotes in blocks of 64 bytes, one at least, the first byte being at\n"+
			"position first, and returns their number. Up to 12 places after the last one are overwritten.")
	at, p, blocks := w.arg("at"), w.arg("text"), w.arg("blocks")
	first := w.Load(w.Param("first"), w.GP32())
	sign := w.GP32()
	w.Load(w.Param("comma"), sign)
	low, comma := w.XMM(), w.YMM()
	w.VMOVD(sign, low)
	w.VPBROADCASTB(low, comma)
	signs := []vector{comma, w.load(bits(ones * '\n')), w.load(bits(ones * '"'))}
	start := w.GP64()
	w.MOVQ(at, start)
	block, rest, next := w.label("block"), w.label("rest"), w.label("next")
	w.Label(block)
	marks, upper, n := w.GP64(), w.GP64(), w.GP64()
	w.VPMOVMSKB(w.anyOf(p, 0, signs), marks.As32())
	w.VPMOVMSKB(w.anyOf(p, 32, signs), upper.As32())
	w.SHLQ(operand.U8(32), upper)
	w.ORQ(upper, marks)
	w.POPCNTQ(marks, n)
	position := func(to operand.Mem) {
		place := w.GP64()
		w.TZCNTQ(marks, place)
		w.ADDL(first, place.As32())
		w.MOVL(place.As32(), to)
		w.BLSRQ(marks, marks)
	}
	for k := range usual {
		position(operand.Mem{Base: at, Disp: 4 * k})
	}
	end := w.GP64()
	w.LEAQ(operand.Mem{Base: at, Index: n, Scale: 4}, end)
	w.CMPQ(n, operand.U8(usual))
	w.JBE(operand.LabelRef(next))
	w.ADDQ(operand.U8(4*usual), at)
	w.Label(rest)
	position(operand.Mem{Base: at})
	w.ADDQ(operand.U8(4), at)
	w.CMPQ(at, end)
	w.JB(operand.LabelRef(rest))
	w.Label(next)
	w.MOVQ(end, at)
	w.ADDQ(operand.U8(64), p)
	w.ADDL(operand.U8(64), first)
	w.DECQ(blocks)
	w.JNZ(operand.LabelRef(block))
	w.SUBQ(start, at)
	w.SHRQ(operand.U8(2), at)
	w.Store(at, w.ReturnIndex(0))
	w.ret()
}

// ones is a word of eight bytes 1.
const ones = 0x0101010101010101

// anyOf has all bits set in the bytes at p that are one of the signs.
func (w *writer) anyOf(p reg.GPVirtual, disp int, signs []vector) vector {
	bytes, any := w.reg(), w.reg()
	w.VMOVDQU(at(p, disp), bytes)
	w.VPCMPEQB(signs[0], bytes, any)
	for _, s := range signs[1:] {
		same := w.reg()
		w.VPCMPEQB(s, bytes, same)
		w.VPOR(same, any, any)
	}
	return any
}
