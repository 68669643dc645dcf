package render

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"time"

	"gaucho/internal/words"
	"gaucho/stdlib/display"
)

// maxCell is the number of bytes of a string or literal that one table cell shows.
const maxCell = 120

// tabulate returns a value as a table, if it is one: a slice, array or map of structs, a struct, a map, a slice of
// maps with string keys, a slice of slices of numbers or strings.
func tabulate(v display.Value) (sheet, bool) {
	v = bare(v)
	if _, ok := inShort(v); ok {
		return sheet{}, false
	}
	pointer := false
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v, pointer = v.Elem(), true
	}
	if _, ok := says(v); ok {
		return sheet{}, false
	}
	switch v.Kind() {
	case reflect.Struct:
		return structSheet(v)
	case reflect.Map:
		if !v.IsNil() && v.Len() > 0 {
			return mapSheet(v)
		}
	case reflect.Slice, reflect.Array:
		if v.Len() == 0 || pointer {
			return sheet{}, false
		}
		first := record(v.Index(0))
		if isRecord(first) {
			return recordsSheet(v)
		}
		if first.Kind() == reflect.Map {
			return mapsSheet(v)
		}
		if k := first.Kind(); (k == reflect.Slice || k == reflect.Array) && scalarElements(first) {
			return rowsSheet(v)
		}
	}
	return sheet{}, false
}

// record returns the struct that pointers and interfaces lead to.
func record(v display.Value) display.Value {
	for range 3 {
		if v.Kind() != reflect.Interface && v.Kind() != reflect.Pointer || v.IsNil() {
			return v
		}
		if _, ok := says(v); ok {
			return v
		}
		v = v.Elem()
	}
	return v
}

// isRecord reports whether a value is a struct with fields to show that does not speak for itself.
func isRecord(v display.Value) bool {
	if v.Kind() != reflect.Struct {
		return false
	}
	if _, ok := says(v); ok {
		return false
	}
	return len(columns(v)) > 0
}

// columns returns the indices of a struct's fields to show: the exported ones, and all of one's own type.
func columns(v display.Value) []int {
	var idx []int
	own := isOwn(v)
	for i := range v.NumField() {
		if own || v.Field(i).Exported {
			idx = append(idx, i)
		}
	}
	return idx
}

func scalarElements(v display.Value) bool {
	if v.Len() == 0 {
		return false
	}
	e := bare(v.Index(0))
	return e.Basic() != nil && e.TypeName() != "uint8"
}

// entry returns a value as one cell of a table.
func entry(v display.Value) cell {
	v = bare(v)
	if isNothing(v) {
		return cell{text: nothing}
	}
	if _, ok := says(v); !ok && v.Kind() == reflect.Pointer {
		if _, ok := inShort(v); !ok {
			return entry(v.Elem())
		}
	}
	if t, ok := v.Interface().(time.Time); ok {
		return cell{text: moment(t)}
	}
	if said, ok := says(v); ok {
		return cell{text: cut(said)}
	}
	if short, ok := inShort(v); ok {
		return cell{text: short}
	}
	switch x := v.Basic().(type) {
	case int64:
		return cell{text: strconv.FormatInt(x, 10), number: true}
	case uint64:
		return cell{text: strconv.FormatUint(x, 10), number: true}
	case float64:
		return cell{text: number(x), number: true}
	case string:
		return cell{text: cut(x)}
	}
	return cell{text: cut(line(v))}
}

// moment writes a time as a date if it is one, and without a zone in UTC.
func moment(t time.Time) string {
	switch h, m, s := t.Clock(); {
	case t.Location() != time.UTC:
		return t.Format("2006-01-02 15:04:05.999999999 -07:00")
	case h|m|s|t.Nanosecond() == 0:
		return t.Format(time.DateOnly)
	}
	return t.Format("2006-01-02 15:04:05.999999999")
}

func cut(s string) string {
	for i, r := range s {
		if r == '\n' || i >= maxCell {
			return s[:i] + "…"
		}
	}
	return s
}

func structSheet(v display.Value) (sheet, bool) {
	if len(columns(v)) == 0 {
		return sheet{}, false
	}
	s := sheet{caption: typeName(v)}
	for _, l := range leaves(v, "", 0, nil) {
		c := entry(l.value)
		c.number = false // one above the other, fields have nothing in common
		s.rows = append(s.rows, []cell{{text: l.name}, c})
	}
	return s, true
}

// recordsSheet lays out a slice of structs, one a row. Structs of several types have no columns in common.
func recordsSheet(v display.Value) (sheet, bool) {
	n := v.Len()
	shown := min(n, int(rowLimit.Load()))
	var labels []cell
	var values []display.Value
	for i := range shown {
		row := record(v.Index(i))
		if !ofOneType(row, record(v.Index(0))) {
			return sheet{}, false
		}
		labels, values = append(labels, cell{text: strconv.Itoa(i), number: true}), append(values, row)
	}
	s := structRows(labels, values)
	s.more = more(n - shown)
	s.caption = typeName(v) + ", " + words.Count(n, "row")
	return s, true
}

// structRows lays out structs of one type, and among them something else, one a row, after labels.
func structRows(labels []cell, values []display.Value) sheet {
	var g grid
	for _, v := range values {
		if v.Kind() == reflect.Struct {
			g.add(leaves(v, "", 0, nil))
		} else {
			g.rows = append(g.rows, nil)
		}
	}
	g.settle()
	s := sheet{head: []cell{{}}}
	for _, name := range g.names {
		s.head = append(s.head, cell{text: name})
	}
	for i, v := range values {
		row := []cell{labels[i]}
		if v.Kind() != reflect.Struct {
			s.rows = append(s.rows, append(row, entry(v)))
			continue
		}
		for _, name := range g.names {
			row = append(row, g.cell(i, name))
		}
		s.rows = append(s.rows, row)
	}
	alignPoints(s.rows)
	return s
}

// ofOneType reports whether what is a struct is one of the same type.
func ofOneType(v, of display.Value) bool {
	return v.Kind() != reflect.Struct || v.TypeName() == of.TypeName()
}

// mapsSheet lays out a slice of maps with string keys, one a row, and a column for each key of the shown ones, in order.
func mapsSheet(v display.Value) (sheet, bool) {
	n := v.Len()
	shown := min(n, int(rowLimit.Load()))
	var g grid
	for i := range shown {
		m := record(v.Index(i))
		if _, ok := partsOf(m); !ok || m.Kind() != reflect.Map {
			return sheet{}, false
		}
		g.add(leaves(m, "", 0, nil))
	}
	g.settle()
	s := sheet{head: []cell{{}}, caption: typeName(v) + ", " + words.Count(n, "row"), more: more(n - shown)}
	if len(g.names) == 0 {
		return sheet{}, false
	}
	slices.Sort(g.names)
	idx := ends(len(g.names), columnLimit.Load())
	for _, j := range idx {
		if j < 0 {
			s.head = append(s.head, cell{text: "…"})
		} else {
			s.head = append(s.head, cell{text: cut(g.names[j])})
		}
	}
	for i := range g.rows {
		cells := []cell{{text: strconv.Itoa(i), number: true}}
		for _, j := range idx {
			if j < 0 {
				cells = append(cells, cell{text: "…"})
			} else {
				cells = append(cells, g.cell(i, g.names[j]))
			}
		}
		s.rows = append(s.rows, cells)
	}
	alignPoints(s.rows)
	return s, true
}

// mapSheet lays out a map by its keys in order; structs of one type become columns.
func mapSheet(v display.Value) (sheet, bool) {
	keys := firstKeys(v, int(rowLimit.Load()))
	first := record(v.MapIndex(keys[0]))
	var s sheet
	if isRecord(first) {
		var labels []cell
		var values []display.Value
		for _, k := range keys {
			value := record(v.MapIndex(k))
			if !ofOneType(value, first) {
				return sheet{}, false
			}
			labels, values = append(labels, entry(k)), append(values, value)
		}
		s = structRows(labels, values)
	} else {
		for _, k := range keys {
			s.rows = append(s.rows, []cell{entry(k), entry(v.MapIndex(k))})
		}
		alignPoints(s.rows)
	}
	s.caption = typeName(v) + ", " + words.Count(v.Len(), "key")
	s.more = more(v.Len() - len(keys))
	return s, true
}

// rowsSheet lays out a slice of slices of numbers or strings.
func rowsSheet(v display.Value) (sheet, bool) {
	n := v.Len()
	s := sheet{}
	shown := min(n, int(rowLimit.Load()))
	widest := 0
	for i := range shown {
		r := bare(v.Index(i))
		if k := r.Kind(); k != reflect.Slice && k != reflect.Array {
			return sheet{}, false
		}
		widest = max(widest, r.Len())
		row := []cell{{text: strconv.Itoa(i), number: true}}
		for _, j := range ends(r.Len(), columnLimit.Load()) {
			if j < 0 {
				row = append(row, cell{text: "…"})
			} else {
				row = append(row, entry(r.Index(j)))
			}
		}
		s.rows = append(s.rows, row)
	}
	alignPoints(s.rows)
	s.more = more(n - shown)
	s.caption = fmt.Sprintf("%s, %s of up to %d", typeName(v), words.Count(n, "row"), widest)
	return s, true
}
