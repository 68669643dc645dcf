//go:build go1.26 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"iter"
	"math/bits"
	"unsafe"
)

// language uses what the language has, so that the linker keeps the functions of package runtime that the compiler calls
// for it: loaded code finds them in the program. It is never called.
func language(v *values) {
	languageMaps(v)
	languageChannels(v)
	languageDefers(v)
	languageStrings(v)
	languageAppends(v)
	languageNumbers(v)
	languagePrint(v)
	languageInterfaces(v)
}

// values are what the compiler must not know more of than their types.
type values struct {
	n    int
	i64  int64
	u64  uint64
	f    float64
	f32  float32
	c    complex128
	s    string
	b    []byte
	r    []rune
	any  any
	err  error
	errs []error
	text func(error) string // a type that only package runtime describes
	stringer
	p             *int
	ptrs          []*int
	array         [40]*int
	big           [200]byte
	big2          [1 << 12]int
	ch            chan int
	ch0           chan struct{}
	m32           map[uint32]int
	m32p          map[*int]int
	m64           map[uint64]int
	m64p          map[unsafe.Pointer]int
	mstr          map[string]int
	many          map[any]int
	m16           map[int16]*int
	mfat          map[string][200]byte
	mkfat         map[[200]byte]int
	mf            map[float64]complex128
	m8            map[int8]int
	m0            map[[0]int]int
	mhuge         map[string][2000]byte
	mif           map[error]bool
	up            unsafe.Pointer
	f0            func()
	f1            func(int) int
	seq           iter.Seq[int]
	seq2          iter.Seq2[int, string]
	st            struct{ a, b, c, d, e, f, g, h, i, j, k, l *int }
	st2           struct{ a, b, c, d, e, f, g, h, i, j, k, l *int }
	bools         []bool
	small, small2 struct{ a, b int8 }
	mixed, mixed2 struct {
		a int8
		s string
		e any
	}
}

type stringer interface{ String() string }

func languageMaps(v *values) {
	v.n = v.m32[uint32(v.n)] + v.m32p[v.p] + v.m64[v.u64] + v.m64p[v.up] + v.mstr[v.s] + v.many[v.any]
	_, ok := v.m32[uint32(v.n)]
	_, ok1 := v.m64[v.u64]
	_, ok2 := v.mstr[v.s]
	_, ok3 := v.many[v.any]
	x, ok4 := v.mfat[v.s]
	v.bools = append(v.bools, ok, ok1, ok2, ok3, ok4, v.mif[v.err])
	v.big, v.m16[int16(v.n)], v.mf[v.f] = v.mfat[v.s], v.p, v.c
	v.big[0] = x[v.n]
	huge, ok5 := v.mhuge[v.s]
	v.bools = append(v.bools, ok5, v.m8[int8(v.n)] == 3, v.m0[[0]int{}] == 4, huge[v.n] == v.mhuge[v.s][v.n])
	v.m8[int8(v.n)]++
	v.m0[[0]int{}]++
	v.any = map[int16]int{}
	v.m32[uint32(v.n)]++
	v.m32p[v.p]++
	v.m64[v.u64]++
	v.m64p[v.up]++
	v.mstr[v.s]++
	v.many[v.any]++
	v.mkfat[v.big]++
	v.mif[v.err] = true
	delete(v.m32, uint32(v.n))
	delete(v.m32p, v.p)
	delete(v.m64, v.u64)
	delete(v.m64p, v.up)
	delete(v.mstr, v.s)
	delete(v.many, v.any)
	for k, e := range v.many {
		v.any, v.n = k, e
	}
	clear(v.many)
	clear(v.mstr)
	v.mstr = make(map[string]int)
	v.m64 = make(map[uint64]int, v.i64)
	v.m32 = make(map[uint32]int, v.n)
	v.any = map[string]int{v.s: v.n}
	v.n = len(v.m64)
}

func languageChannels(v *values) {
	v.ch, v.ch0 = make(chan int, v.i64), make(chan struct{}, v.n)
	v.ch <- v.n
	v.n = <-v.ch
	n, ok := <-v.ch
	v.bools = append(v.bools, ok)
	select {
	case v.ch <- n:
	default:
	}
	select {
	case v.n = <-v.ch:
	default:
	}
	select {
	case v.n, ok = <-v.ch:
		v.bools = append(v.bools, ok)
	default:
	}
	select {
	case v.ch <- n:
	case <-v.ch0:
	case v.n, ok = <-v.ch:
	}
	for n := range v.ch {
		v.n += n + cap(v.ch) + len(v.ch)
	}
	close(v.ch)
	go v.f0()
	go func() { v.n++ }()
	if v.n > 3 {
		select {}
	}
}

func languageDefers(v *values) {
	for range v.n {
		defer v.f0()
		defer func() { v.n++ }()
	}
	defer func() {
		v.any = recover()
		if v.any != nil {
			panic(v.any)
		}
	}()
	for x := range v.seq {
		defer v.f1(x)
		if x > 3 {
			return
		}
	}
	next, stop := iter.Pull(v.seq)
	defer stop()
	v.n, _ = next()
	next2, stop2 := iter.Pull2(v.seq2)
	defer stop2()
	v.n, v.s, _ = next2()
	if v.n > 4 {
		panic(v.err)
	}
}

func languageStrings(v *values) {
	s := v.s
	v.s = s + v.s + "a"
	v.s += s + v.s + s + "b"
	v.s += s + v.s + s + v.s + "b"
	v.s += s + v.s + s + v.s + s + v.s + s
	v.b = []byte(v.s + s)
	v.b = []byte(v.s + s + "x")
	v.b = []byte(v.s + s + "x" + s)
	v.b = []byte(v.s + s + "x" + s + v.s)
	v.b = []byte(v.s + s + "x" + s + v.s + s)
	v.s = string(v.b) + string(v.r) + string(rune(v.n))
	v.r = []rune(v.s)
	v.b = []byte(s)
	for i, r := range v.s {
		v.n += i + int(r)
	}
	v.n += len([]rune(s)) + v.mstr[string(v.b)]
	if string(v.b) == s || s < v.s {
		v.n++
	}
	for i, c := range []byte(s) {
		v.n += i + int(c)
	}
	v.n += copy(v.b, s) + copy(v.ptrs, v.ptrs[v.n:]) + copy(v.b, v.b[v.n:])
	v.ptrs = append(v.ptrs, v.p)
	v.ptrs = append(v.ptrs, v.ptrs...)
	v.ptrs = append(v.ptrs, make([]*int, v.n)...)
	v.b = append(v.b, s...)
	v.ptrs = make([]*int, v.i64, v.u64)
	v.b = make([]byte, v.n)
	copy(v.b, make([]byte, v.n))
	v.b = append([]byte(nil), v.b...)
	nb := make([]byte, len(v.b))
	copy(nb, v.b)
	np := make([]*int, len(v.ptrs))
	copy(np, v.ptrs)
	v.b, v.ptrs = nb, np
	v.big = [200]byte(v.b)
	v.b = v.b[v.n : v.n+3 : v.i64]
	v.b, v.s = v.b[v.n:], v.s[v.n:v.i64]
	v.b = unsafe.Slice(unsafe.StringData(v.s), v.n)
	v.b = unsafe.Slice((*byte)(v.up), v.i64)
	v.s = unsafe.String((*byte)(v.up), v.i64)
	v.s = unsafe.String(unsafe.SliceData(v.b), v.u64)
	v.big2 = [1 << 12]int{}
	v.array, v.st = [40]*int{}, v.st2
	clear(v.ptrs)
	clear(v.b)
	v.n += min(len(v.s), v.n)
	v.s = min(v.s, s)
	v.f = max(v.f, float64(v.n))
}

// languageAppends returns slices whose first elements the compiler keeps on the stack, of which it moves what leaves the function:
// with pointers or without, with the capacity or without.
func languageAppends(v *values) {
	v.ptrs, v.r = appendedPointers(v), appendedNumbers(v)
	v.errs, v.b = appendedErrors(v), appendedBytes(v)
}

//go:noinline
func appendedPointers(v *values) (list []*int) {
	for range v.n {
		list = append(list, v.p)
	}
	return list
}

//go:noinline
func appendedNumbers(v *values) (list []rune) {
	for range v.n {
		list = append(list, 'a')
	}
	return list
}

//go:noinline
func appendedErrors(v *values) (list []error) {
	for range v.n {
		list = append(list, v.err)
	}
	v.n = cap(list)
	return list
}

//go:noinline
func appendedBytes(v *values) (list []byte) {
	for range v.n {
		list = append(list, 'a')
	}
	v.n = cap(list)
	return list
}

func languageNumbers(v *values) {
	v.i64 = v.i64/int64(v.n) + v.i64%int64(v.n) + v.i64<<v.n
	v.u64 = v.u64/uint64(v.n) + v.u64%uint64(v.n) + uint64(v.f) + uint64(v.f32)
	v.f += float64(v.u64) + float64(v.i64) + float64(uint32(v.n)) + float64(v.f32)
	v.f32 = float32(v.u64) + float32(v.i64) + float32(v.f)
	v.n += int(v.f) + int(uint32(v.f)) + int(int8(v.f32)) + bits.OnesCount64(v.u64) + bits.Len(uint(v.n))
	v.c = v.c / complex(v.f, v.f)
	q, r := bits.Div64(v.u64, v.u64, v.u64)
	v.u64 += q + r
	if v.n < 0 {
		v.n = 1 << v.n
	}
}

func languagePrint(v *values) {
	print(v.n, v.i64, v.u64, v.f, v.c, v.s, v.b, v.any, v.err, v.p, v.up, v.ch, v.m32, v.f0, v.n > 3, uint8(v.n), v.f32, complex64(v.c))
	println(v.n, v.stringer)
}

func languageInterfaces(v *values) {
	v.any = v.n
	v.any, v.err = v.s, v.any.(error)
	v.any = v.b
	v.any, v.stringer = int16(v.n), v.err.(stringer)
	v.any = uint32(v.n)
	v.any = v.u64
	v.any, _ = v.err.(stringer)
	v.any, _ = v.any.(stringer)
	v.any = v.mixed
	v.any = v.st
	if s, ok := v.any.(interface{ Unwrap() error }); ok {
		v.err = s.Unwrap()
	}
	v.stringer = assertTo[stringer](v.any)
	v.err, v.stringer = assertTo[error](v.any), asserted[stringer](v.any)
	v.n = v.any.(int)
	v.p = v.any.(*int)
	switch x := v.any.(type) {
	case int:
		v.n = x
	case error:
		v.err = x
	case stringer:
		v.stringer = x
	case interface{ Timeout() bool }:
		v.bools = append(v.bools, x.Timeout())
	}
	switch x := v.err.(type) {
	case stringer:
		v.stringer = x
	case interface{ Timeout() bool }:
		v.bools = append(v.bools, x.Timeout())
	}
	if v.any == v.err || v.err == v.errs[0] || v.any == v.s || v.mixed == v.mixed2 || v.small == v.small2 || v.big == [200]byte(v.b) || v.c == v.mf[v.f] {
		v.n++
	}
	v.any = v.stringer.String
	v.text = error.Error
	v.any = v.text
	v.f0 = func() { v.n++ }
	v.any = new(values)
	v.any = &[2]*values{v}
}

//go:noinline
func assertTo[T any](v any) T { return v.(T) }

//go:noinline
func asserted[T any](v any) (t T) { t, _ = v.(T); return t }
