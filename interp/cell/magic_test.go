package cell

import (
	"go/token"
	"os"
	"strings"
	"testing"
)

// TestMagics: each magic is whole: one sentence of help, and something that it does; and nothing is advised in place of one.
func TestMagics(t *testing.T) {
	for _, name := range MagicNames() {
		m := MagicNamed(name)
		if !strings.HasSuffix(m.doc, ".") || strings.Contains(m.doc, "\n") {
			t.Errorf("the help of %s is %q, expected a line that ends with a full stop", name, m.doc)
		}
		if m.cell != strings.HasPrefix(name, "%%") {
			t.Errorf("%s has cell %v", name, m.cell)
		}
		acts := m.session || m.builtin != "" || m.line != nil
		if m.cell {
			acts = m.builtin != "" || m.whole != nil
		}
		if !acts {
			t.Errorf("%s does nothing", name)
		}
	}
	for name := range advice {
		if plain := strings.TrimLeft(name, "%"); magics["%"+plain] != nil || magics["%%"+plain] != nil {
			t.Errorf("there is advice in place of %s, which is a magic", name)
		}
	}
}

// TestMagicsInDocuments: the page about magics lists each with its help.
func TestMagicsInDocuments(t *testing.T) {
	page, err := os.ReadFile("../../docs/magics.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range MagicNames() {
		m := MagicNamed(name)
		if line := "\n* `" + strings.TrimSpace(name+" "+m.usage) + "`: " + m.doc + "\n"; !strings.Contains(string(page), line) {
			t.Errorf("docs/magics.md has no line%s", line)
		}
	}
}

// TestExpansions: what a worker is asked for around a cell's Go code, in order.
func TestExpansions(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"%time x := 1", "time() x := 1 timed()"},
		{"%%time\nx := 1\n%env A=1\n", "time() x := 1 env(A=1) timed()"},
		{"%show x", "whole() x"},
		{"%timeit f()", "bench(500ms) f() timedit()"},
		{"%%timeit\nf()", "bench(500ms) f() timedit()"},
		{"%bench f()", "bench(7ms) f() benched()"},
		{"%%bench sum\nf()", "bench(7ms) f() benched(sum)"},
		{"%%capture\nf()", "capture() f() captured()"},
		{"%%prof\nf()", "prof(%%prof\nf()) f() profiled()"},
		{"%%writefile -a x.txt\na\nb", "writefile(-a x.txt\na\nb\n)"},
		{"%%writefile x.txt", "writefile(x.txt\n)"},
		{"%%bash\nls", "bash(ls)"},
		{"%who", "%who()"},
		{"!ls", "shell(ls)"},
	} {
		chunks, problems := Read(c.src).expand(Options{BenchTime: "7ms"})
		if problems != nil {
			t.Errorf("%q: %v", c.src, problems)
			continue
		}
		var words []string
		for _, x := range chunks {
			if x.call != nil {
				words = append(words, x.call.Builtin+x.call.Session+"("+x.call.Arg+")")
			} else if text := strings.TrimSpace(c.src[x.Start:x.End]); text != "" {
				words = append(words, text)
			}
		}
		if got := strings.Join(words, " "); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.src, got, c.want)
		}
	}
	for src, want := range map[string]string{
		"%%time": "needs the lines of its cell", "%%writefile": "needs the name of a file", "%%capture 1x\nf()": "cannot name a variable",
		"%%sh\nls": "switched off", "!ls": "switched off", "%time": "needs an argument", "%%prof -x\nf()": "has no flag", "%del": "needs an argument",
	} {
		if _, problems := Read(src).Parse(token.NewFileSet(), 1, Options{NoShell: true}); len(problems) != 1 || !strings.Contains(problems[0].Msg, want) {
			t.Errorf("%q: %v, want %q", src, problems, want)
		}
	}
}

// TestComingFromGoNB: each of GoNB's commands runs, or an error names what to use; the page on other kernels has it.
func TestComingFromGoNB(t *testing.T) {
	page, err := os.ReadFile("../../docs/comparison.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"%%", "%main", "%reset", "%cd", "%test", "%env A=1", "!ls"} {
		if _, problems := Read(command + "\n").expand(Options{}); problems != nil {
			t.Errorf("%s: %v", command, problems)
		}
	}
	for _, name := range []string{"%args", "%exec", "%autoget", "%noautoget", "%goflags", "%with_inputs", "%with_password", "%capture", "%version",
		"%list", "%ls", "%remove", "%rm", "%track", "%untrack", "%goworkfix", "%widgets", "%widgets_hb", "%wasm", "%%script"} {
		_, problems := Read(name + " x\n1\n").expand(Options{})
		if len(problems) != 1 || problems[0].Hint == "" && !strings.Contains(problems[0].Msg, "must be the first line") ||
			strings.Contains(problems[0].Hint, "%magics lists") || strings.Contains(problems[0].Hint, "Did you mean %who") {
			t.Errorf("%s is answered by %v", name, problems)
		}
	}
	for _, name := range []string{"%args", "%exec", "%goflags", "%list", "%remove", "%track", "%goworkfix", "%wasm"} {
		if !strings.Contains(string(page), name) {
			t.Errorf("docs/comparison.md does not have %s", name)
		}
	}
}
