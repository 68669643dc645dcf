package worker

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"sort"

	"gaucho/stdlib/display"
)

// What variables share is found by where it is: a slice has its elements at some addresses, up to its capacity, a map and a matrix
// are at one. Places that overlap make a region, which is written once. Variables whose regions overlap are written together.

// A place is where the elements of a slice are, a map, a matrix, or with no view a variable itself.
type place struct {
	lo, size, bytes uintptr // size is that of an element
	view            display.Value
	strided         bool // a part of a matrix with gaps
	owner           int  // the variable that leads there
}

func (p place) capacity() int { return int(p.bytes / max(p.size, 1)) }

// rawOf is the value that a view shows, as it is in memory.
func rawOf(v display.Value) reflect.Value {
	if in, ok := v.(interface{ Stored() reflect.Value }); ok {
		return in.Stored()
	}
	return reflect.Value{}
}

// variableAt is the place of the variable that p points to.
func variableAt(p any) place {
	v := bareValue(p)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return place{}
	}
	n := v.Type().Elem().Size()
	return place{lo: v.Pointer(), size: n, bytes: n}
}

func sliceAt(v display.Value) place {
	raw := rawOf(v)
	size := raw.Type().Elem().Size()
	return place{lo: raw.Pointer(), size: size, bytes: uintptr(raw.Cap()) * size, view: v}
}

// A memory is the places that variables lead to.
type memory struct {
	places []place
	owner  int
}

// enter takes down a place. Without a memory, or without bytes, there is nothing to be shared.
func (m *memory) enter(p place) {
	if m != nil && p.bytes > 0 {
		p.owner = m.owner
		m.places = append(m.places, p)
	}
}

// A region is memory that several places share.
type region struct {
	lo, hi uintptr
	places []place
	length int // of the slice that is written for it
	busy   bool
}

// shared are regions by address.
type shared []*region

// regions are the stretches of memory in which at least two places are.
func (m *memory) regions() shared {
	slices.SortStableFunc(m.places, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.lo, b.lo), cmp.Compare(b.bytes, a.bytes))
	})
	var all shared
	for _, p := range m.places {
		if n := len(all); n > 0 && p.lo < all[n-1].hi {
			r := all[n-1]
			r.hi, r.places = max(r.hi, p.lo+p.bytes), append(r.places, p)
			continue
		}
		all = append(all, &region{lo: p.lo, hi: p.lo + p.bytes, places: []place{p}})
	}
	return slices.DeleteFunc(all, func(r *region) bool { return len(r.places) == 1 })
}

// at is the region of a place, nil if that is not shared.
func (s shared) at(p place) *region {
	i := sort.Search(len(s), func(i int) bool { return s[i].hi > p.lo })
	if p.bytes == 0 || i == len(s) || s[i].lo > p.lo {
		return nil
	}
	return s[i]
}

// uniform reports whether a region can be written as one slice, map or matrix.
func (r *region) uniform() bool {
	first := r.places[0]
	for _, p := range r.places {
		if p.view == nil || p.strided || p.view.Kind() != first.view.Kind() || p.size != first.size || (p.lo-r.lo)%p.size != 0 {
			return false
		}
		if p.view.Kind() == reflect.Slice && rawOf(p.view).Type().Elem() != rawOf(first.view).Type().Elem() {
			return false
		}
	}
	return true
}

// piece is the name of what is written for a region, after it was written.
func (w *sourceWriter) piece(r *region) (name string, ok bool) {
	if name, ok = w.pieces[r]; ok {
		return name, true
	}
	if r.busy {
		return "", w.refuse("it holds itself")
	}
	if !r.uniform() {
		return "", w.refuse("it shares memory in a way that has no source, such as a slice of an array")
	}
	r.busy = true
	defer func() { r.busy = false }()
	text, ok := w.aside(func() bool { return w.region(r) })
	name = fmt.Sprintf("shared%d", len(w.lets))
	w.lets = append(w.lets, name+" := "+text+"; ")
	w.pieces[r] = name
	return name, ok
}

// region writes what a region holds.
func (w *sourceWriter) region(r *region) bool {
	v := r.places[0].view
	name, ok := w.typeName(v)
	if !ok {
		return false
	}
	switch v.Kind() {
	case reflect.Map:
		return w.entries(v, name)
	case reflect.Pointer:
		return w.matrix(rawOf(v), name)
	}
	whole := v
	for _, p := range r.places {
		end := int((p.lo-r.lo)/p.size) + p.view.Len()
		r.length = max(r.length, end)
		if p.lo == r.lo && end == r.length {
			whole = p.view
		}
	}
	if whole.Len() == r.length {
		return w.elements(whole, name)
	}
	return w.scattered(r)
}

// scattered writes a region of which no slice is the whole. What is between slices nobody can see, and is left out.
func (w *sourceWriter) scattered(r *region) bool {
	elements := make([]display.Value, r.length)
	elem := ""
	for _, p := range r.places {
		from := int((p.lo - r.lo) / p.size)
		for i := range p.view.Len() {
			elements[from+i] = p.view.Index(i)
		}
		if p.view.Len() > 0 && elem == "" {
			name, ok := w.typeName(p.view.Index(0))
			if !ok {
				return false
			}
			elem = name
		}
	}
	if r.length == 0 {
		return w.refuse("it shares memory that is still empty")
	}
	fmt.Fprintf(w, "func() []%s { x := make([]%[1]s, %d); ", elem, r.length)
	for i, e := range elements {
		if e == nil {
			continue
		}
		fmt.Fprintf(w, "x[%d] = ", i)
		if !w.value(e) {
			return false
		}
		w.WriteString("; ")
	}
	w.WriteString("return x }()")
	return true
}
