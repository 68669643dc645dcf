package value

import (
	"cmp"
	"reflect"
	"slices"
)

type entry struct{ key, value reflect.Value }

// sortedMap returns the entries of a map in the order in which fmt prints them.
func sortedMap(t *Type, v reflect.Value) []entry {
	list := make([]entry, 0, v.Len())
	for it := v.MapRange(); it.Next(); {
		list = append(list, entry{it.Key(), it.Value()})
	}
	kt := key(t)
	slices.SortStableFunc(list, func(a, b entry) int { return compareKeys(kt, a.key, kt, b.key) })
	return list
}

// compareKeys orders map keys: numbers and strings by value, false before true, pointers and channels by address,
// structs and arrays part by part, values in interfaces by their type and then by value.
func compareKeys(at *Type, a reflect.Value, bt *Type, b reflect.Value) int {
	at, a = open(at, a)
	bt, b = open(bt, b)
	if !a.IsValid() || !b.IsValid() {
		return cmp.Compare(btoi(a.IsValid()), btoi(b.IsValid()))
	}
	if at != bt || a.Type() != b.Type() {
		if c := cmp.Compare(a.Kind(), b.Kind()); c != 0 {
			return c
		}
		return cmp.Compare(typeString(at, a), typeString(bt, b))
	}
	switch a.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return cmp.Compare(a.Int(), b.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return cmp.Compare(a.Uint(), b.Uint())
	case reflect.String:
		return cmp.Compare(a.String(), b.String())
	case reflect.Float32, reflect.Float64:
		return cmp.Compare(a.Float(), b.Float())
	case reflect.Complex64, reflect.Complex128:
		x, y := a.Complex(), b.Complex()
		if c := cmp.Compare(real(x), real(y)); c != 0 {
			return c
		}
		return cmp.Compare(imag(x), imag(y))
	case reflect.Bool:
		return cmp.Compare(btoi(a.Bool()), btoi(b.Bool()))
	case reflect.Pointer, reflect.UnsafePointer, reflect.Chan:
		return cmp.Compare(a.Pointer(), b.Pointer())
	case reflect.Struct:
		for i := range a.NumField() {
			ft := fieldOf(at, a, i).Type
			if c := compareKeys(ft, a.Field(i), ft, b.Field(i)); c != 0 {
				return c
			}
		}
	case reflect.Array:
		for i := range a.Len() {
			if c := compareKeys(elem(at), a.Index(i), elem(at), b.Index(i)); c != 0 {
				return c
			}
		}
	case reflect.Interface:
		return compareKeys(nil, a.Elem(), nil, b.Elem())
	}
	return 0
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
