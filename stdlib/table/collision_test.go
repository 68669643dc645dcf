package table

import (
	"slices"
	"testing"
)

// TestCollision numbers a value that has the hash of missing ones, among many: they are told apart all the same.
func TestCollision(t *testing.T) {
	const n = 2 * numberBlock
	c := &Column{kind: Int, ints: numbersTo[int](n), missing: make([]bool, n)}
	for _, i := range []int{5, 70_000, n - 1} {
		c.ints[i] = unlikely
		c.missing[i+1-2*(i%2)] = true
	}
	c.missing[n-3] = true
	h := make([]uint64, n)
	if c.hash(h, 0); h[5] != h[n-3] {
		t.Fatal("hashes differ")
	}
	if !(stack{c}).many() {
		t.Fatal("few values")
	}
	code, first := number(c)
	want := map[any]uint32{}
	var rows []uint32
	for i := range n {
		v := c.Value(i)
		if _, ok := want[v]; !ok {
			want[v] = uint32(len(want))
			rows = append(rows, uint32(i))
		}
		if code[i] != want[v] {
			t.Fatalf("row %d with %v has number %d, want %d", i, v, code[i], want[v])
		}
	}
	if !slices.Equal(first, rows) {
		t.Error("first rows differ")
	}
}
