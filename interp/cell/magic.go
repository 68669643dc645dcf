package cell

import (
	"maps"
	"slices"
	"strings"
)

// A Magic is a line of a cell that is not Go: %name arguments. Names and meaning are IPython's where it has them.
type Magic struct {
	name    string
	usage   string    // arguments
	doc     string    // one sentence
	cell    bool      // %%name alone: takes the rest of the cell
	builtin string    // names what the worker does with the arguments
	session bool      // the session answers it
	shell   bool      // refused where the shell is off
	alone   bool      // the cell must hold nothing else
	code    bool      // its argument is Go
	empty   bool      // its cell may hold nothing else
	line    expansion // what becomes of %name; nil means a call of the builtin or the session
	whole   expansion // what becomes of a cell that begins with %%name; nil means a call of the builtin with the rest of the cell
}

// magics are all of them, by name.
var magics = map[string]*Magic{}

func init() { // what they become refers to the table
	for _, m := range []*Magic{
		{name: "%time", usage: "statement", doc: "Runs a statement and prints how long it took; as %%time the whole cell.", line: timedLine, whole: timedCell, code: true},
		{name: "%timeit", usage: "statement", doc: "Benchmarks a statement as go test -bench does, and takes off what an empty loop costs: ns/op, B/op, allocs/op; as %%timeit the whole cell.", line: benchmark, whole: benchmark, code: true},
		{name: "%who", doc: "Lists the session's variables, functions and types.", session: true},
		{name: "%del", usage: "name ...", doc: "Forgets names of the session: packages and built-in functions that they hide mean again what they did.", session: true, alone: true},
		{name: "%whos", doc: "Lists the variables with their types, sizes and values, the largest first.", session: true, alone: true},
		{name: "%bench", usage: "statement", doc: "Benchmarks a statement ten times and prints the median with its confidence interval, and the change since the last time; as %%bench [name] the whole cell, compared under that name.", line: repeated, whole: repeated, code: true},
		{name: "%ps", usage: "[-stop N | -stop N.M ...]", doc: "Lists the goroutines that earlier cells left running; -stop 3 stops those of cell 3, -stop 3.2 a single one.", builtin: "ps"},
		{name: "%figure", usage: "[width height] [scale=s]", doc: "Sets the default size of figures, such as 12cm 8cm, and the resolution of PNGs relative to the screen.", builtin: "figure"},
		{name: "%precision", usage: "[digits]", doc: "Sets the number of digits of floating-point numbers in results, from 1 to 17; without an argument restores the default.", builtin: "precision"},
		{name: "%show", usage: "expression", doc: "Shows a whole value, however long; must be the last line of its cell.", line: shown, code: true},
		{name: "%fmt", usage: "[on|off]", doc: "Formats the cell with gofmt when it runs; %fmt on does so for every later cell.", session: true},
		{name: "%test", usage: "[-short] [pattern]", doc: "Runs the session's functions TestX, BenchmarkX and ExampleX whose names match, as go test -v does, with -short as there; the cell fails if one fails.", session: true, alone: true},
		{name: "%stale", doc: "Lists the cells whose results are out of date because something that they use was declared again or changed.", session: true},
		{name: "%rerun", doc: "Runs the stale cells again, in order.", session: true, alone: true},
		{name: "%get", usage: "[-f] module[@version] ...", doc: "Adds modules to the session, fetched with your own Go configuration; -f replaces imported versions, which starts a new worker.", session: true},
		{name: "%reset", usage: "[-f]", doc: "Forgets all names and starts a new worker, without asking, with or without -f.", session: true, alone: true},
		{name: "%replay", doc: "Runs the session's imports and declarations of types, constants and functions again, and restores plain data after a worker was lost.", session: true, alone: true},
		{name: "%env", usage: "[name[=value]]", doc: "Shows or sets environment variables of cells.", builtin: "env"},
		{name: "%cd", usage: "[directory]", doc: "Changes the working directory of cells: to the home directory without an argument, back with -.", builtin: "cd"},
		{name: "%load", usage: "file", doc: "Puts the text of a file into the cell.", session: true},
		{name: "%doc", usage: "name", doc: "Shows the documentation of a package, function, type, method or variable, and a line for each thing that a package or a type has.", session: true, code: true},
		{name: "%magics", doc: "Lists the magics.", session: true},
		{name: "%main", doc: "Does nothing, nor does %% on a line of its own: statements run as they are. In GoNB it begins the function main.", line: nothing},
		{name: "%%bash", doc: "Runs the cell in bash.", cell: true, builtin: "bash", shell: true},
		{name: "%%sh", doc: "Runs the cell in sh.", cell: true, builtin: "shell", shell: true},
		{name: "%%capture", usage: "[name]", doc: "Runs the cell without showing its output; a variable of that name gets what it printed.", cell: true, whole: captured},
		{name: "%%compile", doc: "Obsolete: runs the cell like any other, since the native engine compiles every cell.", cell: true, whole: obsolete},
		{name: "%%prof", doc: "Profiles the cell: time by line, and flame graphs of the compiled functions that it calls, by processor time and by memory.", cell: true, whole: profiled},
		{name: "%%writefile", usage: "[-a] file", doc: "Writes the rest of the cell to a file; -a appends.", cell: true, builtin: "writefile", whole: written, empty: true},
	} {
		magics[m.name] = m
	}
}

// MagicNames returns the names of the magics, sorted, those of whole cells with %%.
func MagicNames() []string { return slices.Sorted(maps.Keys(magics)) }

// MagicNamed returns the magic with a name, nil if there is none.
func MagicNamed(name string) *Magic { return magics[name] }

// Code reports whether the magic's argument is Go.
func (m *Magic) Code() bool { return m.code }

// Session reports whether the session answers the magic.
func (m *Magic) Session() bool { return m.session }

// Builtin is what the worker does for the magic, "" if it needs more than that.
func (m *Magic) Builtin() string { return m.builtin }

// Help returns how the magic is written and what it does, as %magics lists it.
func (m *Magic) Help() string {
	return strings.TrimSpace(m.name+" "+m.usage) + "\n    " + m.doc + "\n"
}
