package worker

import (
	"errors"
	"fmt"

	"gaucho/interp/rt"
	"gaucho/interp/rt/cell"
	"gaucho/interp/wire"
)

// OpenPlugin loads a plugin. The worker that is built with cgo sets it; others cannot.
var OpenPlugin func(file string) error

// natives runs compiled cells.
type natives struct {
	entries map[string]func() // by package
}

// load loads the plugin of a unit, unless that was done before, and returns its entry.
func (e *natives) load(u *wire.Unit) (func(), error) {
	if OpenPlugin == nil {
		return nil, errors.New("this worker cannot load compiled cells")
	}
	rt.SetNative(u.Package, u.Files)
	if entry := e.entries[u.Package]; entry != nil {
		return entry, nil
	}
	cell.Entry = nil
	if err := OpenPlugin(u.Plugin); err != nil {
		return nil, fmt.Errorf("the compiled cell cannot be loaded: %w", err)
	}
	if cell.Entry == nil {
		return nil, fmt.Errorf("the compiled cell %s has no entry", u.Package)
	}
	e.entries[u.Package] = cell.Entry
	return cell.Entry, nil
}
