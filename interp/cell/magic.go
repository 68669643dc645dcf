package cell

import (
	cryptorand "crypto/rand"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// A Magic is a line of a cell that is not Go: %name arguments. Names and meaning are IPython's where it has them.
type Magic struct {
	name    string
	usage   string // arguments
	doc     string // one sentence
	cell    bool   // %%name: takes the rest of the cell
	builtin string // names what the worker does with the arguments
	session bool   // the session answers it
	shell   bool   // refused where the shell is off
	alone   bool   // the cell must hold nothing else
}

var Magics = map[string]*Magic{}

func init() {
	for _, m := range []*Magic{
		{name: "%time", usage: "statement", doc: "Runs a statement and prints how long it took; as %%time the whole cell."},
		{name: "%timeit", usage: "statement", doc: "Benchmarks a statement as go test -bench does, and takes off what an empty loop costs: ns/op, B/op, allocs/op; as %%timeit the whole cell."},
		{name: "%who", doc: "Lists the session's variables, functions and types.", session: true},
		{name: "%del", usage: "name ...", doc: "Forgets names of the session: packages and built-in functions that they hide mean again what they did.", session: true, alone: true},
		{name: "%whos", doc: "Lists the variables with their types, sizes and values, the largest first.", session: true, alone: true},
		{name: "%bench", usage: "statement", doc: "Benchmarks a statement ten times and prints the median with its confidence interval, and the change since the last time; as %%bench [name] the whole cell, compared under that name."},
		{name: "%ps", usage: "[-stop N | -stop N.M ...]", doc: "Lists the goroutines that earlier cells left running; -stop 3 stops those of cell 3, -stop 3.2 a single one.", builtin: "ps"},
		{name: "%figure", usage: "[width height] [scale=s]", doc: "Sets the default size of figures, such as 12cm 8cm, and the resolution of PNGs relative to the screen.", builtin: "figure"},
		{name: "%precision", usage: "[digits]", doc: "Sets the number of digits of floating-point numbers in results, from 1 to 17; without an argument restores the default.", builtin: "precision"},
		{name: "%show", usage: "expression", doc: "Shows a whole value, however long; must be the last line of its cell."},
		{name: "%fmt", usage: "[on|off]", doc: "Formats the cell with gofmt when it runs; %fmt on does so for every later cell.", session: true},
		{name: "%test", usage: "[pattern]", doc: "Runs the session's functions TestX, BenchmarkX and ExampleX whose names match, as go test -v does; the cell fails if one fails.", session: true, alone: true},
		{name: "%stale", doc: "Lists the cells whose results are out of date because something that they use was declared again or changed.", session: true},
		{name: "%rerun", doc: "Runs the stale cells again, in order.", session: true, alone: true},
		{name: "%get", usage: "[-f] module[@version] ...", doc: "Adds modules to the session, fetched with your own Go configuration; -f replaces imported versions, which starts a new worker.", session: true},
		{name: "%reset", usage: "[-f]", doc: "Forgets all names and starts a new worker, without asking, with or without -f.", session: true, alone: true},
		{name: "%replay", doc: "Runs the session's imports and declarations of types, constants and functions again, and restores plain data after a worker was lost.", session: true, alone: true},
		{name: "%env", usage: "[name[=value]]", doc: "Shows or sets environment variables of cells.", builtin: "env"},
		{name: "%cd", usage: "[directory]", doc: "Changes the working directory of cells: to the home directory without an argument, back with -.", builtin: "cd"},
		{name: "%load", usage: "file", doc: "Puts the text of a file into the cell.", session: true},
		{name: "%doc", usage: "name", doc: "Shows the documentation of a package, function, type, method or variable.", session: true},
		{name: "%magics", doc: "Lists the magics.", session: true},
		{name: "%%bash", doc: "Runs the cell in bash.", cell: true, builtin: "bash", shell: true},
		{name: "%%sh", doc: "Runs the cell in sh.", cell: true, builtin: "shell", shell: true},
		{name: "%%capture", usage: "[name]", doc: "Runs the cell without showing its output; a variable of that name gets what it printed.", cell: true},
		{name: "%%compile", doc: "Obsolete: runs the cell like any other, since the native engine compiles every cell.", cell: true},
		{name: "%%prof", doc: "Profiles the cell: time by line, and flame graphs of the compiled functions that it calls, by processor time and by memory.", cell: true},
		{name: "%%writefile", usage: "[-a] file", doc: "Writes the rest of the cell to a file; -a appends.", cell: true, builtin: "writefile"},
	} {
		Magics[m.name] = m
	}
}

// A MagicCall is a magic in a cell, with its arguments.
type MagicCall struct {
	Builtin string // of the worker
	Session string // name of the magic that the session answers; else empty
	Arg     string
	Done    bool // the session has answered it ahead of the cell
	alone   bool // in its cell
}

func (m *Magic) call(arg string) *MagicCall {
	c := &MagicCall{Builtin: m.builtin, Arg: arg, alone: m.alone}
	if m.session {
		c.Session = m.name
	}
	return c
}

func builtinChunk(at int, name, arg string) Chunk {
	return Chunk{Kind: MagicChunk, Start: at, End: at, call: &MagicCall{Builtin: name, Arg: arg}}
}

type expander struct{ noShell bool }

// expand turns the magics among the chunks into calls and, where they hold Go, into Go chunks. With noShell, commands of
// the shell are refused. A cell that only asks for the description of a name is a %doc.
func (t Text) expand(noShell bool) ([]Chunk, []Problem) {
	e, src := expander{noShell}, t.Source
	if name, _, ok := Question(src); ok { // a kernel shows the answer in the client's pager
		return []Chunk{{Kind: MagicChunk, Start: 0, End: len(src), call: Magics["%doc"].call(name)}}, nil
	}
	if at := len(src) - len(strings.TrimLeft(src, " \t\n")); strings.HasPrefix(src[at:], "%%") {
		return e.expandCellMagic(src, at)
	}
	var out []Chunk
	for _, c := range t.chunks {
		if c.Kind != MagicChunk {
			out = append(out, c)
			continue
		}
		more, p := e.expandLine(src, c)
		if p != nil {
			return nil, []Problem{*p}
		}
		if more[0].call != nil && more[0].call.alone && len(t.chunks) > 1 {
			return nil, []Problem{*problemAt(src, c.Start, "this magic must be alone in its cell")}
		}
		out = append(out, more...)
	}
	return out, nil
}

// expandLine turns one magic line into chunks.
func (e expander) expandLine(src string, c Chunk) ([]Chunk, *Problem) {
	text := strings.TrimRight(src[c.Start:c.End], " \t\n")
	if strings.HasPrefix(text, "!!") {
		return nil, problemAt(src, c.Start, "a command begins with one !")
	}
	if cmd, ok := strings.CutPrefix(text, "!"); ok {
		if e.noShell {
			return nil, problemAt(src, c.Start, "%s", noShell())
		}
		return []Chunk{builtinChunk(c.Start, "shell", strings.ReplaceAll(cmd, "\\\n", "\n"))}, nil
	}
	name, arg, _ := strings.Cut(text, " ")
	rest := c.Start + len(name)
	m := Magics[name]
	switch {
	case m == nil || m.cell:
		return nil, unknownMagic(src, c.Start, name)
	case strings.TrimSpace(arg) == "-h" || strings.TrimSpace(arg) == "--help":
		return []Chunk{builtinChunk(c.Start, "print", m.Help())}, nil
	case m.wrong(strings.TrimSpace(arg)) != "":
		return nil, problemAt(src, c.Start, "%s", m.wrong(strings.TrimSpace(arg)))
	case name == "%time":
		return timed(src[:c.Start+len(text)], rest, c.Start), nil
	case name == "%show":
		return shown(src[:c.Start+len(text)], rest, c.Start), nil
	case name == "%timeit":
		return benchmark(rest, c.Start+len(text)), nil
	case name == "%bench":
		return repeated(rest, c.Start+len(text), ""), nil
	}
	return []Chunk{{Kind: MagicChunk, Start: c.Start, End: c.End,
		call: m.call(strings.TrimSpace(arg))}}, nil
}

// expandCellMagic turns a cell that begins with %%name into chunks.
func (e expander) expandCellMagic(src string, at int) ([]Chunk, []Problem) {
	line, body, _ := strings.Cut(src[at:], "\n")
	name, arg, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest := at + len(line)
	m := Magics[name]
	if m == nil && Magics[name[1:]] != nil && (name == "%%time" || name == "%%timeit" || name == "%%bench") {
		m = Magics[name[1:]]
	}
	switch {
	case name == "%%":
		return nil, []Problem{*problemAt(src, at, "%%%% needs the name of a magic; %%magics lists those that there are")}
	case m == nil:
		return nil, []Problem{*unknownMagic(src, at, name)}
	case strings.TrimSpace(arg) == "-h" || strings.TrimSpace(arg) == "--help":
		return []Chunk{builtinChunk(at, "print", m.Help())}, nil
	case m.shell && e.noShell:
		return nil, []Problem{*problemAt(src, at, "%s", noShell())}
	case strings.TrimSpace(body) == "" && name != "%%writefile":
		return nil, []Problem{*problemAt(src, at, "%s needs the lines of its cell below it", name)}
	case name != "%%bash" && name != "%%sh" && flagOf(arg) != "" && !m.takes(flagOf(arg)):
		return nil, []Problem{*problemAt(src, at, "%s", m.noFlag(name, flagOf(arg)))}
	case name == "%%time":
		out, problems := e.between(src, at, rest, "time", "")
		return append(out, builtinChunk(len(src), "timed", "")), problems
	case name == "%%timeit":
		return benchmark(rest, len(src)), nil
	case name == "%%capture":
		return e.captured(src, at, rest, strings.TrimSpace(arg))
	case name == "%%compile":
		return e.between(src, at, rest, "print", "Note: %%compile has no meaning any more: sessions of the native engine compile every cell.\n")
	case name == "%%prof":
		out, problems := e.between(src, at, rest, "prof", src)
		return append(out, builtinChunk(len(src), "profiled", "")), problems
	case name == "%%bench":
		return repeated(rest, len(src), strings.TrimSpace(arg)), nil
	case name == "%%writefile":
		if strings.TrimSpace(arg) == "" {
			return nil, []Problem{*problemAt(src, at, "%%%%writefile needs the name of a file")}
		}
		if body != "" && !strings.HasSuffix(body, "\n") {
			body += "\n"
		}
		body = strings.TrimSpace(arg) + "\n" + body
	}
	return []Chunk{builtinChunk(at, m.builtin, body)}, nil
}

// shown is the Go code of src from offset rest on, whose value is shown whole.
func shown(src string, rest, at int) []Chunk {
	out := []Chunk{builtinChunk(at, "whole", "")}
	for _, c := range Split(src[rest:]) {
		c.Start, c.End = c.Start+rest, c.End+rest
		out = append(out, c)
	}
	return out
}

// timed puts the Go code of src from offset rest on between the start and the stop of a clock.
func timed(src string, rest, at int) []Chunk {
	out := []Chunk{builtinChunk(at, "time", "")}
	for _, c := range Split(src[rest:]) {
		c.Start, c.End = c.Start+rest, c.End+rest
		out = append(out, c)
	}
	return append(out, builtinChunk(len(src), "timed", ""))
}

// benchmarkHead begins a function literal that repeats statements. It must not be inside of a function that is called where
// it is written: the compiler leaves it unoptimised there.
const benchmarkHead = "func(bǃ *testing.B) { bǃ.ReportAllocs(); for range bǃ.N {"

// benchmark is the Go code from start to end as the body of a benchmark, after one whose body is empty, between the builtins
// that set it up and that print what came of it.
func benchmark(start, end int) []Chunk {
	code := Chunk{Kind: StmtChunk, Start: start, End: end,
		Before: "[]testing.BenchmarkResult{testing.Benchmark(" + benchmarkHead + "}}), testing.Benchmark(" + benchmarkHead,
		After:  "\n}})}", Prints: true}
	return []Chunk{builtinChunk(start, "bench", timeitTime), code, builtinChunk(end, "timedit", "")}
}

// timeitTime is how long each of the two takes, about.
const timeitTime = "500ms"

// captured is the Go code of src from offset rest on, whose output is kept from the user, and for a name a variable of that
// name with what it printed.
func (e expander) captured(src string, at, rest int, name string) ([]Chunk, []Problem) {
	if name != "" && !token.IsIdentifier(name) {
		return nil, []Problem{*problemAt(src, at, "%%capture: %q is no name of a variable", name)}
	}
	file := ""
	if name != "" {
		file = filepath.Join(os.TempDir(), "gaucho-"+cryptorand.Text())
	}
	out, problems := e.between(src, at, rest, "capture", strings.TrimSpace(file+"\n"+name))
	if problems != nil {
		return nil, problems
	}
	out = append(out, builtinChunk(len(src), "captured", ""))
	if name != "" {
		out = append(out, Chunk{Kind: StmtChunk, Start: len(src), End: len(src), Before: Captured(name, file), ours: true})
	}
	return out, nil
}

// Captured is the Go statement that gives a variable the text of a file, which it removes.
func Captured(name, file string) string {
	return fmt.Sprintf("%s := func() string { dataǃ, _ := os.ReadFile(%q); os.Remove(%q); return string(dataǃ) }()", name, file, file)
}

// between is a builtin and the rest of the cell after it, with its magics.
func (e expander) between(src string, at, rest int, builtin, arg string) ([]Chunk, []Problem) {
	out := []Chunk{builtinChunk(at, builtin, arg)}
	for _, c := range Split(src[rest:]) {
		c.Start, c.End = c.Start+rest, c.End+rest
		if c.Kind != MagicChunk {
			out = append(out, c)
			continue
		}
		more, p := e.expandLine(src, c)
		if p != nil {
			return nil, []Problem{*p}
		}
		if more[0].call != nil && more[0].call.alone {
			return nil, []Problem{*problemAt(src, c.Start, "this magic must be alone in its cell")}
		}
		out = append(out, more...)
	}
	return out, nil
}

// BenchTime is how long one of the repetitions of %%bench takes, about.
var BenchTime = "100ms"

// repeated is the Go code from start to end as the body of a benchmark that runs ten times, between the builtins that set
// it up and that print what came of it.
func repeated(start, end int, name string) []Chunk {
	code := Chunk{Kind: StmtChunk, Start: start, End: end,
		Before: "func(fǃ func(*testing.B)) (rsǃ []testing.BenchmarkResult) { for range 10 { rsǃ = append(rsǃ, testing.Benchmark(fǃ)) }; return }(" + benchmarkHead,
		After:  "\n}})"}
	return []Chunk{builtinChunk(start, "bench", BenchTime), code, builtinChunk(end, "benched", name)}
}

// Help returns how the magic is written and what it does, as %magics lists it.
func (m *Magic) Help() string {
	return strings.TrimSpace(m.name+" "+m.usage) + "\n    " + m.doc + "\n"
}

// noShell says why there is no shell.
func noShell() string {
	if runtime.GOOS == "js" {
		return "a browser has no shell and no subprocesses"
	}
	return "the shell is switched off in this session"
}
