package interp

import (
	"os"
	"strings"
	"testing"

	"gaucho/interp/kit"
)

// TestInterprets: a session that is not native though nobody asked for the interpreter says so once, in a line, in its first cell
// whose output is seen. The program of a test cannot load compiled code.
func TestInterprets(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	kit.Sources = os.DirFS("..")
	defer func() { kit.Sources = nil }()
	const told = "; this session interprets its cells, which is slower\n"
	for _, c := range []struct {
		engine string
		silent bool
		want   bool
	}{{"", false, true}, {"", true, true}, {"yaegi", false, false}} {
		r := &transcript{}
		s := newSession(t, Options{Engine: c.engine, Sink: r, Dir: t.TempDir()})
		if why := s.Interprets(); (why != "") != c.want {
			t.Errorf("engine %q: why is %q", c.engine, why)
		}
		if c.silent {
			s.Execute(t.Context(), Cell{ID: "unseen", Number: 0, Source: "1", Silent: true})
			if got := r.of("unseen").String(); got != "" {
				t.Errorf("a silent cell says %q", got)
			}
		}
		first, second := runCell(s, r, 1, `fmt.Println("a")`), runCell(s, r, 2, `fmt.Println("b")`)
		note, rest, _ := strings.Cut(first, "\n")
		switch {
		case second != "b\n":
			t.Errorf("engine %q: the second cell says %q", c.engine, second)
		case !c.want && first != "a\n":
			t.Errorf("engine %q: the first cell says %q", c.engine, first)
		case c.want && (note != "Note: "+s.Interprets() || !strings.HasSuffix(note+"\n", told) || rest != "a\n"):
			t.Errorf("engine %q: the first cell says %q", c.engine, first)
		}
	}
}
