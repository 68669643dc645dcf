package check

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"gaucho/interp/cell"
)

var update = flag.Bool("update", false, "rewrite what is said of the cells of testdata/foreign.txt")

// TestForeign holds what is said of the lines that people from Python, R and C type first, in testdata/foreign.txt: the error is
// the compiler's, ! and what comes after it in parentheses is ours. A line after = is a note.
func TestForeign(t *testing.T) {
	const file = "testdata/foreign.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	x := newTester(t)
	var all strings.Builder
	for block := range strings.SplitSeq(strings.TrimSuffix(string(text), "\n"), "\n\n") {
		var c []string
		for line := range strings.SplitSeq(block, "\n") {
			if !strings.HasPrefix(line, "! ") && !strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "= ") {
				c = append(c, line)
			}
		}
		got := strings.Join(c, "\n") + "\n" + x.said(strings.Join(c, "\n"))
		if all.WriteString(got + "\n"); got != block+"\n" && !*update {
			t.Errorf("got\n%s\nwant\n%s", got, block)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.TrimSuffix(all.String(), "\n")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// said is what a session says of a cell, without places.
func (x *tester) said(src string) string {
	x.cell++
	var b strings.Builder
	parsed, problems := cell.Read(src).Parse(x.c.Fset, x.cell, cell.Options{})
	if problems == nil {
		work := x.scope.Clone()
		AddMusts(x.c.Fset, parsed, work)
		show := cell.ShownPieces(parsed)
		walk := Walk{Stage: func(st *cell.Stage) (*Checked, []cell.Problem) {
			ch, problems := x.c.Check(x.cell, work, st, show)
			for i := 0; problems == nil && i < len(ch.Notes); i++ {
				fmt.Fprintf(&b, "= %s\n", ch.Notes[i])
			}
			return ch, problems
		}}
		if problems = walk.Through(parsed, work); problems == nil {
			x.scope = work
		}
	}
	for _, p := range problems {
		fmt.Fprintf(&b, "! %s\n", strings.ReplaceAll(p.Msg, "\n\t", "; "))
		if p.Hint != "" {
			fmt.Fprintf(&b, "| %s\n", p.Hint)
		}
	}
	return b.String()
}
