//go:build ignore

// The generic type of package sql.
package sql

import (
	"database/sql/driver"
	"gaucho/interp/symbols/internal/inst"
)

type Null[T any] struct {
	V     T
	Valid bool
}

func (n *Null[T]) Scan(value any) error {
	if value == nil {
		n.V, n.Valid = *new(T), false
		return nil
	}
	n.Valid = true
	return inst.Assign(&n.V, value)
}

func (n Null[T]) Value() (driver.Value, error) {
	if !n.Valid {
		return nil, nil
	}
	v := any(n.V)
	if valuer, ok := v.(driver.Valuer); ok {
		val, err := valuer.Value()
		if err != nil {
			return val, err
		}
		v = val
	}
	return inst.ConvertValue(v)
}
