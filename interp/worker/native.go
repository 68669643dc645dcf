package worker

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/traefik/yaegi/interp"

	"gaucho/interp/rt"
	"gaucho/interp/rt/cell"
	"gaucho/interp/wire"
)

// OpenPlugin loads a plugin. The worker that is built with cgo sets it; others cannot.
var OpenPlugin func(file string) error

// natives runs compiled cells.
type natives struct {
	entries  map[string]func()         // by package
	pointers map[string]map[string]any // to variables, by package and name
}

// load loads the plugin of a unit, unless that was done before, and returns its entry.
func (e *natives) load(u *wire.Unit) (func(), error) {
	if OpenPlugin == nil {
		return nil, errors.New("this worker cannot load compiled cells")
	}
	rt.SetNative(u.Package, u.Files)
	if e.entries[u.Package] == nil {
		cell.Entry, cell.Pointers = nil, nil
		if err := OpenPlugin(u.Plugin); err != nil {
			return nil, fmt.Errorf("the compiled cell cannot be loaded: %w", err)
		}
		if cell.Entry == nil {
			return nil, fmt.Errorf("the compiled cell %s has no entry", u.Package)
		}
		e.entries[u.Package], e.pointers[u.Package] = cell.Entry, cell.Pointers
	}
	return e.entries[u.Package], nil
}

// pointersTo are pointers to variables of compiled parts.
func (e *natives) pointersTo(list [][2]string) []any {
	var out []any
	for _, p := range list {
		out = append(out, e.pointers[p[0]][p[1]])
	}
	return out
}

// export makes what a compiled part offers known to the interpreter, as a package of the part's path. Its entry has run.
func (e *yaegiEngine) export(u *wire.Unit) error {
	table := map[string]reflect.Value{}
	for _, n := range u.Natives {
		v := cell.Exports[n.Name]
		switch {
		case v == nil:
			return fmt.Errorf("the compiled cell has no %s", n.Name)
		case n.Twin:
			if err := rt.AddTwin(reflect.TypeOf(v).Elem(), n.Type); err != nil {
				return err
			}
		default:
			f, err := rt.Reshape(v, n.Type)
			if err != nil {
				return fmt.Errorf("%s: %w", n.Name, err)
			}
			table[n.Name] = f
		}
	}
	cell.Exports = nil
	e.loaded[u.Package] = true
	return e.interp.Use(interp.Exports{u.Package + "/p": table})
}
