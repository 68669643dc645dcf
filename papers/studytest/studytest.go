// Package studytest holds what the tests of the studies share.
package studytest

import (
	"context"
	"testing"

	"gaucho/stdlib/study"
)

// Run runs s and fails the test if that fails.
func Run(t *testing.T, s *study.Study) *study.Results {
	t.Helper()
	res, err := s.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// Mean returns the mean of a field at the only point that matches, as in [study.Results.Points].
func Mean(t *testing.T, res *study.Results, field string, match ...any) float64 {
	t.Helper()
	ps := res.Points(match...)
	if len(ps) != 1 {
		t.Fatalf("%d points match %v", len(ps), match)
	}
	s, err := res.Summary(ps[0], field)
	if err != nil {
		t.Fatal(err)
	}
	return s.Mean
}

// Medians runs a study and returns the median of each field at each of its points.
func Medians(t *testing.T, s *study.Study, fields ...string) [][]float64 {
	t.Helper()
	res := Run(t, s)
	out := make([][]float64, len(fields))
	for i, field := range fields {
		for _, p := range s.Points {
			m, err := res.Summary(p, field)
			if err != nil {
				t.Fatal(err)
			}
			out[i] = append(out[i], m.Median)
		}
	}
	return out
}
