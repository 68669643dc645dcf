package headless

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"gaucho/command/notebook"
	"gaucho/interp"
)

// A script is a session that takes each line of a cell as an order.
type script struct {
	rec   *Recorder
	cells []interp.Cell
}

func (s *script) Execute(ctx context.Context, cell interp.Cell) interp.Result {
	s.cells = append(s.cells, cell)
	for line := range strings.SplitSeq(cell.Source, "\n") {
		order, arg, _ := strings.Cut(line, " ")
		switch order {
		case "out", "err":
			s.rec.Stream(cell.ID, "std"+order, arg+"\n")
		case "show", "update":
			id, text, _ := strings.Cut(arg, " ")
			s.rec.Display(cell.ID, interp.Display{Data: map[string]any{"text/plain": text}, ID: id, Update: order == "update"})
		case "clear":
			s.rec.Clear(cell.ID, arg == "wait")
		case "later":
			s.rec.Stream("1", "stdout", arg)
		case "ask":
			if _, err := s.rec.Input(ctx, cell.ID, "?", false); err != nil {
				return interp.Result{Err: &interp.Error{Name: "input", Value: err.Error()}}
			}
		case "value":
			return interp.Result{Display: &interp.Display{Data: map[string]any{"text/plain": arg}}}
		case "fail":
			return interp.Result{Err: &interp.Error{Name: "runtime error", Value: arg, Traceback: []string{"line 1", "line 2"}}}
		case "wait":
			<-ctx.Done()
			return interp.Result{Err: &interp.Error{Name: "Interrupt", Value: "interrupted", Traceback: []string{"in step"}}}
		}
	}
	return interp.Result{}
}

// show lists a cell's outputs in one line.
func show(c *notebook.Cell) string {
	var parts []string
	for _, o := range c.Outputs {
		switch o.Type {
		case "stream":
			parts = append(parts, fmt.Sprintf("%s:%q", o.Name, o.Text))
		case "error":
			parts = append(parts, "error:"+o.Ename+": "+o.Evalue)
		case "execute_result":
			parts = append(parts, fmt.Sprintf("[%d]%v", o.Count, o.Data["text/plain"]))
		default:
			parts = append(parts, fmt.Sprint(o.Data["text/plain"]))
		}
	}
	return strings.Join(parts, " ")
}

// cells returns a notebook of code cells.
func cells(sources ...string) *notebook.Notebook {
	nb := &notebook.Notebook{Minor: 5}
	for _, s := range sources {
		nb.Cells = append(nb.Cells, &notebook.Cell{Type: "code", Source: s})
	}
	return nb
}

func TestRun(t *testing.T) {
	nb := cells(
		"out a\nout b\nerr c\nout d\nvalue 7",
		"  \n",
		"show x one\nout\nshow x two\nshow y three",
		"update x new\nclear\nout done\nlater after the end",
		"out old\nclear wait\nclear wait",
		"out old\nclear wait\nout new",
		"out old\nclear",
	)
	nb.Cells[1].Outputs = []*notebook.Output{{Type: "stream", Text: "stale"}}
	nb.Cells[0].Outputs = []*notebook.Output{{Type: "stream", Text: "stale"}}
	nb.Cells = append(nb.Cells, &notebook.Cell{Type: "markdown", Source: "out no"})
	rec := NewRecorder()
	var out, errs strings.Builder
	rec.Stdout, rec.Stderr = &out, &errs
	if err := Run(t.Context(), nb, &script{rec: rec}, rec, &Options{Version: "0.1.0 (abc)"}); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		`stdout:"a\nb\n" stderr:"c\n" stdout:"d\n" [1]7 stdout:"after the end"`,
		"",
		`new stdout:"\n" new three`,
		`stdout:"done\n"`,
		`stdout:"old\n"`,
		`stdout:"new\n"`,
		"",
		"",
	} {
		if got := show(nb.Cells[i]); got != want {
			t.Errorf("cell %d: %s, want %s", i, got, want)
		}
	}
	if nb.Cells[1].Count != 0 || nb.Cells[2].Count != 2 {
		t.Errorf("counts %d, %d: an empty cell must have none", nb.Cells[1].Count, nb.Cells[2].Count)
	}
	lang, _ := nb.Metadata["language_info"].(map[string]any)
	if nb.Language() != "go" || nb.Metadata["kernelspec"] == nil || lang["gaucho"] != "0.1.0 (abc)" {
		t.Errorf("metadata %v", nb.Metadata)
	}
	if want := "a\nb\nd\n7\none\n\ntwo\nthree\ndone\nafter the endnew\nold\nold\nnew\nold\n"; out.String() != want || errs.String() != "c\n" {
		t.Errorf("echoed %q and %q", out.String(), errs.String())
	}
}

// A cell tagged skip-execution does not run, is not counted, and keeps what it shows.
func TestRunSkips(t *testing.T) {
	nb := cells("out a", "fail index", "out b")
	nb.Cells[1].Metadata = map[string]any{"tags": []any{"skip-execution"}}
	nb.Cells[1].Outputs = []*notebook.Output{{Type: "stream", Name: "stdout", Text: "kept"}}
	rec := NewRecorder()
	s := &script{rec: rec}
	if err := Run(t.Context(), nb, s, rec, nil); err != nil {
		t.Fatal(err)
	}
	if len(s.cells) != 2 || nb.Cells[2].Count != 2 || len(nb.Cells[1].Outputs) != 1 || nb.Cells[1].Outputs[0].Text != "kept" {
		t.Errorf("%d cells ran, the last as number %d, and the second shows %s", len(s.cells), nb.Cells[2].Count, show(nb.Cells[1]))
	}
}

func TestRunStops(t *testing.T) {
	for _, c := range []struct {
		options Options
		tag     string
		ran     int
	}{
		{Options{}, "", 2},
		{Options{AllowErrors: true}, "", 3},
		{Options{}, "raises-exception", 3},
	} {
		nb := cells("out a", "fail index", "out b")
		if c.tag != "" {
			nb.Cells[1].Metadata = map[string]any{"tags": []any{c.tag}}
		}
		nb.Cells[2].Outputs = []*notebook.Output{{Type: "stream", Text: "stale"}}
		rec := NewRecorder()
		s := &script{rec: rec}
		err := Run(t.Context(), nb, s, rec, &c.options)
		var ce *CellError
		if stops := c.ran == 2; errors.As(err, &ce) != stops || stops && (ce.Index != 1 || ce.Number != 2 || err.Error() != "In [2]: runtime error: index") {
			t.Errorf("%+v %q: error is %v", c.options, c.tag, err)
		}
		if len(s.cells) != c.ran || show(nb.Cells[1]) != "error:runtime error: index" {
			t.Errorf("%+v %q: ran %d cells, %s", c.options, c.tag, len(s.cells), show(nb.Cells[1]))
		}
		if c.ran == 2 && show(nb.Cells[2]) != "" {
			t.Errorf("a cell that did not run shows %s", show(nb.Cells[2]))
		}
	}
}

func TestRunTimeout(t *testing.T) {
	nb := cells("out a", "wait")
	rec := NewRecorder()
	err := Run(t.Context(), nb, &script{rec: rec}, rec, &Options{Timeout: 10 * time.Millisecond})
	var ce *CellError
	if !errors.As(err, &ce) || ce.Err.Name != "Timeout" || !strings.Contains(ce.Err.Value, "longer than 10ms") {
		t.Fatal(err)
	}
	if tb := ce.Err.Traceback; len(tb) != 2 || tb[1] != "in step" {
		t.Errorf("traceback %q", tb)
	}
}

func TestRunCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	nb := cells("out a", "wait", "out b")
	rec := NewRecorder()
	time.AfterFunc(10*time.Millisecond, cancel)
	if err := Run(ctx, nb, &script{rec: rec}, rec, &Options{AllowErrors: true}); err != context.Canceled {
		t.Error(err)
	}
	if show(nb.Cells[1]) != "error:Interrupt: interrupted" || show(nb.Cells[2]) != "" {
		t.Errorf("%s, %s", show(nb.Cells[1]), show(nb.Cells[2]))
	}
}

func TestRunNoInput(t *testing.T) {
	nb := cells("ask")
	rec := NewRecorder()
	if err := Run(t.Context(), nb, &script{rec: rec}, rec, nil); err == nil || !strings.Contains(err.Error(), "cannot ask for input") {
		t.Error(err)
	}
}

func TestRunOtherLanguage(t *testing.T) {
	nb := cells("print(1)")
	nb.Metadata = map[string]any{"kernelspec": map[string]any{"name": "python3", "language": "python"}}
	rec := NewRecorder()
	err := Run(t.Context(), nb, &script{rec: rec}, rec, nil)
	if err == nil || err.Error() != `the notebook's language is "python", must be go` {
		t.Error(err)
	}
}

func TestBar(t *testing.T) {
	var out strings.Builder
	b := NewBar(&out, "herding", func() int { return 60 })
	b.Cell(3, 12, "// The sizes.\n\nfor n := range\t200 {\n}")
	b.Close()
	if got, want := b.text(67*time.Second), "herding ━━━━━━────────────────── 3/12 1:07  for n := range "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if !strings.HasSuffix(out.String(), "\r\x1b[K") {
		t.Errorf("the bar leaves its line: %q", out.String())
	}
	for d, want := range map[time.Duration]string{5 * time.Second: "0:05", 3723 * time.Second: "1:02:03"} {
		if got := clock(d); got != want {
			t.Errorf("%v: %s", d, got)
		}
	}
}
