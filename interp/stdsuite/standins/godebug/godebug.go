// Package godebug stands in for the standard library's internal package of that name: no setting has a value.
package godebug

type Setting struct{ name string }

func New(name string) *Setting { return &Setting{name} }

func (s *Setting) Name() string       { return s.name }
func (s *Setting) Value() string      { return "" }
func (s *Setting) IncNonDefault()     {}
func (s *Setting) String() string     { return s.name + "=" }
func (s *Setting) Undocumented() bool { return false }
