package check

import (
	"fmt"
	"go/types"
	"maps"

	"gaucho/interp/cell"
	"gaucho/interp/engine"
)

// An Entity is one live name of a session.
type Entity struct {
	Obj  types.Object
	Cell int    // that declared it
	Text string // source of its declaration; for a variable, of the statement
	Doc  string // the comment above it
	// Written is the source of a type's declaration with its comments, and with the other types of its group.
	Written string
	// Uses are the objects of earlier declarations that a function or type was checked against.
	Uses map[types.Object]bool
	// Literals are the function literals in it that use nothing of a function around them.
	Literals []Literal
	// Methods are the sources of a type's methods, by name.
	Methods    map[string]*cell.Piece
	MethodUses map[string]map[types.Object]bool // the same for the methods, by name
	// resolved are the meanings of the names in a type's text, to know later whether equal text is the equal type.
	resolved map[string]types.Object
}

// A Scope holds what the names of a session mean. A mark of its past is taken before a cell is checked, and it goes back there: what the
// cell declares comes into being only when it runs.
type Scope struct {
	Names   map[string]*Entity
	Imports map[string]string // local name -> import path
	hidden  map[string]string // imports that declarations hide
	users   map[types.Object]map[*Entity]bool
	// Failed are the cells that declare a name and failed before they had declared it.
	Failed map[string]Failure
	engine.Undo
}

// A Failure is a cell that failed.
type Failure struct {
	Number int  // of the cell in the notebook
	Ran    bool // it compiled
}

func (f Failure) hint(name string) string {
	if f.Ran {
		return fmt.Sprintf("Cell [%d] declares %s, but failed before it came to that. Correct and run it.", f.Number, name)
	}
	return fmt.Sprintf("Cell [%d] declares %s, but did not compile. Correct and run it.", f.Number, name)
}

// NewScope returns the scope of a session in which no cell has run.
func NewScope() *Scope {
	return &Scope{Names: map[string]*Entity{}, Imports: map[string]string{}, hidden: map[string]string{}, users: map[types.Object]map[*Entity]bool{}, Failed: map[string]Failure{}}
}

// Clone returns a scope of its own, for code that never runs.
func (s *Scope) Clone() *Scope {
	out := NewScope()
	for name, e := range s.Names {
		out.swap(name, e)
	}
	out.Imports, out.hidden, out.Failed = maps.Clone(s.Imports), maps.Clone(s.hidden), s.Failed
	return out
}

// Live reports whether a cell has declared the name.
func (s *Scope) Live(name string) bool { return s.Names[name] != nil }

// declare gives name a new meaning; it hides an import of that name.
func (s *Scope) declare(name string, e *Entity) {
	s.set(name, e)
	delete(s.Failed, name)
	if path := s.Imports[name]; path != "" {
		engine.Set(&s.Undo, s.hidden, name, path)
		engine.Unset(&s.Undo, s.Imports, name)
	}
}

// Forget takes a name away, and has it mean again the package that it hid.
func (s *Scope) Forget(name string) {
	s.set(name, nil)
	if path := s.hidden[name]; path != "" {
		engine.Set(&s.Undo, s.Imports, name, path)
	}
}

// Mentioned reports whether a declaration mentions an object.
func (s *Scope) Mentioned(obj types.Object) bool {
	for _, e := range s.Names {
		for _, uses := range e.MethodUses {
			if uses[obj] {
				return true
			}
		}
	}
	return len(s.users[obj]) > 0
}

// bring makes an import known; it hides a declaration of that name.
func (s *Scope) bring(name, path string) {
	engine.Set(&s.Undo, s.Imports, name, path)
	s.set(name, nil)
}

// set gives name a meaning, or with nil none, until that is taken back.
func (s *Scope) set(name string, e *Entity) {
	old := s.swap(name, e)
	s.Note(func() { s.swap(name, old) })
}

func (s *Scope) swap(name string, e *Entity) (old *Entity) {
	if old = s.Names[name]; old != nil {
		for used := range old.Uses {
			delete(s.users[used], old)
		}
	}
	if e == nil {
		delete(s.Names, name)
		return old
	}
	s.Names[name] = e
	for used := range e.Uses {
		s.use(e, used)
	}
	return old
}

func (s *Scope) use(e *Entity, used types.Object) {
	if s.users[used] == nil {
		s.users[used] = map[*Entity]bool{}
	}
	s.users[used][e] = true
}

// An Update is what a scope learns when a stage starts (step 0) and when each chunk of its body has finished.
type Update struct {
	imports  map[string]string
	Names    map[string]*Entity
	replaced [][2]types.Object // functions whose callers a new one takes over, and variables that keep their storage, with the new one
}

// Apply makes what the update declares and imports known.
func (s *Scope) Apply(u Update) {
	for name, path := range u.imports {
		s.bring(name, path)
	}
	for name, e := range u.Names {
		s.declare(name, e)
	}
	for _, r := range u.replaced {
		for e := range s.users[r[0]] {
			e.Uses[r[1]] = true
			s.use(e, r[1])
		}
		for _, e := range s.Names {
			for _, uses := range e.MethodUses {
				if uses[r[0]] {
					uses[r[1]] = true
				}
			}
		}
	}
}
