package interp

import (
	"context"
	"fmt"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"gaucho/interp/cell"
	"gaucho/interp/check"
	"gaucho/interp/wire"
)

// who lists the names of the session.
func (s *Session) who(_ context.Context, c Cell, _ string) *wire.Error {
	s.front.Lock()
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	for _, name := range slices.Sorted(maps.Keys(s.front.scope.Names)) {
		if check.Hidden(name) {
			continue
		}
		switch obj := s.front.scope.Names[name].Obj.(type) {
		case *types.Func:
			fmt.Fprintf(w, "func\t%s\t%s\n", name, check.TypeString(obj.Type()))
		case *types.TypeName:
			fmt.Fprintf(w, "type\t%s\t%s\n", name, check.TypeString(obj.Type().Underlying()))
		case *types.Const:
			fmt.Fprintf(w, "const\t%s\t%s\n", name, obj.Val())
		default:
			fmt.Fprintf(w, "var\t%s\t%s\n", name, check.TypeString(obj.Type()))
		}
	}
	s.front.Unlock()
	w.Flush()
	if b.Len() == 0 {
		b.WriteString("There are no variables, functions or types.\n")
	}
	s.opts.Sink.Stream(c.ID, "stdout", b.String())
	return nil
}

// del forgets names. A variable that no function mentions leaves its memory to one of another type.
func (s *Session) del(ctx context.Context, c Cell, arg string) *wire.Error {
	names := strings.Fields(arg)
	var free []string
	s.front.Lock()
	for _, name := range names {
		e := s.front.scope.Names[name]
		if e == nil || check.Hidden(name) {
			s.front.Unlock()
			return &wire.Error{Name: "error", Value: fmt.Sprintf("%%del: no cell has declared %s; %%who lists what there is", name)}
		}
		if _, isVar := e.Obj.(*types.Var); isVar && !s.front.scope.Mentioned(e.Obj) {
			free = append(free, name)
		}
	}
	s.front.Unlock()
	if len(free) > 0 {
		res := s.executeSource(ctx, Cell{ID: c.ID, Number: c.Number, Source: "var " + strings.Join(free, ", ") + " struct{}", Aside: true})
		if res.Err != nil {
			return &wire.Error{Name: res.Err.Name, Value: res.Err.Value}
		}
	}
	s.front.Lock()
	defer s.front.Unlock()
	for _, name := range names {
		s.front.scope.Forget(name)
	}
	return nil
}

// resetMagic forgets all names and values.
func (s *Session) resetMagic(_ context.Context, c Cell, _ string) *wire.Error {
	if s.opts.NoReset {
		s.opts.Sink.Stream(c.ID, "stdout", "%reset does nothing here.\n")
		return nil
	}
	if err := s.worker.Restart(); err != nil {
		return &wire.Error{Name: "WorkerError", Value: err.Error(), Lost: true}
	}
	s.saves.take()
	s.renew(nil)
	s.front.Lock()
	defer s.front.Unlock()
	s.front.replay.Lose(slices.Collect(maps.Keys(s.front.replay.Data))...)
	return nil
}

// load puts the text of a file into the cell.
func (s *Session) load(ctx context.Context, c Cell, arg string) *wire.Error {
	if !filepath.IsAbs(arg) {
		arg = filepath.Join(s.workingDir(ctx, c), arg)
	}
	text, err := os.ReadFile(arg)
	if err != nil {
		return &wire.Error{Name: "error", Value: err.Error()}
	}
	next := string(text)
	s.next = &next
	return nil
}

// workingDir is the directory that cells work in, which they may have changed.
func (s *Session) workingDir(ctx context.Context, c Cell) string {
	res := s.executeSource(ctx, Cell{ID: c.ID, Number: c.Number, Source: "func() string { d, _ := os.Getwd(); return d }()", Aside: true})
	if res.Err == nil && res.Display != nil {
		text, _ := res.Display.Data["text/plain"].(string)
		if dir, err := strconv.Unquote(text); err == nil && dir != "" {
			return dir
		}
	}
	return s.opts.Dir
}

// docMagic shows the documentation of a name.
func (s *Session) docMagic(_ context.Context, c Cell, arg string) *wire.Error {
	bundle, ok := s.Inspect(arg, len(arg), 1)
	if !ok {
		return &wire.Error{Name: "error", Value: fmt.Sprintf("there is no documentation for %s; it may be misspelled", arg)}
	}
	s.opts.Sink.Display(c.ID, Display{Data: bundle})
	return nil
}

// replayMagic runs the declarations of workers that are gone again, with what was saved of variables, as far as the session does
// not have them. Functions that use what is not there are left out.
func (s *Session) replayMagic(ctx context.Context, c Cell, _ string) *wire.Error {
	s.front.Lock()
	d := s.front.replay.Absent(s.front.scope)
	s.front.Unlock()
	if d.Empty() {
		s.opts.Sink.Stream(c.ID, "stdout", "There is nothing to run again.\n")
		return nil
	}
	d.LeaveOut()
	if err := s.bringBack(ctx, c, d); err != nil {
		return err
	}
	for _, said := range []struct {
		what  string
		names []string
	}{
		{"Declared again", d.Names()},
		{"Brought back as last saved", slices.Sorted(maps.Keys(d.Data))},
		{"Not saved, declare them again", slices.Sorted(maps.Keys(d.Lost))},
		{"Not declared again, because they use what is not there", d.Without},
	} {
		names := slices.DeleteFunc(said.names, check.Hidden)
		if len(names) > 0 {
			s.opts.Sink.Stream(c.ID, "stdout", said.what+": "+strings.Join(names, ", ")+"\n")
		}
	}
	return nil
}

// formatMagic formats the cell that it is in, or with on every cell that runs from now on.
func (s *Session) formatMagic(_ context.Context, c Cell, arg string) *wire.Error {
	switch arg {
	case "":
		s.formatCell(c)
	case "on", "off":
		s.formats = arg == "on"
	default:
		return &wire.Error{Name: "error", Value: fmt.Sprintf("%%fmt: %s must be on, off or nothing", arg)}
	}
	return nil
}

// formatCell puts a cell's text in gofmt's form into it, without a line that asked for that.
func (s *Session) formatCell(c Cell) {
	text := cell.Format(cell.Without(c.Source, "%fmt"))
	if text != c.Source && strings.TrimSpace(text) != "" {
		s.next = &text
	}
}
