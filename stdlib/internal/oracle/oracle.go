// Package oracle reads what other programs computed, for tests that compare with it. A file says which program, of which version,
// and how it was called.
package oracle

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Read reads a JSON file of the test's directory testdata into what v points to.
func Read(t testing.TB, name string, v any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err == nil {
		err = json.Unmarshal(data, v)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// Matrix returns a matrix with these rows.
func Matrix(rows [][]float64) *mat.Dense {
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, r := range rows {
		m.SetRow(i, r)
	}
	return m
}
