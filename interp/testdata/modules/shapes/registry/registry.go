// Package registry keeps names.
package registry

import "sync"

var (
	mu    sync.Mutex
	names = []string{"first"}
)

// Add adds a name.
func Add(name string) {
	mu.Lock()
	defer mu.Unlock()
	names = append(names, name)
}

// Names are all names.
func Names() []string { return names }
