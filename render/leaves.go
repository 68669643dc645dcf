package render

import (
	"reflect"
	"slices"
	"strings"

	"gaucho/stdlib/display"
)

// What a table takes apart: structs and maps within a row, so deep, and with no more parts than this.
const (
	maxNesting = 2
	maxParts   = 6
)

// nothing is what a table shows of a nil.
const nothing = "–"

// A leafValue is a value of a row that stands in a column of its own, with the column's name: Address.City.
type leafValue struct {
	name  string
	value display.Value
}

// leaves are the values of a struct or a map with string keys, and of structs and maps within it. Pointers are followed.
func leaves(v display.Value, prefix string, depth int, within []string) []leafValue {
	if _, ok := inShort(bare(v)); ok {
		return []leafValue{{strings.TrimSuffix(prefix, "."), v}}
	}
	v = record(v)
	parts, ok := partsOf(v)
	if !ok || depth > 0 && (len(parts) > maxParts || depth > maxNesting || len(parts) == 0) || slices.Contains(within, v.TypeName()) {
		return []leafValue{{strings.TrimSuffix(prefix, "."), v}}
	}
	var list []leafValue
	if v.Kind() == reflect.Struct {
		within = append(slices.Clone(within), v.TypeName())
	}
	for _, p := range parts {
		list = append(list, leaves(p.value, prefix+p.name+".", depth+1, within)...)
	}
	return list
}

// partsOf are the fields of a struct to show, or the values of a map by its keys in order.
func partsOf(v display.Value) (parts []leafValue, ok bool) {
	switch {
	case isRecord(v):
		for _, i := range columns(v) {
			f := v.Field(i)
			parts = append(parts, leafValue{f.Name, f.Value})
		}
		return parts, true
	case v.Kind() == reflect.Map:
		if _, ok := says(v); ok {
			return nil, false
		}
		for _, k := range v.Keys() {
			name, ok := bare(k).Basic().(string)
			if !ok {
				return nil, false
			}
			parts = append(parts, leafValue{name, v.MapIndex(k)})
		}
		slices.SortFunc(parts, func(a, b leafValue) int { return strings.Compare(a.name, b.name) })
		return parts, true
	}
	return nil, false
}

// isNothing reports whether a value is nil.
func isNothing(v display.Value) bool {
	switch v.Kind() {
	case reflect.Invalid:
		return true
	case reflect.Interface, reflect.Pointer, reflect.Slice, reflect.Map:
		return v.IsNil()
	}
	return false
}

// A grid is rows of leaves with the names of the columns that they have together.
type grid struct {
	names []string
	rows  []map[string]display.Value
}

// add adds a row. A column that no row had before comes after the one that it follows in this row.
func (g *grid) add(list []leafValue) {
	row, at := map[string]display.Value{}, 0
	for _, l := range list {
		if i := slices.Index(g.names, l.name); i >= 0 {
			at = i + 1
		} else {
			g.names = slices.Insert(g.names, at, l.name)
			at++
		}
		row[l.name] = l.value
	}
	g.rows = append(g.rows, row)
}

// settle takes out the columns that are nil wherever other rows have parts.
func (g *grid) settle() {
	g.names = slices.DeleteFunc(g.names, func(name string) bool {
		if !slices.ContainsFunc(g.names, func(n string) bool { return strings.HasPrefix(n, name+".") }) {
			return false
		}
		for _, row := range g.rows {
			if v, ok := row[name]; ok && !isNothing(v) {
				return false
			}
		}
		return true
	})
}

// cell is what stands in a column of a row: nothing where the row has no such key, a dash where what it is a part of is nil.
func (g *grid) cell(row int, name string) cell {
	if v, ok := g.rows[row][name]; ok {
		return entry(v)
	}
	for whole := name; strings.Contains(whole, "."); {
		whole = whole[:strings.LastIndexByte(whole, '.')]
		if v, ok := g.rows[row][whole]; ok && isNothing(v) {
			return cell{text: nothing}
		}
	}
	return cell{}
}
