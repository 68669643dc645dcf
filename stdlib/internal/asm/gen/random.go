package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// random writes the normal quantile and the counter-based generator.
func random(w *writer) {
	w.unary("normalQuantile", "the standard normal quantile", plan{1, 1, 0}, expression{f: w.quantile})
	w.philox()
	w.boxMuller()
	if w.lanes == 4 {
		w.scramble()
	}
}

// ifAny runs body if m selects a lane.
func (w *writer) ifAny(m mask, body func()) {
	run, skip := w.label("run"), w.label("skip")
	w.jumpIfAny(m, run)
	w.JMP(operand.LabelRef(skip))
	w.Label(run)
	body()
	w.Label(skip)
}

// ratio is the quotient of two polynomials.
func (w *writer) ratio(x vector, n, d []float64) vector {
	return w.div(w.horner(x, n), w.horner(x, d))
}

func (w *writer) quantile(p vector) vector {
	q := w.sub(p, num(0.5))
	low := w.sub(p, w.add(q, num(0.5)))
	t := w.mul(q, q)
	g := w.mul(t, w.ratio(w.fnma(q, q, num(0.180625)), quantileCN, quantileCD))
	slope := w.fma(g, w.fma(t, num(10), num(3)), num(rootTwoPi))
	rest := w.fma(low, slope, w.mul(q, w.add(g, num(rootTwoPiLow))))
	x := w.fma(q, num(rootTwoPi), rest)
	tail := w.cmp(gt, w.abs(q), num(0.425))
	w.ifAny(tail, func() {
		w.VMOVAPD(w.blend(tail, w.quantileTail(p, q), x), x)
	})
	return x
}

func (w *writer) quantileTail(p, q vector) vector {
	m := w.min(w.sub(num(1), p), p)
	small := w.cmp(lt, m, num(minNormal))
	f, half, k := w.splitLog(w.blend(small, w.mul(m, num(0x1p54)), m))
	k = w.sub(k, w.blend(small, num(54), num(0)))
	// ln m = hi + lo.
	s := w.div(f, w.add(f, num(2)))
	z := w.mul(s, s)
	a := w.fma(s, w.fma(z, w.horner(z, logG), half), w.mul(k, num(ln2Low)))
	b := w.sub(f, w.sub(half, a))
	big := w.mul(k, num(ln2High))
	hi, lo := w.sumFast(big, b)
	// r + low is the square root of -(hi + lo).
	minus := w.sub(num(0), hi)
	r := w.sqrt(minus)
	low := w.div(w.sub(w.fnma(r, r, minus), lo), w.add(r, r))
	g := w.ratio(w.sub(r, num(1.6)), quantileMN, quantileMD)
	x := w.fma(r, num(1.5), w.sub(w.fma(low, num(1.5), g), num(1)))
	far := w.cmp(ge, r, num(5))
	w.ifAny(far, func() {
		h := w.ratio(w.sub(r, num(5)), quantileFN, quantileFD)
		y := w.fma(r, num(1.4375), w.sub(w.fma(low, num(1.5), h), num(0.75)))
		w.VMOVAPD(w.blend(far, y, x), x)
	})
	x = w.blend(w.cmp(eq, m, num(0)), bits(infBits), x)
	x = w.blend(w.cmp(notGE, m, num(0)), bits(nanBits), x)
	return w.or(x, w.and(q, bits(signMask)))
}

// philox writes groups of 16 uniform numbers: of the 8 counters of a group, the
// first words' numbers, then the second words'.
func (w *writer) philox() {
	w.function("philox", "func(dst *float64, keys *uint64, first, block uint64, groups int)",
		"NAME sets 16*groups numbers, uniform in [0, 1), to Philox4x32-10 of the counters (first + i, block),\n"+
			"i < 8*groups; keys has the 20 round keys, each four times.")
	dst, keys, block, groups := w.arg("dst"), w.arg("keys"), w.arg("block"), w.arg("groups")
	index := w.reg()
	first := w.broadcastArg("first")
	lanes := w.reg()
	m := operand.NewDataAddr(operand.NewStaticSymbol("lanes"), 0)
	w.VMOVUPD(m, lanes)
	w.VMOVAPD(w.addi(first, lanes), index)
	b := w.broadcastGP(block)
	parts := 8 / w.lanes
	atATime := w.lanes / 4 // four chains need more registers than AVX2 has
	w.groups(groups, atATime, func(count int) {
		w.interleave(count*parts, func(chain int) {
			i := index
			if chain > 0 {
				i = w.addi(index, bits(uint64(w.lanes*chain)))
			}
			c := [4]vector{w.copy(i), w.shr(i, 32), b, w.shr(b, 32)}
			for round := range 10 {
				p0, p1 := w.muli(c[0], bits(0xd2511f53)), w.muli(c[2], bits(0xcd9e8d57))
				c = [4]vector{
					w.xori(w.shr(p1, 32), w.keyed(c[1], at(keys, 64*round))),
					p1,
					w.xori(w.shr(p0, 32), w.keyed(c[3], at(keys, 64*round+32))),
					p0,
				}
			}
			group, part := chain/parts, chain%parts
			for half := range 2 {
				x := w.or(w.and(c[2*half], bits(0xffffffff)), w.shl(c[2*half+1], 32))
				w.storeMem(w.unit(x), at(dst, 128*group+64*half+8*w.lanes*part))
			}
		})
		w.VMOVAPD(w.addi(index, bits(uint64(8*count))), index)
		w.ADDQ(operand.U32(128*count), dst)
	})
	w.ret()
}

// groups is a loop over n > 0 groups, so many at a time, then one.
func (w *writer) groups(n reg.GPVirtual, atATime int, body func(count int)) {
	loop, one, end := w.label("loop"), w.label("one"), w.label("end")
	if atATime > 1 {
		w.Label(loop)
		w.CMPQ(n, operand.U8(atATime))
		w.JL(operand.LabelRef(one))
		body(atATime)
		w.SUBQ(operand.U8(atATime), n)
		w.JMP(operand.LabelRef(loop))
	}
	w.Label(one)
	w.TESTQ(n, n)
	w.JZ(operand.LabelRef(end))
	body(1)
	w.DECQ(n)
	w.JMP(operand.LabelRef(one))
	w.Label(end)
}

// muli multiplies the low 32 bits of each lane.
func (w *writer) muli(a, b value) vector { return w.op(w.VPMULUDQ, w.VPMULUDQ_BCST, a, b) }

// xori is the exclusive or of integers, keyed that with a round key that stands
// four times in memory.
func (w *writer) xori(a, b vector) vector {
	d := w.reg()
	if w.lanes == 8 {
		w.VPXORQ(b, a, d)
	} else {
		w.VPXOR(b, a, d)
	}
	return d
}

func (w *writer) keyed(a vector, key operand.Mem) vector {
	d := w.reg()
	if w.lanes == 8 {
		w.VPXORQ_BCST(key, a, d)
	} else {
		w.VPXOR(key, a, d)
	}
	return d
}

// unit is the upper 53 bits of x over 2^53.
func (w *writer) unit(x vector) vector {
	hi := w.or(w.shr(x, 43), bits(0x4530000000000000))                // 2^84 + 2^32 high
	lo := w.or(w.and(w.shr(x, 11), bits(0xffffffff)), bits(magicInt)) // 2^52 + low
	return w.mul(w.add(w.sub(hi, num(0x1p84+0x1p52)), lo), num(0x1p-53))
}

// boxMuller turns groups of 16 uniform numbers, 8 and 8, into normal ones.
func (w *writer) boxMuller() {
	w.function("boxMuller", "func(x *float64, groups int)",
		"NAME replaces in groups of 16 the uniform u[i], u[i+8], i < 8, by the normal numbers r cos 2 pi u[i+8]\n"+
			"and r sin 2 pi u[i+8], r = sqrt(-2 ln(1-u[i])).")
	x, groups := w.arg("x"), w.arg("groups")
	loop := w.label("loop")
	w.Label(loop)
	for part := range 8 / w.lanes {
		u, v := at(x, 8*w.lanes*part), at(x, 64+8*w.lanes*part)
		var r, sin, cos vector
		w.interleave(2, func(i int) {
			if i == 0 {
				f, half, k := w.splitLog(w.sub(num(1), w.loadMem(u)))
				r = w.sqrt(w.mul(w.seriesLog(f, half, k, num(0)), num(-2)))
				return
			}
			// The angle in quarter turns, exact, then in radians in two parts.
			q := w.mul(w.loadMem(v), num(4))
			n, t := w.round(q, 1)
			q = w.sub(q, n)
			a := w.mul(q, num(piOver2A))
			lo := w.fma(q, num(piOver2B), w.fma(q, num(piOver2A), w.sub(num(0), a)))
			s, c := w.polys(a, lo)
			cos, sin = w.finishCos(s, c, t), w.finishSin(w.load(num(0)), s, c, t)
		})
		w.storeMem(w.mul(r, cos), u)
		w.storeMem(w.mul(r, sin), v)
	}
	w.ADDQ(operand.U32(128), x)
	w.DECQ(groups)
	w.JNZ(operand.LabelRef(loop))
	w.ret()
}

// scramble turns words of a Sobol sequence, whose bits are reversed, into scrambled numbers.
func (w *writer) scramble() {
	w.function("scramble", "func(dst *float64, word, offset *uint32, seed uint32, groups int)",
		"NAME sets 8*groups numbers in [0, 1) to the Laine-Karras hash of word[g]^offset[i], i < 8, bits reversed.")
	dst, word, groups := w.arg("dst"), w.arg("word"), w.arg("groups")
	offset, seed, factor := w.reg(), w.reg(), w.reg()
	w.VMOVDQU(at(w.arg("offset"), 0), offset)
	word0 := w.XMM()
	w.VMOVD(w.Load(w.Param("seed"), w.GP32()), word0)
	w.VPBROADCASTD(word0, seed)
	w.VPSRLD(operand.U8(16), seed, factor)
	w.VPOR(w.consts.mem(1<<32|1), factor, factor)
	op := func(f instruction, a, b operand.Op) vector {
		d := w.reg()
		f(b, a, d)
		return d
	}
	words := func(c uint64) operand.Mem { return w.consts.mem(c<<32 | c) }
	// The four bits of an index reversed, for the lower half of a byte and for the upper.
	lower, upper := w.loadMem(w.consts.pair(0xe060a020c0408000, 0xf070b030d0509010)), w.loadMem(w.consts.pair(0x0e060a020c040800, 0x0f070b030d050901))
	loop := w.label("loop")
	w.Label(loop)
	x := w.reg()
	w.VPBROADCASTD(at(word, 0), x)
	x = w.xori(x, offset)
	x = w.xori(x, op(w.VPMULLD, x, words(0x3d20adea)))
	x = op(w.VPMULLD, op(w.VPADDD, x, seed), factor)
	x = w.xori(x, op(w.VPMULLD, x, words(0x05526c56)))
	x = w.xori(x, op(w.VPMULLD, x, words(0x53a22864)))
	low, high := w.and(x, bits(0x0f0f0f0f0f0f0f0f)), w.and(w.shr(x, 4), bits(0x0f0f0f0f0f0f0f0f))
	x = w.or(op(w.VPSHUFB, lower, low), op(w.VPSHUFB, upper, high))
	x = op(w.VPSHUFB, x, w.consts.pair(0x0405060700010203, 0x0c0d0e0f08090a0b)) // the bytes
	for half := range 2 {
		part, wide := x.AsX(), w.reg()
		if half == 1 {
			part = w.XMM()
			w.VEXTRACTI128(operand.U8(1), x, part)
		}
		w.VPMOVZXDQ(part, wide)
		y := w.sub(w.or(wide, bits(magicInt)), num(two52)) // exact
		w.storeMem(w.mul(y, num(0x1p-32)), at(dst, 32*half))
	}
	w.ADDQ(operand.U8(4), word)
	w.ADDQ(operand.U8(64), dst)
	w.DECQ(groups)
	w.JNZ(operand.LabelRef(loop))
	w.ret()
}
