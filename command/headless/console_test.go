package headless

import (
	"io"
	"strings"
	"testing"

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
