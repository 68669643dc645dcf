package table_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"gaucho/stdlib/table"
)

// TestBinary: a table comes back as it was, with missing values and without rows; bytes that are no table are an error.
func TestBinary(t *testing.T) {
	whole, err := table.Parse(strings.NewReader("i,f,b,t,s,none\n1,0.1,true,2024-01-02,\"\",\n,,,,,\n-3,1e300,false,2024-01-02T03:04:05+02:00,x,\n"), "t")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []*table.Table{whole, whole.Head(0), whole.Drop(whole.Names()...)} {
		data, err := want.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var got table.Table
		if err := got.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		if got.Len() != want.Len() || !reflect.DeepEqual(got.Names(), want.Names()) {
			t.Fatalf("%v, want %v", &got, want)
		}
		for _, name := range want.Names() {
			a, b := got.Column(name), want.Column(name)
			for i := range want.Len() {
				x, y := a.Value(i), b.Value(i)
				if f, ok := y.(float64); a.Kind() != b.Kind() || !reflect.DeepEqual(x, y) && !(ok && math.IsNaN(f)) {
					t.Errorf("column %s, row %d: %v, want %v", name, i, x, y)
				}
			}
		}
		for _, bad := range [][]byte{nil, data[:len(data)/2], []byte("no table")} {
			if err := got.UnmarshalBinary(bad); err == nil {
				t.Errorf("%d bytes of a table are one", len(bad))
			}
		}
	}
}
