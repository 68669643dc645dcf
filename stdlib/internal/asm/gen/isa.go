package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A writer emits vector code of one width into a file: eight lanes of
// float64 (AVX-512) or four (AVX2). Kernels are written once against its
// methods; the order of the operations, and so every bit of a result, is the
// same in both, and in the portable Go of package asm, which says the same
// operations with math.FMA.
type writer struct {
	*build.Context
	lanes  int    // 8 or 4
	suffix string // "AVX512" or "AVX2"
	consts *constants
	labels int
	kept   map[constant]vector // see keep
	loaded []constant          // from memory
}

// A vector is a register of w.lanes float64.
type vector = reg.VecVirtual

// A value is a vector or a constant.
type value any

// A constant is a float64 or bit pattern in every lane; it lives in the
// file's read-only data, 32 bytes each, and is broadcast on AVX-512.
type constant struct{ bits uint64 }

// A mask selects lanes: an opmask register on AVX-512, else a vector.
type mask struct {
	k reg.OpmaskVirtual
	v vector
}

func num(x float64) constant { return constant{math.Float64bits(x)} }
func bits(x uint64) constant { return constant{x} }
func nums(xs []float64) (c []constant) {
	for _, x := range xs {
		c = append(c, num(x))
	}
	return c
}

// constants collects the distinct constants of a file.
type constants struct {
	name   string
	offset map[[2]uint64]int
	order  [][2]uint64
}

func (c *constants) mem(b uint64) operand.Mem { return c.pair(b, b) }

// pair is 16 bytes, twice.
func (c *constants) pair(lo, hi uint64) operand.Mem {
	b := [2]uint64{lo, hi}
	off, ok := c.offset[b]
	if !ok {
		off = 32 * len(c.order)
		c.offset[b] = off
		c.order = append(c.order, b)
	}
	return operand.NewDataAddr(operand.NewStaticSymbol(c.name), off)
}

// emit writes the constants and the table of tail masks.
func (c *constants) emit(ctx *build.Context) {
	ctx.StaticGlobal(c.name)
	ctx.DataAttributes(attr.RODATA | attr.NOPTR)
	for _, b := range c.order {
		for i := range 4 {
			ctx.AppendDatum(operand.U64(b[i%2]))
		}
	}
	ctx.StaticGlobal("lanes")
	ctx.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range 8 {
		ctx.AppendDatum(operand.U64(i))
	}
	ctx.StaticGlobal("tails")
	ctx.DataAttributes(attr.RODATA | attr.NOPTR)
	for i := range 64 {
		var m uint64
		if i < 32 {
			m = math.MaxUint64
		}
		ctx.AppendDatum(operand.U64(m))
	}
}

// function opens an assembly function; name gets the width's suffix.
func (w *writer) function(name, signature, doc string) {
	w.Function(name + w.suffix)
	w.Attributes(attr.NOSPLIT)
	w.SignatureExpr(signature)
	w.Pragma("noescape")
	w.Doc(strings.Split(strings.ReplaceAll(doc, "NAME", name+w.suffix), "\n")...)
	w.labels, w.kept = 0, nil
}

func (w *writer) label(name string) string {
	w.labels++
	return fmt.Sprintf("%s%d", name, w.labels)
}

// interleave emits the code of f(0) to f(n-1), which must be independent and without jumps, instruction by
// instruction in turn. One after the other, each is a chain that waits for its own results, and is too long for the
// processor to find the next in time.
func (w *writer) interleave(n int, f func(i int)) {
	codes := make([][]ir.Node, n)
	for i := range codes {
		codes[i] = w.code(func() { f(i) })
	}
	to := w.current()
	for k, more := 0, true; more; k++ {
		more = false
		for _, code := range codes {
			if k < len(code) {
				to.Nodes, more = append(to.Nodes, code[k]), true
			}
		}
	}
}

// code is what f emits, which it takes out of the function again.
func (w *writer) code(f func()) []ir.Node {
	to := w.current()
	start := len(to.Nodes)
	f()
	out := slices.Clone(to.Nodes[start:])
	to.Nodes = to.Nodes[:start]
	return out
}

// current is the function that is being written.
func (w *writer) current() *ir.Function {
	file, err := w.Result()
	if err != nil {
		panic(err)
	}
	functions := file.Functions()
	return functions[len(functions)-1]
}

// keep holds the first most constants that f loads in registers, to the end of the function: memory cannot bring as many
// as a long expression takes. AVX2 has no registers for them.
func (w *writer) keep(most int, f func(x vector) vector) {
	if w.lanes == 4 || most == 0 {
		return
	}
	w.loaded = nil
	w.code(func() { f(w.reg()) })
	kept := map[constant]vector{}
	for _, c := range w.loaded {
		if _, ok := kept[c]; !ok && c.bits != 0 && len(kept) < most {
			kept[c] = w.load(c)
		}
	}
	w.kept = kept
}

// register is where a constant is kept.
func (w *writer) register(c constant) (r vector, ok bool) {
	if r, ok = w.kept[c]; !ok {
		w.loaded = append(w.loaded, c)
	}
	return r, ok
}

func (w *writer) ret() {
	w.VZEROUPPER()
	w.RET()
}

func (w *writer) reg() vector {
	if w.lanes == 8 {
		return w.ZMM()
	}
	return w.YMM()
}

func (w *writer) arg(name string) reg.GPVirtual {
	return w.Load(w.Param(name), w.GP64()).(reg.GPVirtual)
}

// load brings a constant into a register, of which only copy's may be changed; a vector stays where it is.
func (w *writer) load(v value) vector {
	c, ok := v.(constant)
	if !ok {
		return v.(vector)
	}
	if r, ok := w.register(c); ok {
		return r
	}
	r := w.reg()
	if c.bits == 0 {
		w.zero(r)
	} else {
		w.VBROADCASTSD(w.consts.mem(c.bits), r)
	}
	return r
}

// zero clears r, by the instruction that avo knows not to read it.
func (w *writer) zero(r vector) { w.VXORPD(r, r, r) }

func (w *writer) copy(v value) vector {
	if c, ok := v.(constant); ok && w.kept[c] == nil {
		return w.load(c)
	}
	r := w.reg()
	w.VMOVAPD(w.load(v), r)
	return r
}

// broadcastArg puts a float64 argument into every lane.
func (w *writer) broadcastArg(name string) vector {
	m, err := w.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	r := w.reg()
	w.VBROADCASTSD(m.Addr, r)
	return r
}

// broadcastGP puts an integer into every lane.
func (w *writer) broadcastGP(g reg.GPVirtual) vector {
	x, r := w.XMM(), w.reg()
	w.VMOVQ(g, x)
	w.VPBROADCASTQ(x, r)
	return r
}

type instruction func(...operand.Op)

// op emits d = a OP b where b may be a constant in memory.
func (w *writer) op(plain, bcst instruction, a, b value) vector {
	d := w.reg()
	x := w.load(a)
	if c, ok := b.(constant); ok && (w.lanes == 4 || bcst != nil) {
		w.withConst(plain, bcst, c, x, d)
		return d
	}
	plain(w.load(b), x, d)
	return d
}

func (w *writer) add(a, b value) vector { return w.op(w.VADDPD, w.VADDPD_BCST, a, b) }
func (w *writer) sub(a, b value) vector { return w.op(w.VSUBPD, w.VSUBPD_BCST, a, b) }
func (w *writer) mul(a, b value) vector { return w.op(w.VMULPD, w.VMULPD_BCST, a, b) }
func (w *writer) div(a, b value) vector { return w.op(w.VDIVPD, w.VDIVPD_BCST, a, b) }

// min and max return b where either is NaN: put the data second.
func (w *writer) min(a, b value) vector { return w.op(w.VMINPD, w.VMINPD_BCST, a, b) }
func (w *writer) max(a, b value) vector { return w.op(w.VMAXPD, w.VMAXPD_BCST, a, b) }

func (w *writer) and(a, b value) vector { return w.op(w.VANDPD, w.VANDPD_BCST, a, b) }
func (w *writer) or(a, b value) vector  { return w.op(w.VORPD, w.VORPD_BCST, a, b) }
func (w *writer) xor(a, b value) vector { return w.op(w.VXORPD, w.VXORPD_BCST, a, b) }

// andnot is b &^ a, of bits.
func (w *writer) andnot(a, b value) vector { return w.op(w.VANDNPD, w.VANDNPD_BCST, a, b) }

// addi adds integers of 64 bits, subi subtracts b from a.
func (w *writer) addi(a, b value) vector { return w.op(w.VPADDQ, w.VPADDQ_BCST, a, b) }
func (w *writer) subi(a, b value) vector { return w.op(w.VPSUBQ, w.VPSUBQ_BCST, a, b) }

func (w *writer) shl(a value, n uint8) vector {
	d := w.reg()
	w.VPSLLQ(operand.U8(n), w.load(a), d)
	return d
}

func (w *writer) shr(a value, n uint8) vector {
	d := w.reg()
	w.VPSRLQ(operand.U8(n), w.load(a), d)
	return d
}

func (w *writer) sqrt(a value) vector {
	d := w.reg()
	w.VSQRTPD(w.load(a), d)
	return d
}

// fma is a*b + c with one rounding.
func (w *writer) fma(a, b, c value) vector {
	return w.fused(a, b, c, w.VFMADD213PD, w.VFMADD213PD_BCST, w.VFMADD231PD, w.VFMADD231PD_BCST)
}

// fnma is c - a*b with one rounding.
func (w *writer) fnma(a, b, c value) vector {
	return w.fused(a, b, c, w.VFNMADD213PD, w.VFNMADD213PD_BCST, w.VFNMADD231PD, w.VFNMADD231PD_BCST)
}

func (w *writer) fused(a, b, c value, f213, f213b, f231, f231b instruction) vector {
	if _, ok := a.(constant); ok {
		a, b = b, a
	}
	if k, ok := b.(constant); ok {
		d := w.copy(c)
		w.withConst(f231, f231b, k, w.load(a), d)
		return d
	}
	if k, ok := c.(constant); ok {
		d := w.copy(a)
		w.withConst(f213, f213b, k, b.(vector), d)
		return d
	}
	d := w.copy(c)
	f231(b.(vector), w.load(a), d)
	return d
}

func (w *writer) withConst(plain, bcst instruction, k constant, x, d vector) {
	if r, ok := w.register(k); ok {
		plain(r, x, d)
	} else if w.lanes == 8 {
		bcst(w.consts.mem(k.bits), x, d)
	} else {
		plain(w.consts.mem(k.bits), x, d)
	}
}

// horner evaluates the polynomial with coefficients c, lowest power first.
func (w *writer) horner(x vector, c []float64) vector {
	k := nums(c)
	p := w.copy(k[len(k)-1])
	for i := len(k) - 2; i >= 0; i-- {
		w.withConst(w.VFMADD213PD, w.VFMADD213PD_BCST, k[i], x, p)
	}
	return p
}

// Predicates of VCMPPD, quiet.
const (
	eq     = 0x00
	lt     = 0x11
	ge     = 0x1d
	gt     = 0x1e
	notGE  = 0x19 // less, or NaN
	notLT  = 0x15 // not less, or NaN
	notLE  = 0x16 // greater, or NaN
	isNaN  = 0x03
	always = 0x0f
)

// cmp compares a with b.
func (w *writer) cmp(predicate uint8, a, b value) mask {
	x := w.load(a)
	if w.lanes == 8 {
		m := mask{k: w.K()}
		if c, ok := b.(constant); ok {
			w.VCMPPD_BCST(operand.U8(predicate), w.consts.mem(c.bits), x, m.k)
		} else {
			w.VCMPPD(operand.U8(predicate), b.(vector), x, m.k)
		}
		return m
	}
	m := mask{v: w.reg()}
	w.VCMPPD(operand.U8(predicate), w.load(b), x, m.v)
	return m
}

// signbit selects the lanes of a whose highest bit is set.
func (w *writer) signbit(a vector) mask {
	if w.lanes == 8 {
		m := mask{k: w.K()}
		w.VPMOVQ2M(a, m.k)
		return m
	}
	return mask{v: a}
}

// blend is yes in the lanes of m, else no.
func (w *writer) blend(m mask, yes, no value) vector {
	if w.lanes == 8 {
		d := w.copy(no) // to avo, VBLENDMPD reads what it writes
		w.VMOVAPD(w.load(yes), m.k, d)
		return d
	}
	d := w.reg()
	w.VBLENDVPD(m.v, w.load(yes), w.load(no), d)
	return d
}

// anySet jumps to label if m selects a lane.
func (w *writer) jumpIfAny(m mask, label string) {
	if w.lanes == 8 {
		w.KORTESTB(m.k, m.k)
		w.JNZ(operand.LabelRef(label))
		return
	}
	g := w.GP32()
	w.VMOVMSKPD(m.v, g)
	w.TESTL(g, g)
	w.JNZ(operand.LabelRef(label))
}

// tailMask selects the first rem lanes, 0 <= rem; skip is the number of
// lanes before this vector in a group of up to 32.
func (w *writer) tailMask(rem reg.GPVirtual, skip int) mask {
	base := w.GP64()
	w.LEAQ(operand.NewDataAddr(operand.NewStaticSymbol("tails"), 0), base)
	n := w.GP64()
	w.MOVQ(operand.U32(32), n)
	w.SUBQ(rem, n)
	v := w.reg()
	m := operand.Mem{Base: base, Index: n, Scale: 8, Disp: 8 * skip}
	if w.lanes == 8 {
		w.VMOVDQU64(m, v)
	} else {
		w.VMOVDQU(m, v)
	}
	return w.signbit(v)
}

func (w *writer) loadMem(m operand.Mem) vector {
	v := w.reg()
	w.VMOVUPD(m, v)
	return v
}

func (w *writer) storeMem(v vector, m operand.Mem) { w.VMOVUPD(v, m) }

// loadMasked reads the lanes of k, zero elsewhere; what is not selected is
// not touched.
func (w *writer) loadMasked(m operand.Mem, k mask) vector {
	v := w.reg()
	if w.lanes == 8 {
		w.VMOVUPD_Z(m, k.k, v)
	} else {
		w.VMASKMOVPD(m, k.v, v)
	}
	return v
}

func (w *writer) storeMasked(v vector, m operand.Mem, k mask) {
	if w.lanes == 8 {
		w.VMOVUPD(v, k.k, m)
	} else {
		w.VMASKMOVPD(v, k.v, m)
	}
}

func at(base reg.GPVirtual, disp int) operand.Mem { return operand.Mem{Base: base, Disp: disp} }

// rowAt is in row r of four, which are a stride apart; triple is three strides.
func rowAt(base, stride, triple reg.GPVirtual, r, disp int) operand.Mem {
	m := at(base, disp)
	switch r {
	case 1:
		m.Index, m.Scale = stride, 1
	case 2:
		m.Index, m.Scale = stride, 2
	case 3:
		m.Index, m.Scale = triple, 1
	}
	return m
}

func atIndex(base, index reg.GPVirtual, disp int) operand.Mem {
	return operand.Mem{Base: base, Index: index, Scale: 8, Disp: disp}
}
