// Package wire defines the messages between a kernel and the worker in which its cells run, and the frames that carry
// them over a pipe in either direction.
package wire

// A Unit is one part of a cell, lowered: Text is evaluated, then the function named Entry is called.
type Unit struct {
	Imports []string // import paths that Text uses and that the worker may not have loaded yet
	Text    string   `json:"-"`
	Entry   string   // empty when there is nothing to run
	Show    bool     // the entry reported result values
	Fails   bool     // the last of them is an error: it fails the cell when it is not nil, and is not shown
	// Object is a compiled part, Package its import path, and Files the cells that its lines are from. Archives are the
	// packages of modules that it needs, each after those that it imports. Text is then not sent.
	Object   []byte    `json:"-"`
	Package  string    `json:",omitempty"`
	Files    []int     `json:",omitempty"`
	Names    []string  `json:",omitempty"` // of these, where the code may ask for them; else they are /g0, /g1 ...
	Archives []Archive `json:",omitempty"`
	Timers   bool      `json:",omitempty"` // its code makes timers, or contexts with one
	Lines    []int     `json:",omitempty"` // of the statements of the top level, for a cell that is profiled
	// Builtin is set for what is not Go code: the name of a function of the worker that is called with Text ("shell").
	Builtin string `json:",omitempty"`
}

// An Archive is a compiled package of a module, in a file.
type Archive struct{ Path, File string }

// Run asks the worker to run a cell: its units in order, up to the first that fails. They are the cell's first part.
type Run struct {
	Cell   int    // unique number of the cell in the session; all output carries it
	Number int    // the number the user sees, In[Number]
	Types  []Type // descriptors of types that the units use and the worker does not know yet
	Units  []Unit
	More   bool `json:",omitempty"` // another part follows, as the answer to a [More]
	// Out is the number under which what the cell shows is kept for Out[Out], 0 for none.
	Out int `json:",omitempty"`
	// Worker is the generation of the worker that the cell was made for. It is not sent: another worker does not get it.
	Worker int `json:"-"`
	// Sources are those of the functions of the session's studies, by study.Study.Source.
	Sources map[string]Source `json:",omitempty"`
	Stdin   bool              // the cell may ask for input
	// Subshell says that it need not wait for others. Shared says that cells may come that run alongside it.
	Subshell bool `json:",omitempty"`
	Shared   bool `json:",omitempty"`
	// Program says that it is a whole program: a panic in a goroutine ends it.
	Program bool `json:",omitempty"`
	// Watch names variables to which the last unit's values are pointers: from now on [Look] finds them under these names.
	// The values are not shown.
	Watch []string `json:",omitempty"`
	// Pointers say, in place of the last unit's values, where compiled parts have left the pointers: package and name.
	Pointers [][2]string `json:",omitempty"`
	// Tests says what the last unit's values are, when they are test functions, benchmarks and examples to be run.
	Tests []Test `json:",omitempty"`
	// Match is the pattern of those and of their subtests, as go test -run has it.
	Match string `json:",omitempty"`
	// Short has testing.Short report true.
	Short bool `json:",omitempty"`
}

// A Source is what a study's function is made of.
type Source struct {
	Hash      string     // of its text and of all declarations, modules and parts of the library that it reaches
	Reads     []string   `json:",omitempty"` // the variables of the session whose values it reads
	Functions []Function `json:",omitempty"` // those that are part of the hash and hold no variables of their own
	Unknown   string     `json:",omitempty"` // why it cannot be known, with the cure
}

// A Function is one by the lines of the cell in which it stands, or with Cell 0 by its name.
type Function struct {
	Name      string
	Cell      int `json:",omitempty"`
	Line, End int `json:",omitempty"`
}

// Started says that a part of a cell is loaded and that what it declares is there. Its statements run from now on. Of a comm message it says
// that it is taken, and that what follows from it waits for other code.
type Started struct{ Cell int }

// More asks for the next part of a cell. The parts before have run.
type More struct{ Cell int }

// A Part answers More. When Error is set, there is none, and the cell fails with it.
type Part struct {
	Cell  int
	Types []Type
	Units []Unit
	More  bool   `json:",omitempty"`
	Error *Error `json:",omitempty"`
}

// A Test is a test function, a benchmark or an example, by its name. Output is what an example must print.
type Test struct {
	Name      string
	Output    string `json:",omitempty"`
	Unordered bool   `json:",omitempty"`
	Compiles  bool   `json:",omitempty"` // an example without an output, which is not run
}

// A Type is rt.Type with its references as numbers.
type Type struct {
	ID       int
	String   string
	Kind     uint
	Native   bool    `json:",omitempty"`
	Name     string  `json:",omitempty"`
	Path     string  `json:",omitempty"` // import path of the package that declares a named type
	Version  int     `json:",omitempty"`
	Elem     int     `json:",omitempty"`
	Key      int     `json:",omitempty"`
	Len      int     `json:",omitempty"`
	Dir      int     `json:",omitempty"`
	Fields   []Field `json:",omitempty"`
	Params   []int   `json:",omitempty"`
	Results  []int   `json:",omitempty"`
	Variadic bool    `json:",omitempty"`
	// Recursive is set for a type that contains itself without a struct type in between.
	Recursive bool  `json:",omitempty"`
	Methods   []Sig `json:",omitempty"`
	Iface     []Sig `json:",omitempty"`
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
	// Unit and Step say how far it came: units before Unit are complete, and of that one the chunks before Step, -1
	// when the part that it belongs to did not start.
	Unit, Step int
	Result     Bundle         `json:",omitzero"` // MIME bundle of the last expression's values; nil when there is none
	Metadata   map[string]any `json:",omitempty"`
	Error      *Error         `json:",omitempty"`
}

// An Error is what a cell failed with.
type Error struct {
	Name  string  // "runtime error", "Interrupt", "Exit", the error's type
	Value string  // the message in Go's words
	Trace []Frame `json:",omitempty"` // innermost first, frames of cells only
	Calls []Call  `json:",omitempty"` // of libraries, from where the error began to the cell, innermost first
	Code  int     `json:",omitempty"` // the exit status, when Name is "Exit"
	Lost  bool    `json:",omitempty"` // the worker is gone, and with it all variables
}

// A Frame is one place in a cell.
type Frame struct {
	Cell     int
	Line     int
	Column   int    `json:",omitempty"`
	Function string `json:",omitempty"` // empty for the cell's top level
	// Start says that the line is where the function starts, not where it was.
	Start bool `json:",omitempty"`
}

// A Call is one place in a library.
type Call struct {
	Function string // with its package's path, as Go's run time writes it
	File     string
	Line     int
}

// Stdout and Stderr are the streams of an Output. RawStdout and RawStderr are what the worker read from its own standard
// output and error, and LastWords is the latter where it looks as if the Go runtime had begun to say why it ends the
// process.
const (
	Stdout    = 1
	Stderr    = 2
	RawStdout = 3
	RawStderr = 4
	LastWords = 5
)

// Output is a piece of what a cell wrote.
type Output struct {
	Cell   int
	Stream int // Stdout, Stderr, RawStdout, RawStderr or LastWords
	Data   []byte
}

// A Display shows something, or with Update replaces what was shown under its ID.
type Display struct {
	Cell     int
	Data     Bundle
	Metadata map[string]any `json:",omitempty"`
	ID       string         `json:",omitempty"`
	Update   bool           `json:",omitempty"`
}

// Clear takes away what the cell has shown; with Wait, only when the next output comes.
type Clear struct {
	Cell int
	Wait bool
}

// An InputRequest asks the user for a line.
type InputRequest struct {
	Cell, ID int
	Prompt   string
	Password bool
}

// An InputReply is the user's line, or the reason why there is none.
type InputReply struct {
	ID    int
	Text  string
	Error string `json:",omitempty"`
}

// A Comm is a message of a comm, in either direction.
type Comm struct {
	Cell     int    // the cell whose code sent it, 0 from the front end
	Type     string // "open", "msg", "close"
	ID       string
	Target   string         `json:",omitempty"`
	Data     map[string]any `json:",omitempty"`
	Metadata map[string]any `json:",omitempty"`
	Buffers  [][]byte       `json:"-"`
}

// Interrupt asks the worker to stop a cell and the goroutines that it started.
type Interrupt struct{ Cell int }

// UsageRequest asks for a Usage.
type UsageRequest struct{}

// Usage is what the worker uses.
type Usage struct {
	Heap       uint64 // bytes of live and not yet collected objects
	Total      uint64 // bytes that the Go runtime holds from the operating system
	Stacks     uint64 // bytes of stacks
	Goroutines int
	GC         uint32 // collections so far
}

// Look asks what watched variables hold. The worker answers between cells, or while one runs when that comes to a check,
// which it may not in time.
type Look struct {
	ID    int
	Cell  int      // that runs, 0 for none
	Names []string // variables; one when Path is set
	Path  []Step   `json:",omitempty"` // to the part of the variable whose parts are asked for
	Parts bool     `json:",omitempty"` // of what Path leads to, else of the variables themselves
	// Source asks for plain data as Go expressions, which need [SourceImports]; there is no text for variables that hold something
	// else.
	Source bool `json:",omitempty"`
	// Closure, if it is not 0, has the expressions hold up to so many bytes, for the closure of a study's function.
	Closure int `json:",omitempty"`
	// Keep is a directory. With Source, variables that are too long for an expression are written into it, small ones first, up
	// to Limit bytes; their items have a File. While a cell runs the worker answers at once then, and maps stay closed.
	Keep  string `json:",omitempty"`
	Limit int64  `json:",omitempty"`
	// Files are what variables, in the order of Names, are read from. There is an item for each that was.
	Files []string `json:",omitempty"`
}

// SourceMark ends the names of SourceImports. It is that of names that no cell can have.
const SourceMark = "ǃ"

// SourceImports are what the expressions of a Look with Source are written with, in names that no cell can have.
const SourceImports = `import (
	valuebase64ǃ "encoding/base64"
	valuebinaryǃ "encoding/binary"
	valuemathǃ "math"
	valuematǃ "gonum.org/v1/gonum/mat"
	valuestringsǃ "strings"
	valuetimeǃ "time"
)
`

// A Step goes from a value to its part number Lo, or with Hi > Lo+1 narrows the next step to parts Lo to Hi-1.
type Step struct{ Lo, Hi int }

// Seen answers a Look.
type Seen struct {
	ID    int
	OK    bool // looked in time
	Items []Item
	// Live says that goroutines of cells run, so that what was seen may have changed already.
	Live bool
}

// An Item is what was seen of a variable or of a part of one.
type Item struct {
	Name string
	Type string
	Text string // short
	File string `json:",omitempty"` // that the value is in
	// With are variables whose values follow in Text, because they share memory with this one.
	With []string `json:",omitempty"`
	Why  string   `json:",omitempty"` // there is no Text that was asked for as source
	Part Step     // by which it was reached
	// Parts is how many parts can be asked for.
	Parts int
	// Size is about how much memory hangs on the value, in bytes, of variables only.
	Size int64
	Rest bool `json:",omitempty"` // there is more than Size
}

// Ready is the worker's first message: it takes requests from now on.
type Ready struct{ PID int }

// A Task is what the program that started the session asks of the studies that cells run. It comes before any cell.
type Task struct{ Data []byte }

// News is what the worker has to say of its [Task].
type News struct{ Data []byte }

// OverMemory reports that the worker uses more memory than it may. The kernel ends it.
type OverMemory struct{ Used, Limit uint64 }

// Shutdown asks the worker to end.
type Shutdown struct{}
