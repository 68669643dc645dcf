package headless

import (
	"io"
	"strings"
	"testing"
	"time"

	"gaucho/command/notebook"
	"gaucho/interp"
)

func TestConsole(t *testing.T) {
	var out, errs strings.Builder
	c := &Console{Stdout: &out, Stderr: &errs, Stdin: strings.NewReader("one\r\ntwo"), Password: func() (string, error) { return "secret", nil }}
	c.Stream("1", "stdout", "a\n")
	c.Stream("1", "stderr", "b\n")
	c.Display("1", interp.Display{Data: map[string]any{"text/plain": "v", "text/html": "<b>v</b>"}})
	c.Display("1", interp.Display{Data: map[string]any{"text/html": "<b>v</b>"}})
	for _, want := range []string{"one", "two"} {
		if got, err := c.Input(t.Context(), "1", "? ", false); got != want || err != nil {
			t.Errorf("read %q, %v, want %q", got, err, want)
		}
	}
	if _, err := c.Input(t.Context(), "1", "", false); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
	if got, err := c.Input(t.Context(), "1", "", true); got != "secret" || err != nil {
		t.Errorf("password: %q, %v", got, err)
	}
	if out.String() != "a\nv\n? ? " || errs.String() != "b\n" {
		t.Errorf("wrote %q and %q", out.String(), errs.String())
	}
}

// TestTextIsALine: the text of a value ends in one newline, as a program prints it.
func TestTextIsALine(t *testing.T) {
	for _, text := range []string{"one line", "one line\n"} {
		var console, recorded strings.Builder
		d := interp.Display{Data: map[string]any{"text/plain": text}}
		(&Console{Stdout: &console}).Display("1", d)
		rec := NewRecorder()
		rec.Stdout = &recorded
		rec.add("1", &notebook.Cell{})
		rec.result("1", &d, 1)
		if want := "one line\n"; console.String() != want || recorded.String() != want {
			t.Errorf("%q is written as %q and %q, want %q", text, console.String(), recorded.String(), want)
		}
	}
}

// TestRecorderWritesUpdates: what replaces a display is written when it is long ago that the display was, and at the end of its cell.
func TestRecorderWritesUpdates(t *testing.T) {
	var out strings.Builder
	rec := NewRecorder()
	rec.Stdout = &out
	rec.add("1", &notebook.Cell{})
	show := func(text string, update bool) {
		rec.Display("1", interp.Display{ID: "bar", Update: update, Data: map[string]any{"text/plain": text}})
	}
	show("0 of 9", false)
	show("1 of 9", true)
	rec.written[0].at = time.Now().Add(-2 * writeEvery)
	show("5 of 9", true)
	show("8 of 9", true)
	show("9 of 9", true)
	rec.ended()
	rec.ended()
	if got, want := out.String(), "0 of 9\n5 of 9\n9 of 9\n"; got != want {
		t.Errorf("wrote %q, want %q", got, want)
	}
}
