package plotting

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

func TestSegments(t *testing.T) {
	for in, want := range map[string]string{
		"plain_text^2 costs $5": "[plain_text^2 costs $5]",
		"$5 and $6":             "[$5 and $6]",
		"10^{-3}":               "[10^{-3}]",
		"$N$ points":            "{N}[ points]",
		`costs \$5, $x$`:        "[costs $5, ]{x}",
		`$\$$`:                  `{\$}`,
		"$":                     "[$]",
		"$$":                    "[$$]",
		"a $b":                  "[a $b]",
	} {
		var got strings.Builder
		for _, s := range segments(in) {
			if s.math {
				fmt.Fprintf(&got, "{%s}", s.text)
			} else {
				fmt.Fprintf(&got, "[%s]", s.text)
			}
		}
		if got.String() != want {
			t.Errorf("%s: %s, want %s", in, got.String(), want)
		}
	}
}

// where returns the place of the piece that shows a text.
func where(t *testing.T, b box, text string) (vg.Point, vg.Length) {
	t.Helper()
	for _, p := range b.pieces {
		if p.text == text {
			return p.at, p.face.Font.Size
		}
	}
	t.Fatalf("no %q in %v", text, b.pieces)
	return vg.Point{}, 0
}

// Scripts of scripts are higher and smaller; numerators are above denominators; a root has its line above all of its body.
func TestFormulaBoxes(t *testing.T) {
	b := setLine("$e^{-x^2}$", face(10))
	e, _ := where(t, b, "e")
	x, small := where(t, b, "x")
	two, smaller := where(t, b, "2")
	if !(e.Y == 0 && x.Y > 2 && two.Y > x.Y+1 && small < 8 && smaller < small) {
		t.Errorf("e at %v, x at %v of %v, 2 at %v of %v", e, x, small, two, smaller)
	}
	b = setLine(`$\frac{a}{b}$`, face(10))
	over, _ := where(t, b, "a")
	under, _ := where(t, b, "b")
	if over.Y < under.Y+7 {
		t.Errorf("a at %v, b at %v", over, under)
	}
	b = setLine(`$\sqrt{x^2+1}$`, face(10))
	if n := len(b.pieces); n < 5 {
		t.Errorf("%d pieces", n)
	}
	one, _ := where(t, b, "1")
	line := b.pieces[0].path
	if end := line[len(line)-1].Pos; end.X < one.X+5 || end.Y < 9 {
		t.Errorf("the line of the root ends at %v, the 1 is at %v", end, one)
	}
	for _, formula := range []string{`\mathrm{max}`, `\log`, `\operatorname{arg}`} {
		if b := setLine("$"+formula+"$", face(10)); b.pieces[0].face.Font.Style != 0 {
			t.Errorf("%s is in italics", formula)
		}
	}
}

func TestUnknownCommands(t *testing.T) {
	for name, draw := range map[string]func(){
		"title":  func() { New(`$\foo$`, "", "") },
		"series": func() { New("", "", "").Line(`$\foo$`, nil, []float64{1}) },
		"label":  func() { New("", "", "").Bars("", []string{`$\foo$`}, []float64{1}) },
		"note":   func() { New("", "", "").Text(0, 0, `$\foo$`) },
		"page":   func() { Panels(1).Titled(`$\foo$`) },
	} {
		func() {
			defer func() {
				if e := recover(); e != `plotting: formula $\foo$: unknown command \foo` {
					t.Errorf("%s: %v", name, e)
				}
			}()
			draw()
		}()
	}
	f := New("", "", "")
	f.Title.Text = `$\foo$`
	if got := f.MIMEBundle()["text/plain"]; got != `plotting: formula $\foo$: unknown command \foo` {
		t.Error(got)
	}
	if err := f.Save(filepath.Join(t.TempDir(), "f.png")); err == nil || !strings.Contains(err.Error(), `\foo`) {
		t.Error(err)
	}
}

func TestWrap(t *testing.T) {
	s := textStyle(10, inkText, text.XLeft, text.YTop)
	for _, txt := range []string{
		strings.Repeat("a word or two ", 20),
		strings.Repeat("abcdefghij", 30),
		`A title with $\frac{a + b}{c}$ in the middle of it and $x = y$ at its end, which is long enough`,
		"short",
	} {
		got := wrap(txt, s, 100, 100)
		for _, line := range strings.Split(got, "\n") {
			if w := s.Width(line); w > 100 {
				t.Errorf("%q is %.0f wide", line, w)
			}
		}
		flat := func(s string) string { return strings.NewReplacer(" ", "", "\n", "").Replace(s) }
		if flat(got) != flat(txt) {
			t.Errorf("%q became %q", txt, got)
		}
	}
	if got := wrap("one two three four five six", s, 30, 2); strings.Count(got, "\n") != 1 || !strings.HasSuffix(got, "…") {
		t.Errorf("%q", got)
	}
}
