package worker

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"gaucho/interp/wire"
	"gaucho/stdlib/display"
)

// A sourced variable is one that is to be written as Go source.
type sourced struct {
	name string
	p    any
	text string
	size int64  // about how many bytes it holds
	why  string // it is not written
	long bool   // nor would it be if it shared nothing
}

// A sourcing writes variables as Go expressions, those that share memory together.
type sourcing struct {
	vars    []*sourced
	live    bool
	closure int
	regions shared
}

// writeSources writes variables. The item of one that is not written says why. With files, what is not written may be kept in a file,
// so that nothing that shares memory with it is written either; long are those that may, one of each that share.
func writeSources(vars []*sourced, live bool, closure int, files bool) (items []wire.Item, long []string) {
	s := &sourcing{vars: vars, live: live, closure: closure}
	m := &memory{}
	for i, v := range vars {
		m.owner = i
		m.enter(variableAt(v.p))
		s.write([]*sourced{v}, m)
		v.long = v.why != ""
	}
	if !files {
		m.places = slices.DeleteFunc(m.places, func(p place) bool { return vars[p.owner].why != "" })
	}
	s.regions = m.regions()
	for _, group := range s.groups() {
		if len(group) > 1 || s.shares(group[0]) {
			s.write(group, nil)
		}
		first := group[0]
		if first.why == "" {
			items = append(items, wire.Item{Name: first.name, With: names(group[1:]), Text: first.text, Size: first.size})
			continue
		}
		for _, v := range group {
			items = append(items, wire.Item{Name: v.name, Why: v.why})
		}
		if i := slices.IndexFunc(group, func(v *sourced) bool { return v.long }); i >= 0 {
			long = append(long, group[i].name)
		}
	}
	return items, long
}

func names(vars []*sourced) (list []string) {
	for _, v := range vars {
		list = append(list, v.name)
	}
	return list
}

// groups are the variables in sets that share memory.
func (s *sourcing) groups() (list [][]*sourced) {
	group := make([]int, len(s.vars)) // the first of the variables with which one is
	for i := range group {
		group[i] = i
	}
	for _, r := range s.regions {
		for _, p := range r.places {
			a, b := group[r.places[0].owner], group[p.owner]
			for i, g := range group {
				if g == a || g == b {
					group[i] = min(a, b)
				}
			}
		}
	}
	members := map[int][]*sourced{}
	for i, v := range s.vars {
		members[group[i]] = append(members[group[i]], v)
	}
	for _, first := range slices.Sorted(maps.Keys(members)) {
		list = append(list, members[first])
	}
	return list
}

// shares reports whether a variable leads to some memory in two ways.
func (s *sourcing) shares(v *sourced) bool {
	return slices.ContainsFunc(s.regions, func(r *region) bool { return s.vars[r.places[0].owner] == v })
}

// write writes variables as one expression, or says of each why not. With a memory, it finds out what they share.
func (s *sourcing) write(vars []*sourced, m *memory) {
	w := newSourceWriter(len(vars), s.live, s.closure)
	w.memory, w.shared = m, s.regions
	total := w.values
	types, values, ok := w.variables(vars)
	if !ok {
		for _, v := range vars {
			v.why = cmp.Or(v.why, w.why)
		}
		return
	}
	first := vars[0]
	first.size = int64(8 * (total - w.values))
	first.text = values[0]
	if len(w.lets) > 0 || len(vars) > 1 {
		first.text = "func() (" + strings.Join(types, ", ") + ") { " + strings.Join(w.lets, "") + "return " + strings.Join(values, ", ") + " }()"
	}
}

// variables writes the values of variables, with their types.
func (w *sourceWriter) variables(vars []*sourced) (types, values []string, ok bool) {
	defer func() {
		if r := recover(); r != nil { // it is torn because it is being written
			ok = w.refuse("it cannot be read: %v", r)
		}
	}()
	for _, v := range vars {
		if v.why != "" {
			return nil, nil, w.refuse("it shares memory with %s", v.name)
		}
		value, ok := w.aside(func() bool { return w.variable(v.p) })
		if !ok {
			return nil, nil, false
		}
		name, _ := w.typeName(display.ValueOf(v.p).Elem())
		types, values = append(types, name), append(values, value)
	}
	return types, values, true
}

// sources answers a look for plain data. It returns the names of variables that may be kept in files.
func (w *watched) sources(m *wire.Look, l looker, seen *wire.Seen) (long []string) {
	var vars []*sourced
	for _, name := range m.Names {
		w.mu.Lock()
		p := w.vars[name]
		w.mu.Unlock()
		if p != nil {
			vars = append(vars, &sourced{name: name, p: p})
		}
	}
	seen.Items, long = writeSources(vars, l.live, m.Closure, m.Keep != "")
	return long
}
