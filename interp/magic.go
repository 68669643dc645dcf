package interp

import (
	"context"
	cryptorand "crypto/rand"
	"fmt"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gaucho/interp/wire"
)

// A magic is a line of a cell that is not Go: %name arguments. Names and meaning are IPython's where it has them.
type magic struct {
	name  string
	usage string // arguments
	doc   string // one sentence
	cell  bool   // %%name: takes the rest of the cell
	// builtin names what the worker does with the arguments; action is what the front end does.
	builtin string
	action  func(s *Session, ctx context.Context, c Cell, arg string) *wire.Error
	shell   bool // refused where the shell is off
	alone   bool // the cell must hold nothing else
}

var magics = map[string]*magic{}

func init() {
	for _, m := range []*magic{
		{name: "%time", usage: "statement", doc: "Runs a statement and prints how long it took; as %%time the whole cell."},
		{name: "%timeit", usage: "statement", doc: "Benchmarks a statement as go test -bench does: ns/op, B/op, allocs/op; as %%timeit the whole cell."},
		{name: "%who", doc: "Lists the session's variables, functions and types.", action: (*Session).who},
		{name: "%whos", doc: "Lists the variables with their types, sizes and values, the largest first.", action: (*Session).whos, alone: true},
		{name: "%bench", usage: "statement", doc: "Benchmarks a statement ten times: the median, its spread, and how it compares with the last time; as %%bench [name] the whole cell, compared under that name."},
		{name: "%ps", usage: "[-stop N | -stop N.M ...]", doc: "Lists the goroutines that cells have left behind, with their numbers; -stop 3 ends those of cell 3, -stop 3.2 that one alone.", builtin: "ps"},
		{name: "%figure", usage: "[width height] [scale=s]", doc: "Sets the size of figures, as 12cm 8cm, and how many pixels of a PNG go to one of the screen.", builtin: "figure"},
		{name: "%test", usage: "[pattern]", doc: "Runs the session's functions TestX, BenchmarkX and ExampleX whose names match, as go test -v does; the cell fails if one fails.", action: (*Session).testMagic, alone: true},
		{name: "%stale", doc: "Lists the cells that ran before something they use was declared again or changed.", action: (*Session).staleMagic},
		{name: "%rerun", doc: "Runs the stale cells again, in order.", action: (*Session).rerunMagic, alone: true},
		{name: "%get", usage: "[-f] module[@version] ...", doc: "Adds modules to the session, by the user's Go configuration; -f also where that needs a new worker.", action: (*Session).getMagic},
		{name: "%reset", usage: "[-f]", doc: "Forgets all names and starts a new worker; it does not ask, with or without -f.", action: (*Session).resetMagic, alone: true},
		{name: "%replay", doc: "Runs the session's imports and declarations of types, constants and functions again, and brings back plain data that was saved when a worker was lost.", action: (*Session).replayMagic, alone: true},
		{name: "%env", usage: "[name[=value]]", doc: "Shows or sets environment variables of cells; name value sets one too.", builtin: "env"},
		{name: "%cd", usage: "[directory]", doc: "Changes the directory that cells work in: to the home directory without an argument, back with -.", builtin: "cd"},
		{name: "%load", usage: "file", doc: "Puts the text of a file into the cell.", action: (*Session).load},
		{name: "%doc", usage: "name", doc: "Shows the documentation of a package, function, type, method or variable.", action: (*Session).docMagic},
		{name: "%magics", doc: "Lists the magics.", action: (*Session).listMagics},
		{name: "%%bash", doc: "Runs the cell in bash.", cell: true, builtin: "bash", shell: true},
		{name: "%%sh", doc: "Runs the cell in sh.", cell: true, builtin: "shell", shell: true},
		{name: "%%capture", usage: "[name]", doc: "Runs the cell without showing what it prints and shows; a variable of that name gets what it printed.", cell: true},
		{name: "%%compile", doc: "Runs the cell as any other; it compiled single cells before there was the native engine.", cell: true},
		{name: "%%prof", doc: "Profiles the cell: time by line, and flame graphs of the compiled functions that it calls, by processor time and by memory.", cell: true},
		{name: "%%writefile", usage: "[-a] file", doc: "Writes the rest of the cell to a file; -a appends.", cell: true, builtin: "writefile"},
	} {
		magics[m.name] = m
	}
}

// A magicCall is a magic in a cell, with its arguments.
type magicCall struct {
	builtin string
	arg     string
	action  func(s *Session, ctx context.Context, c Cell, arg string) *wire.Error
	alone   bool
}

func builtinChunk(at int, name, arg string) chunk {
	return chunk{kind: magicChunk, start: at, end: at, call: &magicCall{builtin: name, arg: arg}}
}

// expand turns the magics among a cell's chunks into calls and, where they hold Go, into Go chunks.
func (s *Session) expand(src string, chunks []chunk) ([]chunk, []problem) {
	if at := len(src) - len(strings.TrimLeft(src, " \t\n")); strings.HasPrefix(src[at:], "%%") {
		return s.expandCellMagic(src, at)
	}
	var out []chunk
	for _, c := range chunks {
		if c.kind != magicChunk {
			out = append(out, c)
			continue
		}
		more, p := s.expandLine(src, c)
		if p != nil {
			return nil, []problem{*p}
		}
		if more[0].call != nil && more[0].call.alone && len(chunks) > 1 {
			return nil, []problem{*problemAt(src, c.start, "this magic must be alone in its cell")}
		}
		out = append(out, more...)
	}
	return out, nil
}

// expandLine turns one magic line into chunks.
func (s *Session) expandLine(src string, c chunk) ([]chunk, *problem) {
	text := strings.TrimRight(src[c.start:c.end], " \t\n")
	if strings.HasPrefix(text, "!!") {
		return nil, problemAt(src, c.start, "a command begins with one !")
	}
	if cmd, ok := strings.CutPrefix(text, "!"); ok {
		if s.opts.NoShell {
			return nil, problemAt(src, c.start, "the shell is switched off in this session")
		}
		return []chunk{builtinChunk(c.start, "shell", strings.ReplaceAll(cmd, "\\\n", "\n"))}, nil
	}
	name, arg, _ := strings.Cut(text, " ")
	rest := c.start + len(name)
	m := magics[name]
	switch {
	case m == nil || m.cell:
		return nil, unknownMagic(src, c.start, name)
	case strings.TrimSpace(arg) == "-h" || strings.TrimSpace(arg) == "--help":
		return []chunk{builtinChunk(c.start, "print", m.help())}, nil
	case m.wrong(strings.TrimSpace(arg)) != "":
		return nil, problemAt(src, c.start, "%s", m.wrong(strings.TrimSpace(arg)))
	case name == "%time":
		return timed(src[:c.start+len(text)], rest, c.start), nil
	case name == "%timeit":
		return []chunk{benchmark(rest, c.start+len(text))}, nil
	case name == "%bench":
		return repeated(rest, c.start+len(text), ""), nil
	}
	return []chunk{{kind: magicChunk, start: c.start, end: c.end,
		call: &magicCall{builtin: m.builtin, arg: strings.TrimSpace(arg), action: m.action, alone: m.alone}}}, nil
}

// expandCellMagic turns a cell that begins with %%name into chunks.
func (s *Session) expandCellMagic(src string, at int) ([]chunk, []problem) {
	line, body, _ := strings.Cut(src[at:], "\n")
	name, arg, _ := strings.Cut(strings.TrimSpace(line), " ")
	rest := at + len(line)
	m := magics[name]
	if m == nil && magics[name[1:]] != nil && (name == "%%time" || name == "%%timeit" || name == "%%bench") {
		m = magics[name[1:]]
	}
	switch {
	case name == "%%":
		return nil, []problem{*problemAt(src, at, "%%%% needs the name of a magic; %%magics lists those that there are")}
	case m == nil:
		return nil, []problem{*unknownMagic(src, at, name)}
	case strings.TrimSpace(arg) == "-h" || strings.TrimSpace(arg) == "--help":
		return []chunk{builtinChunk(at, "print", m.help())}, nil
	case m.shell && s.opts.NoShell:
		return nil, []problem{*problemAt(src, at, "the shell is switched off in this session")}
	case strings.TrimSpace(body) == "" && name != "%%writefile":
		return nil, []problem{*problemAt(src, at, "%s needs the lines of its cell below it", name)}
	case name != "%%bash" && name != "%%sh" && flagOf(arg) != "" && !m.takes(flagOf(arg)):
		return nil, []problem{*problemAt(src, at, "%s", m.noFlag(name, flagOf(arg)))}
	case name == "%%time":
		out, problems := s.between(src, at, rest, "time", "")
		return append(out, builtinChunk(len(src), "timed", "")), problems
	case name == "%%timeit":
		return []chunk{benchmark(rest, len(src))}, nil
	case name == "%%capture":
		return s.captured(src, at, rest, strings.TrimSpace(arg))
	case name == "%%compile":
		return s.between(src, at, rest, "print", "Note: %%compile has no meaning any more: sessions of the native engine compile every cell.\n")
	case name == "%%prof":
		out, problems := s.between(src, at, rest, "prof", src)
		return append(out, builtinChunk(len(src), "profiled", "")), problems
	case name == "%%bench":
		return repeated(rest, len(src), strings.TrimSpace(arg)), nil
	case name == "%%writefile":
		if strings.TrimSpace(arg) == "" {
			return nil, []problem{*problemAt(src, at, "%%%%writefile needs the name of a file")}
		}
		if body != "" && !strings.HasSuffix(body, "\n") {
			body += "\n"
		}
		body = strings.TrimSpace(arg) + "\n" + body
	}
	return []chunk{builtinChunk(at, m.builtin, body)}, nil
}

// timed puts the Go code of src from offset rest on between the start and the stop of a clock.
func timed(src string, rest, at int) []chunk {
	out := []chunk{builtinChunk(at, "time", "")}
	for _, c := range split(src[rest:]) {
		c.start, c.end = c.start+rest, c.end+rest
		out = append(out, c)
	}
	return append(out, builtinChunk(len(src), "timed", ""))
}

// benchmark is the Go code from start to end as the body of a benchmark.
func benchmark(start, end int) chunk {
	return chunk{kind: stmtChunk, start: start, end: end,
		before: "func() { r := testing.Benchmark(func(b *testing.B) { b.ReportAllocs(); for range b.N {",
		after:  "\n}}); if r.N == 0 { panic(\"the statement failed\") }; fmt.Println(r.String(), \"\\t\", r.MemString()) }()"}
}

// captured is the Go code of src from offset rest on, whose output is kept from the user, and for a name a variable of that
// name with what it printed.
func (s *Session) captured(src string, at, rest int, name string) ([]chunk, []problem) {
	if name != "" && !token.IsIdentifier(name) {
		return nil, []problem{*problemAt(src, at, "%%capture: %q is no name of a variable", name)}
	}
	file := ""
	if name != "" {
		file = filepath.Join(os.TempDir(), "gaucho-"+cryptorand.Text())
	}
	out, problems := s.between(src, at, rest, "capture", "")
	if problems != nil {
		return nil, problems
	}
	out = append(out, builtinChunk(len(src), "captured", file))
	if name != "" {
		read := fmt.Sprintf("%s := func() string { dataǃ, _ := os.ReadFile(%q); os.Remove(%q); return string(dataǃ) }()", name, file, file)
		out = append(out, chunk{kind: stmtChunk, start: len(src), end: len(src), before: read, ours: true})
	}
	return out, nil
}

// between is a builtin and the rest of the cell behind it, with its magics.
func (s *Session) between(src string, at, rest int, builtin, arg string) ([]chunk, []problem) {
	out := []chunk{builtinChunk(at, builtin, arg)}
	for _, c := range split(src[rest:]) {
		c.start, c.end = c.start+rest, c.end+rest
		if c.kind != magicChunk {
			out = append(out, c)
			continue
		}
		more, p := s.expandLine(src, c)
		if p != nil {
			return nil, []problem{*p}
		}
		if more[0].call != nil && more[0].call.alone {
			return nil, []problem{*problemAt(src, c.start, "this magic must be alone in its cell")}
		}
		out = append(out, more...)
	}
	return out, nil
}

// benchTime is how long one of the repetitions of %%bench takes, about.
var benchTime = "100ms"

// repeated is the Go code from start to end as the body of a benchmark that runs ten times, between the builtins that set
// it up and that print what came of it.
func repeated(start, end int, name string) []chunk {
	code := chunk{kind: stmtChunk, start: start, end: end,
		before: "func() (rsǃ []testing.BenchmarkResult) { for range 10 { rsǃ = append(rsǃ, testing.Benchmark(func(bǃ *testing.B) { bǃ.ReportAllocs(); for range bǃ.N {",
		after:  "\n}})) }; return }()"}
	return []chunk{builtinChunk(start, "bench", benchTime), code, builtinChunk(end, "benched", name)}
}

func problemAt(src string, at int, format string, args ...any) *problem {
	p := &problem{msg: fmt.Sprintf(format, args...)}
	p.pos.Line, p.pos.Column = position(src, at)
	return p
}

func (m *magic) help() string {
	return strings.TrimSpace(m.name+" "+m.usage) + "\n    " + m.doc + "\n"
}

// listMagics prints all magics with their help.
func (s *Session) listMagics(_ context.Context, c Cell, _ string) *wire.Error {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(magics)) {
		b.WriteString(magics[name].help())
	}
	b.WriteString("!command\n    Runs a command in the shell.\n")
	s.opts.Sink.Stream(c.ID, "stdout", b.String())
	return nil
}
