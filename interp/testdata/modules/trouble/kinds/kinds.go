// Package kinds has interfaces with methods that are not exported.
package kinds

import "example.org/trouble/kinds/hidden"

type store struct{ n int }

func (s *store) Append(b []byte) int  { return s.n + len(b) }
func (s *store) offsetAt(i int) int64 { return int64(s.n + i) }

// Offset takes an interface without a name.
func Offset() int64 {
	return func(s interface {
		Append([]byte) int
		offsetAt(int) int64
	}) int64 {
		return s.offsetAt(s.Append([]byte("ab")))
	}(&store{3})
}

// A Traced embeds an interface of another package.
type Traced struct{ hidden.Sealed }

// Trace is of the other package's interface too.
func (Traced) Trace(s string) int { return len(s) }

// Open converts it to that.
func Open() hidden.Tracer { return Traced{} }
