package symbols

import (
	"slices"
	"strings"
	"testing"
)

func TestDoc(t *testing.T) {
	for _, test := range []struct{ path, name, member, prefix string }{
		{"fmt", "", "", "Package fmt implements formatted I/O"},
		{"fmt", "Println", "", "Println formats using the default formats"},
		{"strings", "Builder", "", "A Builder is used to efficiently build"},
		{"strings", "Builder", "WriteString", "WriteString appends the contents of s"},
		{"net/http", "Request", "Body", "Body is the request's body."},
		{"io", "Reader", "", "Reader is the interface that wraps"},
		{"math", "Pi", "", "https://oeis.org/A000796"},
		{"go/ast", "Node", "Pos", "position of first character"},
		{"sync/atomic", "Pointer", "Load", "Load atomically loads"},
		{"encoding/binary", "littleEndian", "Uint16", ""},
		{"slices", "Sort", "", "Sort sorts a slice"},
		{"gonum.org/v1/gonum/mat", "Dense", "Mul", "Mul takes the matrix product"},
		{"gonum.org/v1/plot", "Plot", "X", "X and Y are the horizontal"},
		{"builtin", "append", "", "The append built-in function"},
		{"builtin", "error", "", "The error built-in interface"},
		{"unsafe", "Sizeof", "", "Sizeof takes an expression"},
		{"fmt", "NoSuch", "", ""},
		{"nosuch", "", "", ""},
	} {
		got := Doc(test.path, test.name, test.member)
		if !strings.HasPrefix(got, test.prefix) || test.prefix == "" && got != "" && test.name != "littleEndian" {
			t.Errorf("Doc(%q, %q, %q) = %.60q, want %q...", test.path, test.name, test.member, got, test.prefix)
		}
	}
}

func TestExamples(t *testing.T) {
	list := Docs("strings").Examples("Fields", "")
	if want := "fmt.Printf(\"Fields are: %q\", strings.Fields(\"  foo bar  baz   \"))\n// Output:\n// Fields are: [\"foo\" \"bar\" \"baz\"]"; len(list) != 1 || list[0].Code != want {
		t.Errorf("got %q, want %q", list, want)
	}
	if list := Docs("time").Examples("Time", "Format"); len(list) < 2 {
		t.Errorf("time.Time.Format has %d examples", len(list))
	}
}

func BenchmarkDocs(b *testing.B) {
	archive, _ := docsFiles()
	list := readArchive(archive)
	at := slices.IndexFunc(list, func(e entry) bool { return e.path == "net/http" })
	for b.Loop() {
		unpackDocs(string(inflate(list[at].data)))
	}
}
