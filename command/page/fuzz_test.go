package page

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"gaucho/command/notebook"
)

// FuzzNotebook: what can be read can be written and read again, and has a page.
func FuzzNotebook(f *testing.F) {
	for _, name := range []string{"../notebook/testdata/nbformat.ipynb", "testdata/small.ipynb"} {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		nb, err := notebook.Decode(data)
		if err != nil {
			return
		}
		var buf bytes.Buffer
		if err := nb.Encode(&buf); err != nil {
			t.Fatalf("read, but cannot be written: %v", err)
		}
		if _, err := notebook.Decode(buf.Bytes()); err != nil {
			t.Fatalf("written, but cannot be read: %v", err)
		}
		if err := Write(&buf, nb, nil); err != nil {
			t.Fatalf("no page: %v", err)
		}
	})
}

// FuzzMarkdown: no text keeps a page from being made, or brings a script of its own into one that is not trusted.
func FuzzMarkdown(f *testing.F) {
	for _, s := range tangled(100) {
		f.Add(s)
	}
	f.Add("<script>alert(1)</script> [a](javascript:alert(1)) $x<script>$ \\begin{a}<img src=x onerror=a>\\end{a}")
	f.Fuzz(func(t *testing.T, s string) {
		page := newMarkdown("", false).render(s, nil)
		if strings.Contains(strings.ToLower(page), "<script") || strings.Contains(strings.ToLower(page), `"javascript:`) {
			t.Errorf("%q becomes %q", s, page)
		}
	})
}
