// Package wire defines the messages between a kernel and the worker in which its cells run.
package wire

// A Unit is one part of a cell, lowered: Text is evaluated, then the function named Entry is called.
type Unit struct {
	Imports []string // import paths that Text uses and that the worker may not have loaded yet
	Text    string
	Entry   string // empty when there is nothing to run
	Show    bool   // the entry reported result values
}

// Run asks the worker to run a cell: its units in order, up to the first that fails.
type Run struct {
	Cell   int    // unique number of the cell in the session; all output carries it
	Number int    // the number the user sees, In[Number]
	Types  []Type // descriptors of types that the units use and the worker does not know yet
	Units  []Unit
	Stdin  bool // cells may ask for input
}

// A Type is rt.Type with its references as numbers.
type Type struct {
	ID       int
	String   string
	Kind     uint
	Native   bool    `json:",omitempty"`
	Name     string  `json:",omitempty"`
	Version  int     `json:",omitempty"`
	Elem     int     `json:",omitempty"`
	Key      int     `json:",omitempty"`
	Len      int     `json:",omitempty"`
	Dir      int     `json:",omitempty"`
	Fields   []Field `json:",omitempty"`
	Params   []int   `json:",omitempty"`
	Results  []int   `json:",omitempty"`
	Variadic bool    `json:",omitempty"`
	Methods  []Sig   `json:",omitempty"`
	Iface    []Sig   `json:",omitempty"`
}

// A Field is one field of a struct type.
type Field struct {
	Name     string
	Type     int
	Tag      string `json:",omitempty"`
	Embedded bool   `json:",omitempty"`
	Exported bool   `json:",omitempty"`
}

// A Sig is a method's name and signature key.
type Sig struct{ Name, Key string }

// Done says how a cell ended.
type Done struct {
	Cell int
	// Unit and Step tell how far it came: units before Unit are complete, and of that one the chunks before Step.
	Unit, Step int
	Result     map[string]any // MIME bundle of the last expression's values; nil when there is none
	Error      *Error
}

// An Error is what a cell failed with.
type Error struct {
	Name  string // "runtime error", "Interrupt", the error's type
	Value string
	Trace []Frame // innermost first, frames of cells only
	Lost  bool    // the worker is gone, and with it all variables
}

// A Frame is one place in a cell.
type Frame struct {
	Cell     int
	Line     int
	Column   int
	Function string // empty for the cell's top level
}
