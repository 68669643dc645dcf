//go:build ignore

// The generic function of package table.
package table

import "gaucho/interp/symbols/internal/inst"

func Read[T any](file string) ([]T, error) {
	var rows []T
	err := inst.ReadCSV(file, &rows)
	return rows, err
}
