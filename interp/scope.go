package interp

import (
	"go/types"
	"maps"
)

// An entity is one live name of a session.
type entity struct {
	obj  types.Object
	cell int    // that declared it
	text string // source of its declaration; for a variable, of the statement
	doc  string // the comment above it
	// uses are the objects of earlier declarations that a function or type was checked against.
	uses map[types.Object]bool
	// methods are the sources of a type's methods, by name.
	methods    map[string]*piece
	methodUses map[string]map[types.Object]bool // the same for the methods, by name
	// resolved are the meanings of the names in a type's text, to know later whether equal text is the equal type.
	resolved map[string]types.Object
}

// A scope holds what the names of a session mean.
type scope struct {
	names   map[string]*entity
	imports map[string]string // local name -> import path
}

func newScope() *scope {
	return &scope{names: map[string]*entity{}, imports: map[string]string{}}
}

func (s *scope) clone() *scope {
	return &scope{names: maps.Clone(s.names), imports: maps.Clone(s.imports)}
}

func (s *scope) live(name string) bool { return s.names[name] != nil }

// declare gives name a new meaning; it hides an import of that name.
func (s *scope) declare(name string, e *entity) {
	s.names[name] = e
	delete(s.imports, name)
}

// bring makes an import known; it hides a declaration of that name.
func (s *scope) bring(name, path string) {
	s.imports[name] = path
	delete(s.names, name)
}

// An update is what a scope learns when a stage starts (step 0) and when each chunk of its body has finished.
type update struct {
	imports  map[string]string
	names    map[string]*entity
	replaced [][2]types.Object // functions whose callers a new one takes over, with the new one
}

func (s *scope) apply(u update) {
	for name, path := range u.imports {
		s.bring(name, path)
	}
	for name, e := range u.names {
		s.declare(name, e)
	}
	for _, r := range u.replaced {
		for _, e := range s.names {
			if e.uses[r[0]] {
				e.uses[r[1]] = true
			}
		}
	}
}
