//go:build go1.26 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"fmt"
	"sync"
)

// A Loader links objects into the running program. There is one in a process; what it loads stays for ever.
type Loader struct {
	mu      sync.Mutex
	host    *host
	region  *region
	module  *moduledata
	symbols names             // functions and variables of loaded packages; see symbolKey
	loaded  map[string]bool   // packages
	files   map[string]uint32 // offsets of file names
	links   links
	hidden  string                   // begins the names of methods that reflection does not see
	shown   func(name string) string // of a type, to reflection; nil for what the compiler has written
	nfunc   uintptr                  // entries of ftab, the last of which is the end
}

var open = sync.OnceValues(func() (*Loader, error) {
	h, err := openHost()
	if err != nil {
		return nil, unsupported(err)
	}
	return &Loader{host: h, symbols: names{}, loaded: map[string]bool{}, files: map[string]uint32{}}, nil
})

// Open returns the process's loader. It reads the program's symbol table, of which it keeps an index.
func Open() (*Loader, error) { return open() }

// Supported reports why this program cannot load objects, nil if it can.
func Supported() error {
	_, err := open()
	return err
}

// HideMethods makes reflection take the methods whose names have a prefix, in packages that are loaded from now on, for methods that
// are not exported: Type.NumMethod does not count them. It sees those of a type that sort after all others alone. They satisfy interfaces
// as before.
func (l *Loader) HideMethods(prefix string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hidden = prefix
}

// ShowTypes makes reflection show the types of packages that are loaded from now on under the names that shown gives for those of
// the compiler, if they are shorter. Types with one name remain different types.
func (l *Loader) ShowTypes(shown func(name string) string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shown = shown
}

// OnExit has os.Exit call f with the status, whoever calls it. If f returns a function, os.Exit calls that one in the place of ending
// the process; it must not return or panic, nor end the goroutine, whose stack has os.Exit. It is called once.
func (l *Loader) OnExit(f func(code int) (leave func())) { l.host.onExit(f) }

// Load links the package with the given path, as it was given to the compiler with -p, into the program, and then runs its
// initializers. What it refers to must be in the program or have been loaded; if not, the error is a [*MissingError], and
// nothing has been loaded. A panic of an initializer is Load's.
//
// archive holds what the compiler has written, alone or with objects of the assembler. It may be changed after Load.
func (l *Loader) Load(path string, archive []byte) error {
	inits, err := l.link(path, archive)
	if err != nil {
		return fmt.Errorf("%s cannot be loaded: %w", path, err)
	}
	for _, f := range inits {
		funcAt[func()](f)()
	}
	return nil
}

// link does all of Load but run the initializers, whose addresses it returns.
func (l *Loader) link(path string, archive []byte) (inits []uintptr, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer func() {
		switch r := recover(); r {
		case nil:
		case errNumbered:
			err = errNumbered
		default:
			err = fmt.Errorf("the object file is damaged: %v", r)
		}
	}()
	if l.loaded[path] {
		return nil, fmt.Errorf("a package of that path is loaded")
	}
	objects, err := readArchive(archive)
	if err != nil {
		return nil, err
	}
	if err := l.reserve(); err != nil {
		return nil, err
	}
	l.host.types.packages[path] = true
	p, err := l.plan(path, objects)
	if err != nil {
		return nil, err
	}
	if err := p.place(); err != nil {
		return nil, err
	}
	if err := p.relocate(); err != nil {
		return nil, err
	}
	inits = p.initializers()
	return inits, p.publish()
}

// reserve makes the region and the module when the first package is loaded.
func (l *Loader) reserve() error {
	if l.region != nil {
		return nil
	}
	r, err := reserve(l.host.first.text, l.host.first.end)
	if err != nil {
		return err
	}
	md, err := newModule(r, l.host.first)
	if err != nil {
		return err
	}
	if err := l.startTables(r); err != nil {
		return err
	}
	l.host.register(md)
	l.host.coverFaults(r)
	l.region, l.module = r, md
	return nil
}
