package export

import (
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"gaucho/interp/cell"
)

// magic writes a magic as the Go that it stands for, or as a comment where a program has nothing like it.
func (w *cellWriter) magic(st step) {
	m := st.magic
	line := ""
	switch m.Builtin {
	case "shell", "bash":
		program := map[string]string{"shell": "sh", "bash": "bash"}[m.Builtin]
		line = fmt.Sprintf("%s(%q, %s)", w.helper("shell"), program, quote(m.Arg))
	case "cd":
		line = fmt.Sprintf("%s(%q)", w.helper("changeDir"), m.Arg)
	case "env":
		name, value, set := strings.Cut(m.Arg, "=")
		switch {
		case set:
			line = fmt.Sprintf("%s.Setenv(%q, %q)", w.use("os"), strings.TrimSpace(name), strings.TrimSpace(value))
		case m.Arg != "":
			line = fmt.Sprintf("%s(%q)", w.helper("printEnv"), m.Arg)
		}
	case "writefile":
		name, text, _ := strings.Cut(m.Arg, "\n")
		file, more := strings.CutPrefix(name, "-a ")
		line = fmt.Sprintf("%s(%q, %s, %v)", w.helper("writeFile"), strings.TrimSpace(file), quote(text), more)
	case "figure":
		line = w.figure(m.Arg)
	case "capture":
		_, name, _ := strings.Cut(m.Arg, "\n")
		w.captured, w.capturedBy = w.unused("captured"), name
		line = w.captured + " := " + w.helper("capture") + "()\ndefer " + w.captured + "()"
	case "captured":
		if line = w.captured + "()"; w.capturedBy != "" {
			return // the variable's statement comes next
		}
	case "benched":
		w.note(w.cell.number, "%%bench prints its measurements one by one in the program, not their median")
		return
	case "bench", "timedit": // around code that measured writes
		return
	case "time":
		began := w.unused("began")
		w.began = append(w.began, began)
		line = began + " := " + w.use("time") + ".Now()"
	case "timed":
		n := len(w.began) - 1
		line = fmt.Sprintf(`%s.Println("Wall time:", %s.Since(%s))`, w.use("fmt"), w.use("time"), w.began[n])
		w.began = w.began[:n]
	}
	if line == "" && st.line == "" { // the end of one that began before
		return
	}
	if line == "" {
		line = "// " + st.line
		w.noteMagic(w.cell.number, st.line)
	}
	w.body.WriteString(line + "\n")
}

// figure writes the sizes of figures, in points.
func (w *cellWriter) figure(arg string) string {
	var size, lines []string
	for _, word := range strings.Fields(arg) {
		if scale, ok := strings.CutPrefix(word, "scale="); ok {
			lines = append(lines, w.use("gaucho/plotting")+".SetResolution("+scale+")")
		} else if l, err := vg.ParseLength(word); err == nil {
			size = append(size, strconv.FormatFloat(float64(l), 'g', 6, 64))
		}
	}
	if len(size) == 2 {
		lines = append(lines, w.use("gaucho/plotting")+".SetSize("+strings.Join(size, ", ")+")")
	}
	return strings.Join(lines, "\n")
}

// quote is a text as a Go literal that keeps its lines where it can.
func quote(s string) string {
	if strings.Contains(s, "\n") && !strings.Contains(s, "`") && !strings.Contains(s, "\r") {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

// measured writes code that a magic runs as a benchmark; it is empty for other code.
func (w *cellWriter) measured(p *cell.Piece) string {
	c := w.cell.chunks[p]
	if c.Before == "" {
		return ""
	}
	text := w.span(p, w.base[p], w.base[p]+token.Pos(len(p.Text)))
	names := strings.NewReplacer("testing.", w.use("testing")+".")
	from := ""
	if c.Prints {
		from = "[1:]" // the first is an empty loop
	}
	// What the worker prints of it, the program prints.
	before := "for _, r := range (" + c.Before
	after := c.After + ")" + from + " { " + w.use("fmt") + ".Println(r.String(), \"\\t\", r.MemString()) }"
	return names.Replace(before) + "\n" + text + names.Replace(after)
}

// mainFunc writes the main function, and ctx where cells use it.
func (e *exporter) mainFunc(calls []string) string {
	var b strings.Builder
	ctx := e.names[e.checker.Ctx]
	if ctx != "" {
		fmt.Fprintf(&b, "// %s ends when the program is interrupted.\nvar %s %s.Context\n\n", ctx, ctx, e.use("context"))
	}
	b.WriteString("func main() {\n")
	for path := range e.imports {
		if strings.HasPrefix(path, "gonum.org/") || strings.HasPrefix(path, "gaucho/") {
			fmt.Fprintf(&b, "%s.UseGonum() // as notebooks have it\n", e.use("gaucho/stdlib/linalg"))
			break
		}
	}
	if e.imports["gaucho/stdlib/display"] {
		fmt.Fprintf(&b, "%s.SavePictures(\".\")\n", e.use("gaucho/stdlib/display"))
	}
	if ctx != "" {
		fmt.Fprintf(&b, "var stop %s.CancelFunc\n%s, stop = %s.NotifyContext(%s.Background(), %s.Interrupt)\ndefer stop()\n",
			e.use("context"), ctx, e.use("os/signal"), e.use("context"), e.use("os"))
	}
	for _, c := range calls {
		if c != "" {
			b.WriteString(c + "\n")
		}
	}
	b.WriteString("}\n\n")
	return b.String()
}

// A helper is a function that exported programs need. Its text has $0 for its own name, and $name for imports and for other
// helpers, by their names in needs.
type helper struct {
	text    string
	imports []string
	needs   []string
}

var helpers = map[string]helper{
	"show": {imports: []string{"gaucho/stdlib/display"}, text: `
// $0 prints the values of a cell's last expression.
func $0(values ...any) { $display.ShowAll(values...) }
`},
	"showOrFail": {needs: []string{"show"}, text: `
// $0 prints the values before an error, unless the error is not nil.
func $0(values ...any) {
	last := len(values) - 1
	if last < 0 {
		return
	}
	if err, ok := values[last].(error); ok {
		panic(err)
	}
	if last > 0 {
		$show(values[:last]...)
	}
}
`},
	"mayFail": {imports: []string{"fmt", "os"}, text: `
// $0 calls a cell that is expected to panic.
func $0(cell func()) {
	defer func() {
		if r := recover(); r != nil {
			$fmt.Fprintln($os.Stderr, "panic:", r)
		}
	}()
	cell()
}
`},
	"parse": {imports: []string{"flag", "fmt", "os"}, text: `
// $0 reads the program's arguments, which must be flags.
func $0(flags *$flag.FlagSet) {
	flags.Parse($os.Args[1:])
	if flags.NArg() > 0 {
		$fmt.Fprintf($os.Stderr, "unexpected argument %q\n", flags.Arg(0))
		flags.Usage()
		$os.Exit(2)
	}
}
`},
	"parameter": {imports: []string{"encoding/json", "flag", "fmt", "reflect", "strconv", "time"}, text: `
// $0 has a flag set a variable: to a number, a text, or JSON for a slice or a map.
func $0[T any](flags *$flag.FlagSet, name string, v *T) {
	if b, ok := any(v).(*bool); ok {
		flags.BoolVar(b, name, *b, "")
		return
	}
	flags.Func(name, $fmt.Sprintf("a \x60%T\x60 (default %v)", *v, *v), func(text string) error {
		p := $reflect.ValueOf(v).Elem()
		if _, ok := any(v).(*$time.Duration); ok {
			d, err := $time.ParseDuration(text)
			p.SetInt(int64(d))
			return err
		}
		switch {
		case p.Kind() == $reflect.String:
			p.SetString(text)
		case p.CanInt():
			n, err := $strconv.ParseInt(text, 10, p.Type().Bits())
			p.SetInt(n)
			return err
		case p.CanUint():
			n, err := $strconv.ParseUint(text, 10, p.Type().Bits())
			p.SetUint(n)
			return err
		case p.CanFloat():
			x, err := $strconv.ParseFloat(text, p.Type().Bits())
			p.SetFloat(x)
			return err
		default:
			value := $reflect.New(p.Type())
			if err := $json.Unmarshal([]byte(text), value.Interface()); err != nil {
				return err
			}
			p.Set(value.Elem())
		}
		return nil
	})
}
`},
	"shell": {imports: []string{"os", "os/exec"}, text: `
// $0 runs a command line.
func $0(program, line string) {
	cmd := $exec.Command(program, "-c", line)
	cmd.Stdout, cmd.Stderr = $os.Stdout, $os.Stderr
	if err := cmd.Run(); err != nil {
		panic(err)
	}
}
`},
	"changeDir": {imports: []string{"errors", "fmt", "os"}, text: `
// $0 changes the directory that the program works in, to the user's own for an empty name and to the one before for "-", and
// prints it.
var $0 = func() func(string) {
	var before string
	return func(dir string) {
		now, err := $os.Getwd()
		home, homeErr := $os.UserHomeDir()
		switch {
		case dir == "-" && before == "":
			err = $errors.New("there is no directory before this one")
		case dir == "-":
			dir = before
		case dir == "" || dir == "~":
			dir, err = home, homeErr
		case len(dir) > 1 && dir[:2] == "~/":
			dir, err = home+dir[1:], homeErr
		}
		if err == nil {
			err = $os.Chdir(dir)
		}
		if err == nil {
			before = now
			dir, err = $os.Getwd()
		}
		if err != nil {
			panic(err)
		}
		$fmt.Println(dir)
	}
}()
`},
	"printEnv": {imports: []string{"fmt", "os"}, text: `
// $0 prints a variable of the environment.
func $0(name string) {
	value, ok := $os.LookupEnv(name)
	if !ok {
		panic("there is no environment variable " + name)
	}
	$fmt.Println(value)
}
`},
	"capture": {imports: []string{"io", "os"}, text: `
// $0 keeps what is printed from now on. The function that it returns gives the text, and has the rest printed as before.
func $0() func() string {
	stdout := $os.Stdout
	r, w, err := $os.Pipe()
	if err != nil {
		panic(err)
	}
	text := make(chan string)
	go func() {
		data, _ := $io.ReadAll(r)
		text <- string(data)
	}()
	$os.Stdout = w
	got, done := "", false
	return func() string {
		if !done {
			done = true
			$os.Stdout = stdout
			w.Close()
			got = <-text
		}
		return got
	}
}
`},
	"writeFile": {imports: []string{"fmt", "os"}, text: `
// $0 writes a text to a file, or appends it.
func $0(name, text string, more bool) {
	flags, verb := $os.O_CREATE|$os.O_WRONLY|$os.O_TRUNC, "Wrote"
	if more {
		flags, verb = $os.O_CREATE|$os.O_WRONLY|$os.O_APPEND, "Appended to"
	}
	f, err := $os.OpenFile(name, flags, 0o666)
	if err == nil {
		_, err = f.WriteString(text)
		if cerr := f.Close(); err == nil {
			err = cerr
		}
	}
	if err != nil {
		panic(err)
	}
	$fmt.Println(verb, name)
}
`},
}

// helper returns the name of a function of ours, which the program has from now on.
func (e *exporter) helper(what string) string {
	if e.helpers[what] == "" {
		e.helpers[what] = e.unused(what)
		for _, n := range helpers[what].needs {
			e.helper(n)
		}
	}
	return e.helpers[what]
}

// helperText writes the functions of ours.
func (e *exporter) helperText() string {
	var b strings.Builder
	for _, what := range slices.Sorted(maps.Keys(e.helpers)) {
		h := helpers[what]
		words := []string{"$0", e.helpers[what]}
		for _, path := range h.imports {
			words = append(words, "$"+lastElement(path)+".", e.use(path)+".")
		}
		for _, n := range h.needs {
			words = append(words, "$"+n+"(", e.helpers[n]+"(")
		}
		b.WriteString(strings.NewReplacer(words...).Replace(h.text))
	}
	if e.imports["gaucho/stdlib/display"] && !e.imports["gaucho/render"] {
		fmt.Fprintf(&b, "\n// Figures and tables show as they do in a notebook.\nvar _ = %s.Bundle\n", e.use("gaucho/render"))
	}
	return b.String()
}
