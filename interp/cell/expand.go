package cell

import (
	"cmp"
	cryptorand "crypto/rand"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

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

// Options are what a session's cells may do.
type Options struct {
	NoShell   bool   // commands of the shell are refused
	BenchTime string // of one of the repetitions of %bench, about; "100ms" if empty
}

// An expander turns magics into what they stand for.
type expander struct{ Options }

// A use is a magic in a cell's text: where it begins, where its argument or the rest of the cell begins, and where that ends.
type use struct {
	src           string
	at, rest, end int
	arg           string
}

// An expansion returns what a use becomes.
type expansion func(e expander, u use) ([]Chunk, []Problem)

// expand turns the magics among the chunks into calls and, where they hold Go, into Go chunks. A cell that only asks for the description of a name is a %doc.
func (t Text) expand(o Options) ([]Chunk, []Problem) {
	e, src := expander{o}, t.Source
	if name, _, ok := Question(src); ok { // a kernel shows the answer in the client's pager
		return []Chunk{{Kind: MagicChunk, Start: 0, End: len(src), call: magics["%doc"].call(name)}}, nil
	}
	if at := len(src) - len(strings.TrimLeft(src, " \t\n")); strings.HasPrefix(src[at:], "%%") && !beginsMain(src[at:]) {
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
			return nil, p
		}
		if len(more) > 0 && more[0].call != nil && more[0].call.alone && len(t.chunks) > 1 {
			return nil, problemsAt(src, c.Start, "this magic must be alone in its cell")
		}
		out = append(out, more...)
	}
	return out, nil
}

// expandLine turns one magic line into chunks.
func (e expander) expandLine(src string, c Chunk) ([]Chunk, []Problem) {
	text := strings.TrimRight(src[c.Start:c.End], " \t\n")
	if strings.HasPrefix(text, "!!") {
		return nil, problemsAt(src, c.Start, "a command begins with one !")
	}
	if cmd, ok := strings.CutPrefix(text, "!"); ok {
		if e.NoShell {
			return nil, problemsAt(src, c.Start, "%s", noShell())
		}
		return []Chunk{builtinChunk(c.Start, "shell", strings.ReplaceAll(cmd, "\\\n", "\n"))}, nil
	}
	name, arg, _ := strings.Cut(text, " ")
	arg = strings.TrimSpace(arg)
	m := magics[name]
	if beginsMain(text) {
		m = magics["%main"]
	}
	switch {
	case m == nil || m.cell:
		return nil, []Problem{*unknownMagic(src, c.Start, name)}
	case arg == "-h" || arg == "--help":
		return []Chunk{builtinChunk(c.Start, "print", m.Help())}, nil
	case m.name == "%main" && arg != "":
		return nil, problemsAt(src, c.Start, "a cell has no arguments; os.Args = []string{...} sets those of a program")
	case m.wrong(arg) != "":
		return nil, problemsAt(src, c.Start, "%s", m.wrong(arg))
	case m.line != nil:
		end := c.Start + len(text)
		return m.line(e, use{src: src[:end], at: c.Start, rest: c.Start + len(name), end: end})
	}
	return []Chunk{{Kind: MagicChunk, Start: c.Start, End: c.End, call: m.call(arg)}}, nil
}

// expandCellMagic turns a cell that begins with %%name into chunks.
func (e expander) expandCellMagic(src string, at int) ([]Chunk, []Problem) {
	line, body, _ := strings.Cut(src[at:], "\n")
	name, arg, _ := strings.Cut(strings.TrimSpace(line), " ")
	arg = strings.TrimSpace(arg)
	m := magics[name]
	if one := magics[name[1:]]; m == nil && one != nil && one.whole != nil {
		m = one
	}
	switch {
	case m == nil:
		return nil, []Problem{*unknownMagic(src, at, name)}
	case arg == "-h" || arg == "--help":
		return []Chunk{builtinChunk(at, "print", m.Help())}, nil
	case m.shell && e.NoShell:
		return nil, problemsAt(src, at, "%s", noShell())
	case strings.TrimSpace(body) == "" && !m.empty:
		return nil, problemsAt(src, at, "%s needs the lines of its cell below it", name)
	case !m.shell && flagOf(arg) != "" && !m.takes(flagOf(arg)):
		return nil, problemsAt(src, at, "%s", m.noFlag(name, flagOf(arg)))
	case m.whole != nil:
		return m.whole(e, use{src: src, at: at, rest: at + len(line), end: len(src), arg: arg})
	}
	return []Chunk{builtinChunk(at, m.builtin, body)}, nil
}

func problemsAt(src string, at int, format string, args ...any) []Problem {
	return []Problem{*problemAt(src, at, format, args...)}
}

// beginsMain reports whether a magic line is the one that begins the function main in GoNB: %% alone, or with arguments of the program.
func beginsMain(line string) bool {
	return line == "%%" || strings.HasPrefix(line, "%%\n") || strings.HasPrefix(line, "%% ")
}

// nothing is no chunk.
func nothing(expander, use) ([]Chunk, []Problem) { return nil, nil }

// shown shows the value of the Go code whole.
func shown(_ expander, u use) ([]Chunk, []Problem) {
	return append([]Chunk{builtinChunk(u.at, "whole", "")}, u.code()...), nil
}

// timedLine puts Go code between the start and the stop of a clock.
func timedLine(_ expander, u use) ([]Chunk, []Problem) {
	out := append([]Chunk{builtinChunk(u.at, "time", "")}, u.code()...)
	return append(out, builtinChunk(u.end, "timed", "")), nil
}

// timedCell does so with the rest of a cell and its magics.
func timedCell(e expander, u use) ([]Chunk, []Problem) {
	out, problems := e.between(u, "time", "")
	return append(out, builtinChunk(u.end, "timed", "")), problems
}

// profiled is the rest of a cell between the start and the stop of the profilers.
func profiled(e expander, u use) ([]Chunk, []Problem) {
	out, problems := e.between(u, "prof", u.src)
	return append(out, builtinChunk(u.end, "profiled", "")), problems
}

// obsolete is the rest of a cell after a note.
func obsolete(e expander, u use) ([]Chunk, []Problem) {
	return e.between(u, "print", "Note: %%compile has no meaning any more: sessions of the native engine compile every cell.\n")
}

// written is the rest of a cell for a file.
func written(_ expander, u use) ([]Chunk, []Problem) {
	if u.arg == "" {
		return nil, problemsAt(u.src, u.at, "%%%%writefile needs the name of a file")
	}
	body := strings.TrimPrefix(u.src[u.rest:], "\n")
	if body != "" && !strings.HasSuffix(body, "\n") {
		body += "\n"
	}
	return []Chunk{builtinChunk(u.at, "writefile", u.arg+"\n"+body)}, nil
}

// code is the chunks of the argument, or of the rest of the cell.
func (u use) code() []Chunk {
	chunks := Split(u.src[u.rest:])
	for i := range chunks {
		chunks[i].Start, chunks[i].End = chunks[i].Start+u.rest, chunks[i].End+u.rest
	}
	return chunks
}

// benchmarkHead begins a function literal that repeats statements. It must not be inside of a function that is called where
// it is written: the compiler leaves it unoptimised there.
const benchmarkHead = "func(bǃ *testing.B) { bǃ.ReportAllocs(); for range bǃ.N {"

// benchmark is Go code as the body of a benchmark, after one whose body is empty, between the builtins
// that set it up and that print what came of it.
func benchmark(_ expander, u use) ([]Chunk, []Problem) {
	code := Chunk{Kind: StmtChunk, Start: u.rest, End: u.end,
		Before: "[]testing.BenchmarkResult{testing.Benchmark(" + benchmarkHead + "}}), testing.Benchmark(" + benchmarkHead,
		After:  "\n}})}", Prints: true}
	return []Chunk{builtinChunk(u.rest, "bench", timeitTime), code, builtinChunk(u.end, "timedit", "")}, nil
}

// timeitTime is how long each of the two takes, about.
const timeitTime = "500ms"

// captured is the rest of a cell, whose output is kept from the user, and for a name a variable of that name with what it printed.
func captured(e expander, u use) ([]Chunk, []Problem) {
	name := u.arg
	if name != "" && !token.IsIdentifier(name) {
		return nil, problemsAt(u.src, u.at, "%%capture: %q cannot name a variable", name)
	}
	file := ""
	if name != "" {
		file = filepath.Join(os.TempDir(), "gaucho-"+cryptorand.Text())
	}
	out, problems := e.between(u, "capture", strings.TrimSpace(file+"\n"+name))
	if problems != nil {
		return nil, problems
	}
	out = append(out, builtinChunk(u.end, "captured", ""))
	if name != "" {
		out = append(out, Chunk{Kind: StmtChunk, Start: u.end, End: u.end, Before: Captured(name, file), ours: true})
	}
	return out, nil
}

// Captured is the Go statement that gives a variable the text of a file, which it removes.
func Captured(name, file string) string {
	return fmt.Sprintf("%s := func() string { dataǃ, _ := os.ReadFile(%q); os.Remove(%q); return string(dataǃ) }()", name, file, file)
}

// between is a builtin and the rest of the cell after it, with its magics.
func (e expander) between(u use, builtin, arg string) ([]Chunk, []Problem) {
	out := []Chunk{builtinChunk(u.at, builtin, arg)}
	for _, c := range u.code() {
		if c.Kind != MagicChunk {
			out = append(out, c)
			continue
		}
		more, p := e.expandLine(u.src, c)
		if p != nil {
			return nil, p
		}
		if len(more) > 0 && more[0].call != nil && more[0].call.alone {
			return nil, problemsAt(u.src, c.Start, "this magic must be alone in its cell")
		}
		out = append(out, more...)
	}
	return out, nil
}

// repeated is Go code as the body of a benchmark that runs ten times, between the builtins that set it up and that print what
// came of it.
func repeated(e expander, u use) ([]Chunk, []Problem) {
	code := Chunk{Kind: StmtChunk, Start: u.rest, End: u.end,
		Before: "func(fǃ func(*testing.B)) (rsǃ []testing.BenchmarkResult) { for range 10 { rsǃ = append(rsǃ, testing.Benchmark(fǃ)) }; return }(" + benchmarkHead,
		After:  "\n}})"}
	return []Chunk{builtinChunk(u.rest, "bench", cmp.Or(e.BenchTime, "100ms")), code, builtinChunk(u.end, "benched", u.arg)}, nil
}

// noShell says why there is no shell.
func noShell() string {
	if runtime.GOOS == "js" {
		return "a browser has no shell and no subprocesses"
	}
	return "the shell is switched off in this session"
}
