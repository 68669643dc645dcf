package value

import "sync/atomic"

// StoreValue is the method Store of an atomic.Value, which takes values of one type: of a cell's type, one such.
func StoreValue(v *atomic.Value, x any) {
	sameType("store", v, x)
	v.Store(x)
}

// SwapValue is the method Swap.
func SwapValue(v *atomic.Value, x any) any {
	sameType("swap", v, x)
	return v.Swap(x)
}

// CompareAndSwapValue is the method CompareAndSwap.
func CompareAndSwapValue(v *atomic.Value, old, x any) bool {
	if b, ok := old.(Box); ok {
		if c, ok := x.(Box); !ok || b.T != c.T {
			panic("sync/atomic: compare and swap of inconsistently typed values")
		}
	}
	sameType("compare and swap", v, x)
	return v.CompareAndSwap(old, x)
}

func sameType(verb string, v *atomic.Value, x any) {
	if old, ok := v.Load().(Box); ok {
		if b, ok := x.(Box); ok && b.T != old.T {
			panic("sync/atomic: " + verb + " of inconsistently typed value into Value")
		}
	}
}
