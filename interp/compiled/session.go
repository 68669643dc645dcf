package compiled

import (
	"context"
	"go/ast"
	"go/token"
	"go/types"

	"gaucho/interp/engine"
	"gaucho/interp/modules"
	"gaucho/interp/wire"
)

// A Session turns the parts of cells into the text of Go packages, one package a part, which import each other. Its
// methods are those of [engine.Engine]. It must not be used by several goroutines at a time.
type Session struct {
	builder   *Builder // its version is part of every package's name
	file      func(cell int) string
	pkg       *types.Package
	vars      map[*types.Var]*home
	exposed   map[*home]bool // variables that others than statements at the top level can see
	funcs     map[*types.Func]*line
	types     map[*types.TypeName]*typeHome
	users     map[any]map[any]bool     // of a type or line of functions, those that may mention it
	owners    map[*types.Struct]*pkg   // packages that hold the text of struct types
	structs   map[string][]*structHome // struct types without a name that have unexported fields, by the names of all fields
	mentions  map[any][]mention        // of generic functions and types, by what mentions them
	mentioned map[string]bool          // keys of these
	used      map[string]int           // how often a package that declares something was made, by its text
	engine.Undo
}

// A pkg is the package of one part.
type pkg struct {
	path    string
	generic map[string]bool // packages of libraries that its generic functions use, and those of the packages that it imports
}

// A home is where a name of the session lives: in which package, under which name.
type home struct {
	pkg  *pkg
	name string
	uses map[*types.TypeName]*typeHome // types of the session that its type mentions
}

// A typeHome is the newest form of a type of the session: a type to which a later cell gives a method is declared anew,
// with the same memory layout.
type typeHome struct {
	home
	obj     *types.TypeName
	methods map[*types.Func]bool
	spec    *ast.TypeSpec
	info    *types.Info
	fset    *token.FileSet
}

// A structHome is a struct type without a name, with the name under which later packages find it.
type structHome struct {
	home
	t *types.Struct
}

// A line is a function of the session through all its declarations, each of which has an object of its own.
type line struct{ newest *function }

// function is the newest form of what an object means, nil if it is no function of the session.
func (s *Session) function(obj *types.Func) *function {
	if l := s.funcs[obj]; l != nil {
		return l.newest
	}
	return nil
}

// A function is a form of a function or method of the session.
type function struct {
	home
	obj     *types.Func
	line    *line
	decl    *ast.FuncDecl
	plain   bool // the declaration of a method has the receiver as first parameter
	info    *types.Info
	fset    *token.FileSet
	text    string // of the declaration, to know it when it comes again
	deps    map[*line]bool
	calls   map[*types.Func]bool
	dynamic bool    // calls functions that are only known when it runs
	sig     string  // see qualified
	layout  string  // see qualified
	older   []older // forms that values still refer to
}

type older struct {
	home
	obj         *types.Func
	sig, layout string
}

// newSession returns a session that has made nothing yet. file is the file that a cell's code sees itself in.
func newSession(b *Builder, file func(cell int) string) *Session {
	return &Session{
		builder: b, file: file, vars: map[*types.Var]*home{}, exposed: map[*home]bool{}, funcs: map[*types.Func]*line{}, types: map[*types.TypeName]*typeHome{},
		users: map[any]map[any]bool{}, owners: map[*types.Struct]*pkg{}, mentions: map[any][]mention{}, mentioned: map[string]bool{}, used: map[string]int{}, structs: map[string][]*structHome{},
	}
}

// Build compiles a unit's package.
func (s *Session) Build(ctx context.Context, u *wire.Unit, tell func(what string)) error {
	return s.builder.Build(ctx, u, tell)
}

// Part makes the package of one part. When it returns an error, the session is as before.
func (s *Session) Part(p *engine.Part) (unit *engine.Unit, err error) {
	mark := s.Snapshot()
	e := newEmitter(s, p)
	defer func() {
		if r := recover(); r != nil {
			refused, ok := r.(engine.Refusal)
			if !ok {
				panic(r)
			}
			s.Rollback(mark)
			unit, err = nil, engine.Refusals{refused}
		}
	}()
	return e.run(), nil
}

// Ready reports that a package of a module comes along with the first part that imports it.
func (s *Session) Ready(*modules.Package) bool { return true }
