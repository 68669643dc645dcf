package inst

import (
	"hash/maphash"
	"runtime"
	"slices"
	"testing"
	"time"

	"gaucho/interp/rt/value"
)

func TestOverlap(t *testing.T) {
	s := make([]int, 10)
	for _, test := range []struct {
		a, b []int
		want bool
	}{
		{s[:5], s[5:], false}, {s[:6], s[5:], true}, {s[5:], s[:6], true}, {s[2:3], s[0:9], true}, {nil, s, false},
		{s[3:3], s, false}, {s, make([]int, 10), false},
	} {
		if got := Overlap(test.a, test.b); got != test.want {
			t.Errorf("Overlap of lengths %d, %d = %v", len(test.a), len(test.b), got)
		}
	}
	if Overlap(make([]struct{}, 3), make([]struct{}, 3)) {
		t.Error("slices of nothing overlap")
	}
	if got := Start(s, s[4:6]); got != 4 {
		t.Errorf("Start = %d, want 4", got)
	}
	typ := &value.Type{}
	if !Overlap(value.Box{T: typ, V: s[:6]}, value.Box{T: typ, V: s[5:]}) {
		t.Error("boxed slices do not overlap")
	}
}

func TestPointer(t *testing.T) {
	var p Pointer
	a, b := new(int), new(int)
	if p.Load() != nil || p.Swap(nil) != nil {
		t.Error("the zero Pointer is not nil")
	}
	if p.CompareAndSwap(a, b) || !p.CompareAndSwap(nil, a) || p.Load() != a {
		t.Error("swapping with nil")
	}
	if p.CompareAndSwap(b, a) || !p.CompareAndSwap(a, b) || p.Swap(nil) != b || p.Load() != nil {
		t.Error("swapping")
	}
	p.Store(a)
	if p.Load() != a {
		t.Error("storing")
	}
}

func TestUnique(t *testing.T) {
	a, b := new(string), new(string)
	if Unique("TestUnique", a) != a || Unique("TestUnique", b) != a || Unique("TestUnique2", b) != b {
		t.Error("pointers of equal values differ")
	}
	// Equal values of different types are different.
	one, two := &value.Type{ID: 1}, &value.Type{ID: 2}
	if Unique(value.Box{T: one, V: 1}, a) != a || Unique(value.Box{T: two, V: 1}, b) != b {
		t.Error("boxes of different types have one pointer")
	}
}

func TestWeak(t *testing.T) {
	p := new([100]int)
	typ := &value.Type{}
	w, again := MakeWeak(value.Box{T: typ, V: p}), MakeWeak(value.Box{T: typ, V: p})
	if w != again || w.Value() != (value.Box{T: typ, V: p}) {
		t.Error("the weak pointer does not give the pointer back")
	}
	done := make(chan bool)
	AddCleanup(p, func() { close(done) })
	runtime.KeepAlive(p)
	p = nil
	for gone := false; !gone; {
		runtime.GC()
		select {
		case <-done:
			gone = true
		case <-time.After(time.Millisecond):
		}
	}
	if w.Value() != nil {
		t.Error("the weak pointer keeps its value")
	}
}

func TestAssign(t *testing.T) {
	var n int
	if err := Assign(value.Box{T: &value.Type{}, V: &n}, "17"); err != nil || n != 17 {
		t.Errorf("got %d, %v", n, err)
	}
	if err := Assign(&n, "x"); err == nil {
		t.Error("x is a number")
	}
}

func TestHash(t *testing.T) {
	seed := maphash.MakeSeed()
	same := HashComparable(seed, "a")
	if HashComparable(seed, "a") != same || HashComparable(seed, "a") == HashComparable(seed, "b") {
		t.Error("hashes of strings")
	}
}

func TestInstances(t *testing.T) {
	s := []float64{3, 1, 2}
	SlicesSort_float64(s)
	if !slices.Equal(s, []float64{1, 2, 3}) || SlicesMax_float64(s) != 3 || !SlicesContains_float64(s, 2) {
		t.Error(s)
	}
	if got := SlicesInsert_string([]string{"a", "d"}, 1, "b", "c"); !slices.Equal(got, []string{"a", "b", "c", "d"}) {
		t.Error(got)
	}
}
