package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
)

// search writes the step of a greedy method on its candidates.
func search(w *writer) {
	w.function("gaussianStep", "func(sum, z, x, y *float64, d, panels int, c, keep, weight, factor float64) float64",
		"NAME sets sum[j] = keep*sum[j] + weight*e^(c*s), s the squared distance of x from point j of whole panels y of\n"+
			"dimension d > 0, and returns the largest z[j] - factor*sum[j], NaN if one is NaN or infinite; panels > 0.")
	g, z, x, y := w.arg("sum"), w.arg("z"), w.arg("x"), w.arg("y")
	d, panels := w.arg("d"), w.arg("panels")
	c, keep, weight, factor := w.broadcastArg("c"), w.broadcastArg("keep"), w.broadcastArg("weight"), w.broadcastArg("factor")
	best, bad := w.load(num(math.Inf(-1))), w.reg()
	w.zero(bad)
	group := w.lanes / 2 // vectors at a time: 32 points or 8
	p, k := w.GP64(), w.GP64()
	panel := w.label("panel")
	w.Label(panel)
	for from := 0; from < 32/w.lanes; from += group {
		acc := make([]vector, group)
		for i := range acc {
			acc[i] = w.reg()
			w.zero(acc[i])
		}
		w.MOVQ(y, p)
		w.XORQ(k, k)
		over := w.label("over")
		w.Label(over)
		b := w.reg()
		w.VBROADCASTSD(atIndex(x, k, 0), b)
		for i := range acc {
			t := w.sub(b, w.loadMem(at(p, 8*w.lanes*(from+i))))
			w.VFMADD231PD(t, t, acc[i])
		}
		w.ADDQ(operand.U32(256), p)
		w.INCQ(k)
		w.CMPQ(k, d)
		w.JL(operand.LabelRef(over))
		for i := range acc {
			e := w.exp(w.mul(acc[i], c))
			here := 8 * w.lanes * (from + i)
			sum := w.fma(weight, e, w.mul(w.loadMem(at(g, here)), keep))
			w.storeMem(sum, at(g, here))
			v := w.fnma(factor, sum, w.loadMem(at(z, here)))
			w.VMAXPD(best, v, best)
			w.withConst(w.VFMADD231PD, w.VFMADD231PD_BCST, num(0), v, bad)
		}
	}
	w.ADDQ(operand.U32(256), g)
	w.ADDQ(operand.U32(256), z)
	w.MOVQ(d, k)
	w.SHLQ(operand.U8(8), k)
	w.ADDQ(k, y)
	w.DECQ(panels)
	w.JNZ(operand.LabelRef(panel))
	total := w.XMM()
	w.VADDSD(w.foldLanes(bad).AsX(), w.foldMax(best).AsX(), total)
	w.Store(total, w.ReturnIndex(0))
	w.ret()
}
