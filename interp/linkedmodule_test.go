package interp

import "testing"

// TestLinkedModule: a module that the program has in itself, for its own use, is in a session the one that the session asks for, of another
// version and with what the program has under the same names.
func TestLinkedModule(t *testing.T) {
	dir := writeFiles(t, map[string]string{
		"lab/go.mod": "module lab\n\ngo 1.26\n\nrequire (\n\tgithub.com/google/uuid v1.99.0\n\tgolang.org/x/text v0.99.0\n)\n\n" +
			"replace github.com/google/uuid => ../uuid\n\nreplace golang.org/x/text => ../text\n",
		"uuid/go.mod": "module github.com/google/uuid\n\ngo 1.21\n\nrequire golang.org/x/text v0.99.0\n",
		"uuid/uuid.go": `package uuid

import "golang.org/x/text/language"

var size = language.Index("abc").Len()

func init() { size += 10 }

type UUID struct{ N int }

func New() UUID { return UUID{size} }

func (u UUID) String() string { return "mine" }

func Map[T any](x T, f func(T) UUID) []UUID { return []UUID{f(x)} }

func Fail(none []int) int { return none[3] }
`,
		"text/go.mod":               "module golang.org/x/text\n\ngo 1.21\n",
		"text/language/language.go": "package language\n\ntype Index string\n\nfunc (x Index) Len() int { return len(x) }\n",
	})
	r := &transcript{}
	s := startIn(t, "native", dir+"/lab", r)
	checkCells(t, s, r, []cellCheck{
		{"import \"github.com/google/uuid\"\nu := uuid.New()\nfmt.Sprintf(\"%d %v %T\", u.N, u, u)", []string{`= "13 mine uuid.UUID"`}},
		{"func twice(n int) uuid.UUID { return uuid.UUID{2 * n} }\nuuid.Map(21, twice)[0].N", []string{"= 42"}},
		{"_, same := any(twice(1)).(uuid.UUID)\nsame", []string{"= true"}},
		{"uuid.Fail(nil)", []string{"index out of range [3] with length 0", "Cell [4], line 1"}},
	})
}
