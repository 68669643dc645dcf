package main

import (
	"strconv"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// radial writes distances of points to columns of points, and the profiles that
// turn them into kernels.
func radial(w *writer) {
	w.distances("squared", "(x[k]-y[k][j])^2", func(acc, d vector) vector { w.VFMADD231PD(d, d, acc); return acc })
	w.distances("manhattan", "|x[k]-y[k][j]|", func(acc, d vector) vector { return w.add(acc, w.abs(d)) })
	w.profile("gaussian", "e^(c*s)", plan{2, 3, 12}, func(s, c vector) vector { return w.exp(w.mul(s, c)) })
	w.profile("exponential", "e^(c*sqrt s)", plan{3, 3, 0}, func(s, c vector) vector { return w.exp(w.mul(w.sqrt(s), c)) })
	w.profile("matern32", "(1 - a) e^a, a = c*sqrt s", plan{3, 2, 0}, func(s, c vector) vector {
		a := w.max(num(-800), w.mul(w.sqrt(s), c)) // no infinity times 0
		return w.mul(w.sub(num(1), a), w.exp(a))
	})
	w.profile("matern52", "(1 - a + a^2/3) e^a, a = c*sqrt s", plan{3, 2, 0}, func(s, c vector) vector {
		a := w.max(num(-800), w.mul(w.sqrt(s), c)) // no infinity times 0
		p := w.fma(a, w.sub(w.mul(a, num(1./3)), num(1)), num(1))
		return w.mul(p, w.exp(a))
	})
	w.profile("inverseRoot", "1/sqrt(1 + c*s)", plan{1, 1, 0}, func(s, c vector) vector {
		return w.div(num(1), w.sqrt(w.fma(s, c, num(1))))
	})
	w.profile("inverse", "1/(1 + c*s)", plan{1, 1, 0}, func(s, c vector) vector {
		return w.div(num(1), w.fma(s, c, num(1)))
	})
}

// distances writes the distances of one row, or of four, to panels of 32
// columns: 16 accumulators at most, so that each number of y is used four times.
func (w *writer) distances(name, what string, f func(acc, d vector) vector) {
	w.distanceRows(name+"1", what, 1, f)
	w.distanceRows(name+"4", what, 4, f)
}

func (w *writer) distanceRows(name, what string, rows int, f func(acc, d vector) vector) {
	w.function(name, "func(dst *float64, ds int, x *float64, xs int, y *float64, d, panels int)",
		"NAME sets dst[i][j] to the sum over k < d of "+what+" for "+strconv.Itoa(rows)+" rows i, and columns j in\n"+
			"panels of 32: number k*32 + j of a panel is y[k][j]. Row strides are in bytes; d > 0, panels > 0.")
	dst, ds, x, xs := w.arg("dst"), w.arg("ds"), w.arg("x"), w.arg("xs")
	y, d, panels := w.arg("y"), w.arg("d"), w.arg("panels")
	xr := make([]reg.GPVirtual, rows)
	xr[0] = x
	for i := 1; i < rows; i++ {
		xr[i] = w.GP64()
		w.LEAQ(operand.Mem{Base: xr[i-1], Index: xs, Scale: 1}, xr[i])
	}
	group := 4
	if w.lanes == 4 {
		group = 8 / rows // 8 accumulators
	}
	p, k := w.GP64(), w.GP64()
	panel := w.label("panel")
	w.Label(panel)
	for g := 0; g < 32/w.lanes; g += group {
		acc := make([][]vector, rows)
		for r := range acc {
			for range group {
				z := w.reg()
				w.zero(z)
				acc[r] = append(acc[r], z)
			}
		}
		over := w.label("over")
		w.MOVQ(y, p)
		w.XORQ(k, k)
		w.Label(over)
		b := make([]vector, rows)
		for r := range b {
			b[r] = w.reg()
			w.VBROADCASTSD(atIndex(xr[r], k, 0), b[r])
		}
		for i := range group {
			v := w.loadMem(at(p, 8*w.lanes*(g+i)))
			for r := range rows {
				w.VMOVAPD(f(acc[r][i], w.sub(b[r], v)), acc[r][i])
			}
		}
		w.ADDQ(operand.U32(256), p)
		w.INCQ(k)
		w.CMPQ(k, d)
		w.JL(operand.LabelRef(over))
		w.MOVQ(dst, p)
		for r := range rows {
			for i := range group {
				w.storeMem(acc[r][i], at(p, 8*w.lanes*(g+i)))
			}
			if r+1 < rows {
				w.ADDQ(ds, p)
			}
		}
	}
	w.ADDQ(operand.U32(256), dst)
	w.MOVQ(d, k)
	w.SHLQ(operand.U8(8), k)
	w.ADDQ(k, y)
	w.DECQ(panels)
	w.JNZ(operand.LabelRef(panel))
	w.ret()
}

// profile writes dst[j] = f(src[j], c), and a variant that stores whole lines
// past the caches, for results that will not be read soon: its dst must stand
// on a line, and n be a multiple of 8.
func (w *writer) profile(name, what string, p plan, f func(s, c vector) vector) {
	w.function(name, "func(dst *float64, c float64, src *float64, n int)", "NAME sets dst = "+what+" for n values s of src; dst may be src.")
	dst := w.arg("dst")
	c := w.broadcastArg("c")
	e := expression{f: func(s vector) vector { return f(s, c) }}
	w.simpleLoop(dst, w.arg("src"), p, e)

	w.function(name+"Past", "func(dst *float64, c float64, src *float64, n int)",
		"NAME is the same with stores past the caches; dst is 64-byte aligned, n > 0 a multiple of 8.")
	dst = w.arg("dst")
	src, n := w.arg("src"), w.arg("n")
	c = w.broadcastArg("c")
	end := w.label("end")
	w.wholeVectors(dst, src, n, p, e, func(v vector, m operand.Mem) { w.VMOVNTPD(v, m) }, end)
	w.Label(end)
	w.SFENCE()
	w.ret()
}
