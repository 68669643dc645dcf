package check

import (
	"go/types"
	"maps"

	"gaucho/interp/cell"
)

// An Entity is one live name of a session.
type Entity struct {
	Obj  types.Object
	Cell int    // that declared it
	Text string // source of its declaration; for a variable, of the statement
	Doc  string // the comment above it
	// Uses are the objects of earlier declarations that a function or type was checked against.
	Uses map[types.Object]bool
	// Methods are the sources of a type's methods, by name.
	Methods    map[string]*cell.Piece
	MethodUses map[string]map[types.Object]bool // the same for the methods, by name
	// resolved are the meanings of the names in a type's text, to know later whether equal text is the equal type.
	resolved map[string]types.Object
}

// A Scope holds what the names of a session mean.
type Scope struct {
	Names   map[string]*Entity
	Imports map[string]string // local name -> import path
}

func NewScope() *Scope {
	return &Scope{Names: map[string]*Entity{}, Imports: map[string]string{}}
}

func (s *Scope) Clone() *Scope {
	return &Scope{Names: maps.Clone(s.Names), Imports: maps.Clone(s.Imports)}
}

func (s *Scope) Live(name string) bool { return s.Names[name] != nil }

// declare gives name a new meaning; it hides an import of that name.
func (s *Scope) declare(name string, e *Entity) {
	s.Names[name] = e
	delete(s.Imports, name)
}

// bring makes an import known; it hides a declaration of that name.
func (s *Scope) bring(name, path string) {
	s.Imports[name] = path
	delete(s.Names, name)
}

// An Update is what a scope learns when a stage starts (step 0) and when each chunk of its body has finished.
type Update struct {
	imports  map[string]string
	Names    map[string]*Entity
	replaced [][2]types.Object // functions whose callers a new one takes over, with the new one
}

func (s *Scope) Apply(u Update) {
	for name, path := range u.imports {
		s.bring(name, path)
	}
	for name, e := range u.Names {
		s.declare(name, e)
	}
	for _, r := range u.replaced {
		for _, e := range s.Names {
			if e.Uses[r[0]] {
				e.Uses[r[1]] = true
			}
		}
	}
}
