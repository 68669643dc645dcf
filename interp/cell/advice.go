package cell

import (
	"fmt"
	"slices"
	"strings"
)

// advice answers magics of other kernels, by their names with one %.
var advice = map[string]string{
	"%pip":           "Go packages are imported: write import \"path\".",
	"%conda":         "Go packages are imported: write import \"path\".",
	"%matplotlib":    "Figures show in the cell without a magic.",
	"%pylab":         "Figures show in the cell without a magic.",
	"%config":        "%figure sets the size and resolution of figures.",
	"%run":           "%load FILE puts a program's text into the cell; gaucho run FILE.go runs one by itself.",
	"%pwd":           "os.Getwd() gives the directory.",
	"%go":            "Cells are Go without a magic.",
	"%history":       "The console's history keys and Jupyter's history show earlier cells.",
	"%recall":        "The console's history keys and Jupyter's history show earlier cells.",
	"%load_ext":      "There are no extensions to load.",
	"%autoreload":    "A redefined function is seen by all callers at once.",
	"%debug":         "Print with %v, or use the variables pane.",
	"%pdb":           "Print with %v, or use the variables pane.",
	"%prun":          "%%prof profiles a cell.",
	"%lprun":         "%%prof profiles a cell, by line too.",
	"%mprun":         "%%prof profiles a cell, its memory too.",
	"%memit":         "%timeit counts the bytes and allocations of a statement, %%prof those of a cell.",
	"%lsmagic":       "%magics lists the magics.",
	"%quickref":      "%magics lists the magics.",
	"%pinfo":         "%doc NAME shows a name's documentation, and so does NAME? in a cell of its own.",
	"%pdoc":          "%doc NAME shows a name's documentation, and so does NAME? in a cell of its own.",
	"%psource":       "NAME?? in a cell of its own shows the source.",
	"%quit":          "The front end's menu shuts the kernel down; %reset forgets everything.",
	"%exit":          "The front end's menu shuts the kernel down; %reset forgets everything.",
	"%html":          "display.HTML(`...`) as the last expression shows it.",
	"%HTML":          "display.HTML(`...`) as the last expression shows it.",
	"%svg":           "display.SVG(`...`) as the last expression shows it.",
	"%SVG":           "display.SVG(`...`) as the last expression shows it.",
	"%latex":         "display.LaTeX(`...`) as the last expression shows it.",
	"%markdown":      "display.Markdown(`...`) as the last expression shows it.",
	"%javascript":    "display.JavaScript(`...`) as the last expression runs it.",
	"%js":            "display.JavaScript(`...`) as the last expression runs it.",
	"%python":        "Cells are Go; !python3 FILE runs a program.",
	"%python3":       "Cells are Go; !python3 FILE runs a program.",
	"%script":        "%%bash and %%sh run the cell in a shell.",
	"%sx":            "!command runs a command; under %%capture name its output becomes a variable.",
	"%system":        "!command runs a command; under %%capture name its output becomes a variable.",
	"%file":          "%%writefile FILE writes the rest of the cell to a file.",
	"%list":          "%who lists the session's variables, functions and types.",
	"%remove":        "%del NAME forgets a name.",
	"%args":          "os.Args = []string{...} sets the arguments that package flag reads.",
	"%exec":          "Statements of a cell run as they are: call the function.",
	"%autoget":       "Modules are fetched when a cell imports them.",
	"%noautoget":     "GOPROXY=off in Jupyter's environment keeps modules from being fetched.",
	"%goflags":       "The compiler that Gaucho carries has no flags; gaucho export writes a program for go build.",
	"%with_inputs":   "A command reads what is there: !echo 42 | command gives it input.",
	"%with_password": "widgets.Password asks for a password in a cell.",
	"%track":         "The notebook's own module, go.work and replacements in go.mod are read again when the kernel restarts.",
	"%untrack":       "The notebook's own module, go.work and replacements in go.mod are read again when the kernel restarts.",
	"%goworkfix":     "go.work is obeyed as it is.",
	"%version":       "gaucho version prints the version; so does the banner of a console.",
	"%widgets":       "Widgets need no magic.",
	"%widgets_hb":    "Widgets need no magic.",
	"%wasm":          "make lite builds a page whose cells run in the browser.",
	"%tb":            "The error of a cell is below it, with the places that it came through.",
	"%xmode":         "The error of a cell is below it, with the places that it came through.",
}

func init() {
	for _, command := range []string{"cat", "cp", "ls", "ll", "less", "man", "mkdir", "more", "mv", "rm", "rmdir", "touch"} {
		advice["%"+command] = fmt.Sprintf("!%s runs the command.", command)
	}
}

func unknownMagic(src string, at int, name string) *Problem {
	p := problemAt(src, at, "unknown magic %s", name)
	plain := strings.TrimLeft(name, "%")
	switch near := Nearest(name, MagicNames()); {
	case plain == "":
		p.Msg, p.Hint = name+" needs the name of a magic", "%magics lists those that there are."
	case magics["%"+plain] != nil && name != "%"+plain:
		p.Hint = fmt.Sprintf("Did you mean %%%s?", plain)
	case magics["%%"+plain] != nil && name != "%%"+plain:
		p.Hint = fmt.Sprintf("Did you mean %%%%%s, at the head of the cell?", plain)
	case magics["%%"+plain] != nil || magics["%"+plain] != nil: // a magic of a whole cell, further down
		p.Msg, p.Hint = name+" must be the first line of its cell", ""
	case advice["%"+plain] != "":
		p.Hint = advice["%"+plain]
	case near != "":
		p.Hint = fmt.Sprintf("Did you mean %s?", near)
	default:
		p.Hint = "%magics lists those that there are."
	}
	return p
}

// flagOf is the flag that a magic's argument begins with, "" if it begins otherwise.
func flagOf(arg string) string {
	flag, _, _ := strings.Cut(strings.TrimSpace(arg), " ")
	if len(flag) < 2 || flag[0] != '-' || !('a' <= flag[1]|' ' && flag[1]|' ' <= 'z' || flag[1] == '-') {
		return ""
	}
	return flag
}

// takes reports whether the magic's usage has a flag.
func (m *Magic) takes(flag string) bool {
	return slices.Contains(strings.FieldsFunc(m.usage, func(r rune) bool { return strings.ContainsRune(" []|", r) }), flag)
}

func (m *Magic) noFlag(name, flag string) string {
	return fmt.Sprintf("%s has no flag %s: write %s", name, flag, strings.TrimSpace(name+" "+m.usage))
}

// wrong says what is wrong with an argument of the magic, as far as its usage says.
func (m *Magic) wrong(arg string) string {
	if flag := flagOf(arg); flag != "" && !m.takes(flag) {
		return m.noFlag(m.name, flag)
	}
	if arg != "" && m.usage == "" || arg != "" && m.usage == "[-f]" && arg != "-f" {
		return m.name + " takes no argument"
	}
	if arg == "" && m.usage != "" && m.usage[0] != '[' {
		return fmt.Sprintf("%s needs an argument: write %s %s", m.name, m.name, m.usage)
	}
	return ""
}
