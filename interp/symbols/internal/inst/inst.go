// Package inst holds compiled parts of generic functions. The interpreter lowers a generic function of the standard
// library from its source, each instance anew; where that source needs unsafe, the run time or unexported parts of its
// package, the overlay that stands in for it calls this package, with values of type any in place of type parameters.
// It also has ready-made instances for common types (file zslices.go), which run at compiled speed.
//
// Values of cells' types arrive as value.Box and go back as such.
package inst

import (
	"crypto/hkdf"
	"crypto/pbkdf2"
	_ "database/sql" // convertAssign
	"database/sql/driver"
	"hash"
	"hash/maphash"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
	"weak"

	"gaucho/interp/rt/value"
)

// bare returns the lowered value of x without its box, and the box's type.
func bare(x any) (any, *value.Type) {
	if b, ok := x.(value.Box); ok {
		return b.V, b.T
	}
	return x, nil
}

// boxed puts a value back into the box that bare took it from.
func boxed(v any, t *value.Type) any {
	if t == nil {
		return v
	}
	return value.Box{T: t, V: v}
}

// Overlap reports whether the memory ranges of two slices overlap.
func Overlap(a, b any) bool {
	a, _ = bare(a)
	b, _ = bare(b)
	va, vb := reflect.ValueOf(a), reflect.ValueOf(b)
	if va.Len() == 0 || vb.Len() == 0 {
		return false
	}
	size := va.Type().Elem().Size()
	return size > 0 && va.Pointer() < vb.Pointer()+uintptr(vb.Len())*size && vb.Pointer() < va.Pointer()+uintptr(va.Len())*size
}

// Start returns the index in haystack at which needle, a part of it, begins.
func Start(haystack, needle any) int {
	haystack, _ = bare(haystack)
	needle, _ = bare(needle)
	h, n := reflect.ValueOf(haystack), reflect.ValueOf(needle)
	return int((n.Pointer() - h.Pointer()) / h.Type().Elem().Size())
}

var unique sync.Map

// Unique returns the first pointer that it was called with for a value equal to key.
func Unique(key, pointer any) any {
	p, _ := unique.LoadOrStore(key, pointer)
	return p
}

// A Pointer is an atomic variable that holds a pointer. The zero Pointer holds nil.
type Pointer struct{ p atomic.Pointer[any] }

// Load returns the pointer, and nil (without a type) for a nil pointer.
func (p *Pointer) Load() any {
	v := p.p.Load()
	if v == nil {
		return nil
	}
	return *v
}

// Store sets the pointer.
func (p *Pointer) Store(v any) { p.p.Store(&v) }

// Swap sets the pointer and returns the one before.
func (p *Pointer) Swap(v any) any {
	old := p.p.Swap(&v)
	if old == nil {
		return nil
	}
	return *old
}

// CompareAndSwap sets the pointer if it is old, and reports whether it was.
func (p *Pointer) CompareAndSwap(old, v any) bool {
	for {
		now := p.p.Load()
		if now == nil && old != nil || now != nil && *now != old {
			return false
		}
		if p.p.CompareAndSwap(now, &v) {
			return true
		}
	}
}

// A Weak is a weak pointer. Weak pointers made of equal pointers are equal.
type Weak struct {
	p   weak.Pointer[byte]
	typ reflect.Type
	box *value.Type
}

// MakeWeak returns a weak pointer to what the pointer, which is not nil, points to.
func MakeWeak(pointer any) Weak {
	v, t := bare(pointer)
	r := reflect.ValueOf(v)
	return Weak{weak.Make((*byte)(r.UnsafePointer())), r.Type().Elem(), t}
}

// Value returns the pointer, or nil when what it pointed to is gone.
func (w Weak) Value() any {
	p := w.p.Value()
	if p == nil {
		return nil
	}
	return boxed(reflect.NewAt(w.typ, unsafe.Pointer(p)).Interface(), w.box)
}

// AddCleanup has f called some time after what the pointer points to is no longer reachable.
func AddCleanup(pointer any, f func()) runtime.Cleanup {
	v, _ := bare(pointer)
	return runtime.AddCleanup((*byte)(reflect.ValueOf(v).UnsafePointer()), func(f func()) { f() }, f)
}

// HashComparable is maphash.Comparable.
func HashComparable(seed maphash.Seed, v any) uint64 { return maphash.Comparable(seed, v) }

// WriteComparable is maphash.WriteComparable.
func WriteComparable(h *maphash.Hash, v any) { maphash.WriteComparable(h, v) }

// PBKDF2Key is pbkdf2.Key.
func PBKDF2Key(h func() hash.Hash, password string, salt []byte, iter, keyLength int) ([]byte, error) {
	return pbkdf2.Key(h, password, salt, iter, keyLength)
}

// HKDFExtract is hkdf.Extract.
func HKDFExtract(h func() hash.Hash, secret, salt []byte) ([]byte, error) {
	return hkdf.Extract(h, secret, salt)
}

// HKDFExpand is hkdf.Expand.
func HKDFExpand(h func() hash.Hash, key []byte, info string, keyLength int) ([]byte, error) {
	return hkdf.Expand(h, key, info, keyLength)
}

// HKDFKey is hkdf.Key.
func HKDFKey(h func() hash.Hash, secret, salt []byte, info string, keyLength int) ([]byte, error) {
	return hkdf.Key(h, secret, salt, info, keyLength)
}

// Assign converts src, a value from a database, and stores it where dest points to.
func Assign(dest, src any) error {
	dest, _ = bare(dest)
	return convertAssign(dest, src)
}

//go:linkname convertAssign database/sql.convertAssign
func convertAssign(dest, src any) error

// ConvertValue converts a value to one that a database driver takes.
func ConvertValue(v any) (driver.Value, error) {
	v, _ = bare(v)
	return driver.DefaultParameterConverter.ConvertValue(v)
}
