package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// products writes the micro-kernel of the matrix product and the copies that
// feed it.
func products(w *writer) {
	w.gemmKernel()
	w.axpy4()
	w.axpyPanel()
	w.symv4()
	if w.lanes == 4 {
		w.packRows()
		w.packTransposed()
	}
}

// gemmKernel multiplies mr rows of A by a panel of nr columns of B: 8 x 24 in
// AVX-512, 4 x 12 in AVX2, every element of C one chain of fused operations in
// the order of k. The accumulators have fixed registers: mr*nr/lanes of them
// and nr/lanes for B leave none to spare for an allocator.
func (w *writer) gemmKernel() {
	mr, nv := 8, 3
	var z []reg.VecPhysical
	if w.lanes == 8 {
		z = []reg.VecPhysical{reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7, reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
			reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23, reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31}
	} else {
		mr = 4
		z = []reg.VecPhysical{reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7, reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15}
	}
	acc := func(i, j int) reg.VecPhysical { return z[len(z)-mr*nv+i*nv+j] }
	free := z[:len(z)-mr*nv]
	row := 8 * w.lanes // bytes of a vector

	w.function("gemm", "func(k int, a *float64, ars, acs int, b *float64, bs int, c *float64, cs int, alpha float64, add int, m, n int)",
		fmt.Sprintf("NAME computes m <= %d rows and n <= %d columns of C, alpha*A*B or with add != 0\n"+
			"C + alpha*A*B. Strides are in bytes: ars and acs between rows and columns of A, bs between rows of\n"+
			"B, cs of C. All %d rows of A and %d columns of B are read.", mr, nv*w.lanes, mr, nv*w.lanes))
	k, a, ars, acs := w.arg("k"), w.arg("a"), w.arg("ars"), w.arg("acs")
	b, bs, c, cs := w.arg("b"), w.arg("bs"), w.arg("c"), w.arg("cs")
	ars3 := w.GP64()
	w.LEAQ(operand.Mem{Base: ars, Index: ars, Scale: 2}, ars3)
	a4 := a
	if mr == 8 {
		a4 = w.GP64()
		w.LEAQ(operand.Mem{Base: a, Index: ars, Scale: 4}, a4)
	}
	// Bring the rows of C near.
	p := w.GP64()
	w.MOVQ(c, p)
	for range mr {
		w.PREFETCHT0(at(p, 0))
		w.PREFETCHT0(at(p, 64))
		if w.lanes == 8 {
			w.PREFETCHT0(at(p, 128))
		}
		w.ADDQ(cs, p)
	}
	for i := range mr {
		for j := range nv {
			if w.lanes == 8 {
				w.VPXORQ(acc(i, j), acc(i, j), acc(i, j))
			} else {
				w.VXORPD(acc(i, j), acc(i, j), acc(i, j))
			}
		}
	}
	// Blocks at the right edge of C leave out the vectors of B that they do not need.
	n, store := w.arg("n"), w.label("store")
	w.TESTQ(k, k)
	w.JZ(operand.LabelRef(store))
	for used := 1; used <= nv; used++ {
		wider, loop := w.label("wider"), w.label("loop")
		if used < nv {
			w.CMPQ(n, operand.U8(used*w.lanes))
			w.JG(operand.LabelRef(wider))
		}
		w.Label(loop)
		for j := range used {
			w.VMOVUPD(at(b, row*j), free[j])
		}
		for i := range mr {
			base := a
			if i >= 4 {
				base = a4
			}
			x := free[nv+i%(len(free)-nv)]
			w.VBROADCASTSD(rowAt(base, ars, ars3, i%4, 0), x)
			for j := range used {
				w.VFMADD231PD(free[j], x, acc(i, j))
			}
		}
		w.ADDQ(bs, b)
		w.ADDQ(acs, a)
		if mr == 8 {
			w.ADDQ(acs, a4)
		}
		w.DECQ(k)
		w.JNZ(operand.LabelRef(loop))
		if used < nv {
			w.JMP(operand.LabelRef(store))
			w.Label(wider)
		}
	}

	w.Label(store)
	alpha := free[0]
	am, err := w.Param("alpha").Resolve()
	if err != nil {
		panic(err)
	}
	w.VBROADCASTSD(am.Addr, alpha)
	add, m := w.arg("add"), w.arg("m")
	masked, plain, end := w.label("masked"), w.label("plain"), w.label("end")
	w.CMPQ(m, operand.U8(mr))
	w.JNE(operand.LabelRef(masked))
	w.CMPQ(n, operand.U8(nv*w.lanes))
	w.JNE(operand.LabelRef(masked))
	w.TESTQ(add, add)
	w.JZ(operand.LabelRef(plain))
	for i := range mr {
		for j := range nv {
			w.VFMADD213PD(at(c, row*j), alpha, acc(i, j))
			w.VMOVUPD(acc(i, j), at(c, row*j))
		}
		w.ADDQ(cs, c)
	}
	w.ret()
	w.Label(plain)
	for i := range mr {
		for j := range nv {
			w.VMULPD(alpha, acc(i, j), acc(i, j))
			w.VMOVUPD(acc(i, j), at(c, row*j))
		}
		w.ADDQ(cs, c)
	}
	w.ret()

	// Edge of C: columns one vector at a time under a mask, rows until m.
	w.Label(masked)
	base, off := w.GP64(), w.GP64()
	w.LEAQ(operand.NewDataAddr(operand.NewStaticSymbol("tails"), 0), base)
	w.MOVQ(operand.U32(32), off)
	w.SUBQ(n, off)
	for j := range nv {
		next := w.label("column")
		mem := operand.Mem{Base: base, Index: off, Scale: 8, Disp: row * j}
		mk, old := free[1], free[2]
		var kr reg.OpmaskPhysical = reg.K1
		if w.lanes == 8 {
			w.VMOVDQU64(mem, mk)
			w.VPMOVQ2M(mk, kr)
		} else {
			w.VMOVDQU(mem, mk)
		}
		w.MOVQ(c, p)
		for i := range mr {
			if i > 0 {
				w.CMPQ(m, operand.U8(i))
				w.JLE(operand.LabelRef(next))
			}
			only, write := w.label("only"), w.label("write")
			w.TESTQ(add, add)
			w.JZ(operand.LabelRef(only))
			if w.lanes == 8 {
				w.VMOVUPD_Z(at(p, row*j), kr, old)
			} else {
				w.VMASKMOVPD(at(p, row*j), mk, old)
			}
			w.VFMADD213PD(old, alpha, acc(i, j))
			w.JMP(operand.LabelRef(write))
			w.Label(only)
			w.VMULPD(alpha, acc(i, j), acc(i, j))
			w.Label(write)
			if w.lanes == 8 {
				w.VMOVUPD(acc(i, j), kr, at(p, row*j))
			} else {
				w.VMASKMOVPD(acc(i, j), mk, at(p, row*j))
			}
			w.ADDQ(cs, p)
		}
		w.Label(next)
	}
	w.Label(end)
	w.ret()
}

// packRows copies rows of 4*w4 elements.
func (w *writer) packRows() {
	w.function("packRows", "func(dst, src *float64, ss, rows, w4 int)",
		"NAME copies rows of 4*w4 elements one after the other; ss is the source's row stride in bytes.")
	dst, src, ss, rows, w4 := w.arg("dst"), w.arg("src"), w.arg("ss"), w.arg("rows"), w.arg("w4")
	end := w.label("end")
	w.TESTQ(rows, rows)
	w.JZ(operand.LabelRef(end))
	// The widths of the panels in use, unrolled, then any other.
	for _, count := range []int{6, 3, 2, 1} {
		loop, next := w.label("loop"), w.label("next")
		w.CMPQ(w4, operand.U8(count))
		w.JNE(operand.LabelRef(next))
		w.Label(loop)
		v := make([]vector, count)
		for i := range v {
			v[i] = w.loadMem(at(src, 32*i))
		}
		if count >= 3 { // the next panel stands beside this one
			for i := 0; i < 32*count; i += 64 {
				w.PREFETCHT1(at(src, 32*count+i))
			}
		}
		for i := range v {
			w.storeMem(v[i], at(dst, 32*i))
		}
		w.ADDQ(ss, src)
		w.ADDQ(operand.U32(32*count), dst)
		w.DECQ(rows)
		w.JNZ(operand.LabelRef(loop))
		w.JMP(operand.LabelRef(end))
		w.Label(next)
	}
	loop, inner := w.label("loop"), w.label("inner")
	w.Label(loop)
	p, n := w.GP64(), w.GP64()
	w.MOVQ(src, p)
	w.MOVQ(w4, n)
	w.Label(inner)
	v := w.YMM()
	w.VMOVUPD(at(p, 0), v)
	w.VMOVUPD(v, at(dst, 0))
	w.ADDQ(operand.U8(32), p)
	w.ADDQ(operand.U8(32), dst)
	w.DECQ(n)
	w.JNZ(operand.LabelRef(inner))
	w.ADDQ(ss, src)
	w.DECQ(rows)
	w.JNZ(operand.LabelRef(loop))
	w.Label(end)
	w.ret()
}

// packTransposed moves four rows into four columns.
func (w *writer) packTransposed() {
	w.function("packTransposed", "func(dst *float64, ds int, src *float64, ss, n4 int)",
		"NAME sets dst[k][i] = src[i][k] for 4 rows i and 4*n4 columns k of src; strides in bytes.")
	dst, ds, src, ss, n := w.arg("dst"), w.arg("ds"), w.arg("src"), w.arg("ss"), w.arg("n4")
	ss3, ds3 := w.GP64(), w.GP64()
	w.LEAQ(operand.Mem{Base: ss, Index: ss, Scale: 2}, ss3)
	w.LEAQ(operand.Mem{Base: ds, Index: ds, Scale: 2}, ds3)
	loop, end := w.label("loop"), w.label("end")
	w.TESTQ(n, n)
	w.JZ(operand.LabelRef(end))
	w.Label(loop)
	var r, t [4]reg.VecVirtual
	for i := range 4 {
		r[i], t[i] = w.YMM(), w.YMM()
	}
	w.VMOVUPD(at(src, 0), r[0])
	w.VMOVUPD(operand.Mem{Base: src, Index: ss, Scale: 1}, r[1])
	w.VMOVUPD(operand.Mem{Base: src, Index: ss, Scale: 2}, r[2])
	w.VMOVUPD(operand.Mem{Base: src, Index: ss3, Scale: 1}, r[3])
	w.VUNPCKLPD(r[1], r[0], t[0]) // a0 b0 a2 b2
	w.VUNPCKHPD(r[1], r[0], t[1]) // a1 b1 a3 b3
	w.VUNPCKLPD(r[3], r[2], t[2]) // c0 d0 c2 d2
	w.VUNPCKHPD(r[3], r[2], t[3]) // c1 d1 c3 d3
	w.VPERM2F128(operand.U8(0x20), t[2], t[0], r[0])
	w.VPERM2F128(operand.U8(0x20), t[3], t[1], r[1])
	w.VPERM2F128(operand.U8(0x31), t[2], t[0], r[2])
	w.VPERM2F128(operand.U8(0x31), t[3], t[1], r[3])
	w.VMOVUPD(r[0], at(dst, 0))
	w.VMOVUPD(r[1], operand.Mem{Base: dst, Index: ds, Scale: 1})
	w.VMOVUPD(r[2], operand.Mem{Base: dst, Index: ds, Scale: 2})
	w.VMOVUPD(r[3], operand.Mem{Base: dst, Index: ds3, Scale: 1})
	w.ADDQ(operand.U8(32), src)
	w.LEAQ(operand.Mem{Base: dst, Index: ds, Scale: 4}, dst)
	w.DECQ(n)
	w.JNZ(operand.LabelRef(loop))
	w.Label(end)
	w.ret()
}

// axpy4 adds four scaled rows to dst, each element one chain in their order.
func (w *writer) axpy4() {
	w.function("axpy4", "func(dst, alpha, a *float64, as, n int)",
		"NAME adds alpha[0]*a[0] to alpha[3]*a[3] to dst in this order, four rows of a with stride as in bytes.")
	dst, alpha, a, as := w.arg("dst"), w.arg("alpha"), w.arg("a"), w.arg("as")
	var f [4]vector
	for i := range f {
		f[i] = w.reg()
		w.VBROADCASTSD(at(alpha, 8*i), f[i])
	}
	a1, a2, a3 := w.GP64(), w.GP64(), w.GP64()
	w.LEAQ(operand.Mem{Base: a, Index: as, Scale: 1}, a1)
	w.LEAQ(operand.Mem{Base: a, Index: as, Scale: 2}, a2)
	w.LEAQ(operand.Mem{Base: a1, Index: as, Scale: 2}, a3)
	w.elementLoop(dst, []reg.GPVirtual{dst, a, a1, a2, a3}, func(in []vector) vector {
		y := in[0]
		for i := range 4 {
			w.VFMADD231PD(in[i+1], f[i], y)
		}
		return y
	})
}

// axpyPanel adds scaled rows of 32 elements to dst, which stays in registers.
func (w *writer) axpyPanel() {
	w.function("axpyPanel", "func(dst, alpha, a *float64, k int)",
		"NAME adds alpha[i] times row i of a to dst, for k > 0 rows of 32 elements in their order.")
	dst, alpha, a, k := w.arg("dst"), w.arg("alpha"), w.arg("a"), w.arg("k")
	acc := make([]vector, 32/w.lanes)
	for i := range acc {
		acc[i] = w.loadMem(at(dst, 8*w.lanes*i))
	}
	f, loop := w.reg(), w.label("loop")
	w.Label(loop)
	w.VBROADCASTSD(at(alpha, 0), f)
	for i := range acc {
		w.VFMADD231PD(at(a, 8*w.lanes*i), f, acc[i])
	}
	w.ADDQ(operand.U8(8), alpha)
	w.ADDQ(operand.U32(256), a)
	w.DECQ(k)
	w.JNZ(operand.LabelRef(loop))
	for i := range acc {
		w.storeMem(acc[i], at(dst, 8*w.lanes*i))
	}
	w.ret()
}

// symv4 reads four rows of a symmetric matrix once for both their uses.
func (w *writer) symv4() {
	w.function("symv4", "func(dot, y, a *float64, as int, x, xr *float64, n int)",
		"NAME sets dot[r] to the sum of a[r][j]*x[j] in 8 partial sums, folded, and adds xr[r]*a[r][j] to y[j],\n"+
			"in the order of the four rows r; their stride as is in bytes.")
	dot, y, a, as, x, xr, n := w.arg("dot"), w.arg("y"), w.arg("a"), w.arg("as"), w.arg("x"), w.arg("xr"), w.arg("n")
	as3 := w.GP64()
	w.LEAQ(operand.Mem{Base: as, Index: as, Scale: 2}, as3)
	var f [4]vector
	for r := range f {
		f[r] = w.reg()
		w.VBROADCASTSD(at(xr, 8*r), f[r])
	}
	parts := 8 / w.lanes
	var acc [4][]vector
	for r := range acc {
		for range parts {
			z := w.reg()
			w.zero(z)
			acc[r] = append(acc[r], z)
		}
	}
	loop, tail, end := w.label("loop"), w.label("tail"), w.label("end")
	w.Label(loop)
	w.CMPQ(n, operand.U8(8))
	w.JL(operand.LabelRef(tail))
	for p := range parts {
		disp := 8 * w.lanes * p
		xv, yv := w.loadMem(at(x, disp)), w.loadMem(at(y, disp))
		for r := range 4 {
			v := w.loadMem(rowAt(a, as, as3, r, disp))
			w.VFMADD231PD(xv, v, acc[r][p])
			w.VFMADD231PD(v, f[r], yv)
		}
		w.storeMem(yv, at(y, disp))
	}
	for _, p := range []reg.GPVirtual{a, x, y} {
		w.ADDQ(operand.U8(64), p)
	}
	w.SUBQ(operand.U8(8), n)
	w.JMP(operand.LabelRef(loop))
	w.Label(tail)
	w.TESTQ(n, n)
	w.JZ(operand.LabelRef(end))
	for p := range parts {
		disp := 8 * w.lanes * p
		m := w.tailMask(n, w.lanes*p)
		xv, yv := w.loadMasked(at(x, disp), m), w.loadMasked(at(y, disp), m)
		for r := range 4 {
			v := w.loadMasked(rowAt(a, as, as3, r, disp), m)
			w.VFMADD231PD(xv, v, acc[r][p])
			w.VFMADD231PD(v, f[r], yv)
		}
		w.storeMasked(yv, at(y, disp), m)
	}
	w.Label(end)
	for r := range 4 {
		w.VMOVSD(w.fold(acc[r]), at(dot, 8*r))
	}
	w.ret()
}
