package check

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

type point struct {
	X, y float64
	Tags []string
}

type node struct {
	V    int
	Next *node
}

// chain is a linked list of n ones.
func chain(n int) (list *node) {
	for range n {
		list = &node{1, list}
	}
	return list
}

func TestJudge(t *testing.T) {
	type pointer *pointer
	var self pointer
	self = &self
	p := point{1, 2, []string{"a"}}
	loop := &struct{ Next any }{}
	loop.Next = loop
	for _, c := range []struct {
		name string
		do   func()
		want string // part of the failure; empty if the test holds
	}{
		{"ints", func() { Equal(3, 3) }, ""},
		{"int and float", func() { Equal(3, 3.0) }, ""},
		{"int64 that float64 cannot tell apart", func() { Equal(int64(1<<53+1), int64(1<<53)) }, "9007199254740993"},
		{"int beside a float", func() { Equal([]int{1<<53 + 1}, []float64{1 << 53}) }, "[0]: got 9007199254740993"},
		{"unsigned beside a float", func() { Equal(uint64(math.MaxUint64), float64(1<<64)) }, "got 18446744073709551615"},
		{"large, int beside a float", func() { Equal([]int{1 << 60, -1 << 63}, []float64{1 << 60, -1 << 63}) }, ""},
		{"large unsigned, equal", func() { Equal(uint64(1<<63), math.Pow(2, 63)) }, ""},
		{"least and largest", func() { Equal(int64(math.MinInt64), uint64(1<<63)) }, "got -9223372036854775808"},
		{"wrong", func() { Equal(3, 4) }, "got 3, want 4"},
		{"hint", func() { Near([]float64{1}, []float64{2}, 0.1, "is it n - 1?") }, "[0]: got 1, want 2 to within 0.2; is it n - 1?"},
		{"hint of a test that holds", func() { Succeeds(nil, "x") }, ""},
		{"text and number", func() { Equal("3", 3) }, `got "3", want 3`},
		{"NaN", func() { Equal(math.NaN(), math.NaN()) }, ""},
		{"lists", func() { Equal([]float64{1, 2}, []int{1, 2}) }, ""},
		{"list, element", func() { Equal([]float64{1, 2}, []float64{1, 3}) }, "[1]: got 2, want 3"},
		{"list, length", func() { Equal([]int{1}, []int{1, 2}) }, "got 1 elements, want 2"},
		{"array and slice", func() { Equal([2]int{1, 2}, []int{1, 2}) }, ""},
		{"structs", func() { Equal(p, p) }, ""},
		{"unexported field", func() { Equal(p, point{1, 3, []string{"a"}}) }, ".y: got 2, want 3"},
		{"nested", func() { Equal([]point{p}, []point{{1, 2, []string{"b"}}}) }, `[0].Tags[0]: got "a", want "b"`},
		{"pointer", func() { Equal(&p, p) }, ""},
		{"maps", func() { Equal(map[string]int{"a": 1}, map[string]int{"a": 1}) }, ""},
		{"map, missing", func() { Equal(map[string]int{}, map[string]int{"a": 1}) }, `got no "a"`},
		{"map, more", func() { Equal(map[int]int{1: 1, 2: 2}, map[int]int{1: 1}) }, "got 2, which should not be there"},
		{"nil", func() { Equal(nil, nil) }, ""},
		{"matrix", func() { Equal(mat.NewDense(1, 2, []float64{1, 2}), mat.NewDense(1, 2, []float64{1, 2})) }, ""},
		{"matrix, element", func() { Equal(mat.NewDense(2, 2, []float64{1, 2, 3, 4}), mat.NewDense(2, 2, []float64{1, 2, 5, 4})) }, "[1, 0]: got 3, want 5"},
		{"matrix, shape", func() { Equal(mat.NewDense(1, 2, nil), mat.NewDense(2, 1, nil)) }, "a 1×2 matrix, want a 2×1 matrix"},
		{"complex", func() { Equal(1+2i, 1+2i) }, ""},
		{"complex and real", func() { Equal(complex(1, 0), 1); Equal(1, complex(1, 0)); Equal([]complex128{2}, []float32{2}) }, ""},
		{"complex and real, wrong", func() { Equal(complex(1, 1), 1) }, "got (1, 1i), want 1"},
		{"complex, a large int", func() { Equal(1<<53+1, complex(1<<53, 0)) }, "got 9007199254740993"},
		{"complex, near a real", func() { Near(complex(1, 1e-9), 1, 1e-6) }, ""},
		{"complex, wrong", func() { Equal(1+2i, 1+3i) }, "got (1, 2i)"},
		{"function", func() { Equal(math.Sin, math.Sin) }, "cannot be compared"},
		{"no end", func() { Equal(loop, loop) }, "cannot be compared: it lies more than 4000 levels deep"},
		{"a pointer to itself", func() { Equal(&self, &self) }, "cannot be compared"},
		{"a list of nodes", func() { Equal(chain(3000), chain(3000)) }, ""},
		{"a list of nodes, shorter", func() { Equal(chain(300), chain(299)) }, ".Next.Next: got {V:1 Next:nil}, want nil"},
		{"long", func() { Equal(make([]int, 1<<20), make([]float64, 1<<20)) }, ""},
		{"long, wrong", func() { Equal(make([]int, 1<<20), append(make([]int, 1<<20-1), 1)) }, "[1048575]: got 0, want 1"},
		{"too long", func() { Equal(make([]bool, maxItems), 1) }, "a []bool: the value has more than"},
		{"long keys", func() { Equal(map[[9]int]int{{8: 1}: 1, {8: 2}: 2}, map[[9]int]int{{8: 1}: 1, {8: 2}: 3}) }, "0 2]]: got 2, want 3"},
		{"near", func() { Near(1.0000001, 1, 1e-6) }, ""},
		{"near, relative", func() { Near(1e6+0.5, 1e6, 1e-6) }, ""},
		{"near, not", func() { Near([]float64{1, 2.1}, []float64{1, 2}, 1e-6) }, "[1]: got 2.1, want 2 to within 2e-06"},
		{"near, NaN", func() { Near(math.NaN(), 1, 1e-6) }, "got NaN"},
		{"near, infinite", func() { Near(math.Inf(1), math.Inf(1), 1e-6) }, ""},
		{"near, infinite and not", func() { Near(math.Inf(1), 1, 1e-6) }, "got +Inf"},
		{"near, finite and infinite", func() { Near(0, math.Inf(1), 1e-9) }, "got 0, want +Inf"},
		{"near, the other infinity", func() { Near(math.Inf(-1), math.Inf(1), 1e-9) }, "got -Inf, want +Inf"},
		{"near, infinite part", func() { Near([]float64{1, 5}, []float64{1, math.Inf(-1)}, 1) }, "[1]: got 5, want -Inf"},
		{"near, infinite complex", func() { Near(complex(1, 2), complex(1, math.Inf(1)), 1) }, "want"},
		{"near, infinite and large", func() { Near(math.Inf(1), 1e10, 1e300) }, "got +Inf"},
		{"near, further than float64 spans", func() { Near(1.7e308, -1.7e308, 1.5) }, "to within"},
		{"near, as far as that", func() { Near(1.7e308, -1.7e308, 2) }, ""},
		{"near, ints", func() { Near(1<<53+1, 1<<53, 1e-17) }, "got 9007199254740993"},
		{"near, ints, coarser", func() { Near(1<<53+1, 1<<53, 1e-15) }, ""},
		{"near, ints without tolerance", func() { Near(1<<53+1, float64(1<<53), 0) }, "got 9007199254740993"},
		{"near, infinite tolerance", func() { Near(1, 2, math.Inf(1)) }, "tolerance is +Inf"},
		{"near, tolerance", func() { Near(1, 1, math.NaN()) }, "tolerance is NaN"},
		{"between", func() { Between([]float64{1, 2}, 1, 2) }, ""},
		{"between, not", func() { Between([]float64{1, 2.5}, 1, 2) }, "[1]: got 2.5, want a number from 1 to 2"},
		{"between, an int beside the bound", func() { Between(1<<53+1, 0, 1<<53) }, "got 9007199254740993, want a number from 0 to 9.007199254740992e+15"},
		{"between, the bound", func() { Between(uint64(1<<63), 0, 1<<63) }, ""},
		{"between, nothing", func() { Between([]float64(nil), 1, 2) }, "got 0 elements"},
		{"between, empty row", func() { Between([][]float64{{1}, {}}, 1, 2) }, "[1]: got 0 elements"},
		{"between, empty matrix", func() { Between(&mat.Dense{}, 1, 2) }, "matrix"},
		{"between, bounds the wrong way round", func() { Between(1.5, 2, 1) }, "the lower one first"},
		{"between, NaN", func() { Between(math.NaN(), 1, 2) }, "got NaN"},
		{"between, text", func() { Between("a", 1, 2) }, `got "a"`},
		{"fails", func() { Fails(errors.New("bad")) }, ""},
		{"fails, not", func() { Fails(nil) }, "no error"},
		{"succeeds", func() { Succeeds(nil) }, ""},
		{"succeeds, not", func() { Succeeds(fmt.Errorf("bad")) }, "an error: bad"},
	} {
		got := caught(c.do)
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: failure %q, want %q", c.name, got, c.want)
		}
	}
}

func caught(f func()) (message string) {
	defer func() {
		if r := recover(); r != nil {
			message = r.(error).Error()
		}
	}()
	f()
	return ""
}

// TestRoundTrip: a value that went through bytes is judged as the value itself.
func TestRoundTrip(t *testing.T) {
	for _, v := range []any{nil, true, -3, uint64(math.MaxUint64), 0.1, math.Inf(-1), math.NaN(), "a\x00b", 1 + 2i, []int{}, map[string]any{"a": 1.5},
		point{1, 2, nil}, mat.NewDense(2, 1, []float64{1, 2}), chain(3900), uint64(1<<53 + 1)} {
		back, err := Decode(Encode(v))
		if err != nil {
			t.Errorf("%v: %v", v, err)
		} else if err := Judge("Equal", back, []*Value{look(v)}); err != nil {
			t.Errorf("%v: %v", v, err)
		}
	}
}

// FuzzDecode: bytes are no value, or one that can be written, compared and said.
func FuzzDecode(f *testing.F) {
	for _, v := range []any{1, 2.5, "a", []int{1}, map[string]any{"a": nil}, mat.NewDense(1, 2, nil), errors.New("x"), 1i} {
		f.Add(Encode(v))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := Decode(b)
		if err != nil {
			return
		}
		_ = v.String()
		for name, test := range tests {
			Judge(name, v, []*Value{v, {Kind: "float", Text: "1"}}[:test.args])
		}
	})
}

// TestDecodeTrustsNothing: a frame that a hostile process made up is an error, never a panic.
func TestDecodeTrustsNothing(t *testing.T) {
	deep := strings.Repeat(`{"k":"list","i":[`, maxDepth+2) + strings.Repeat(`]}`, maxDepth+2)
	for _, s := range []string{``, `{}`, `{"k":"int","v":"x"}`, `{"k":"int","v":"1.5"}`, `{"k":"float","v":"x"}`, `{"k":"list","i":[null]}`, `{"k":"map","n":["a"]}`, `{"k":"complex"}`,
		`{"k":"passed"}`, `{"k":"nil"} {"k":"nil"}`, `{"k":"nil","extra":1}`, `{"k":"list","n":["a"]}`, deep,
		`{"k":"list","i":[` + strings.Repeat(`{},`, 2*maxItems) + `{}]}`, `{"k":"map","n":[` + strings.Repeat(`"",`, 8*maxItems) + `""]}`} {
		if v, err := Decode([]byte(s)); err == nil {
			t.Errorf("%.60s: read as %v", s, v)
		}
	}
}
