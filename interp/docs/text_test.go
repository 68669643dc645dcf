package docs

import (
	"maps"
	"strings"
	"testing"
)

// TestText: what is written is read again, with every end of line.
func TestText(t *testing.T) {
	all := map[string]Docs{
		"a/b": {"": "Package b.\n\nMore § of it.\n", "X": "X is.\n", "X.Y": "", "X=two": "\nf()\n\n"},
		"a/c": {"F": "F does"},
		"a/d": {},
	}
	text, err := WriteAll(all)
	if err != nil {
		t.Fatal(err)
	}
	parts := Split(text)
	if len(parts) != len(all) {
		t.Errorf("%d packages in\n%s", len(parts), text)
	}
	for path, want := range all {
		if got := Parse(parts[path]); !maps.Equal(got, want) {
			t.Errorf("%s comes back as %q, want %q", path, got, want)
		}
	}
	if _, err := WriteAll(map[string]Docs{"a": {"X": "X is\n§ 1"}}); err == nil || !strings.Contains(err.Error(), "a.X") {
		t.Errorf("a line that begins as a key's does is written: %v", err)
	}
}
