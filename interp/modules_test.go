package interp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// inLab starts a session beside the go.mod of testdata/modules/lab, where nothing is fetched.
func inLab(t *testing.T, engine string, r Sink) *Session {
	t.Helper()
	t.Setenv("GOPROXY", "off")
	return startIn(t, engine, filepath.Join("testdata", "modules", "lab"), r) // relative: the compiler runs elsewhere
}

func startIn(t *testing.T, engine, dir string, r Sink) *Session {
	t.Helper()
	o := Options{Sink: r, Engine: engine, Dir: dir}
	if engine == "native" {
		o.Worker = nativeProgram(t)
	}
	return newSessionFor(t, nativePatience, o)
}

// TestModuleCells: cells that import modules. The native engine must show the same.
func TestModuleCells(t *testing.T) {
	text, err := os.ReadFile("testdata/modules/cells.txt")
	if err != nil {
		t.Fatal(err)
	}
	r := &transcript{}
	s := inLab(t, "", r)
	runSnippets(t, s, r, snippets(string(text)), agrees)
}

// TestModuleTrouble: what the interpreter cannot run of a module is refused with the reason and the place, and what is not
// to be had is said in words; the session goes on.
func TestModuleTrouble(t *testing.T) {
	r := &transcript{}
	s := inLab(t, "", r)
	checkCells(t, s, r, []cellCheck{
		{"import \"example.org/trouble/c\"\nc.One()", []string{"package example.org/trouble/c uses cgo"}},
		{"import \"example.org/trouble/broken\"", []string{"example.org/trouble/broken does not compile", "example.org/trouble@v0.1.0/broken/broken.go:3:23"}},
		{"import \"example.org/trouble/prog\"", []string{"is a program, not an importable package"}},
		{"import \"example.org/trouble/empty\"", []string{"package example.org/trouble/empty has no files for"}},
		{"import \"example.org/trouble/nothing\"", []string{"module example.org/trouble@v0.1.0 has no package example.org/trouble/nothing"}},
		{"import \"example.org/nowhere\"", []string{"package example.org/nowhere cannot be had", "cannot be fetched without a network"}},
		{"import \"lab/internal/mean\"\nmean.Of([]float64{1, 3})", []string{"= 2"}},
		{"import \"example.org/shapes/internal/x\"", []string{"use of internal package example.org/shapes/internal/x not allowed"}},
		{"import \"nostd\"", []string{"package nostd is not in std, gonum or gaucho"}},
		{"import \"example.org/trouble/asm\"\nasm.Add(1, 2)", []string{
			"CompileError: example.org/trouble/asm.Add cannot be interpreted: a function without a body, at asm.go:5 (the native engine runs it)", "line 2, column 1"}},
		{"import \"example.org/trouble/asm\"\nasm.Sub(3, 2)", []string{"= 1"}},
		{"import \"example.org/trouble/panics\"\npanics.N()", []string{"no table", "Cell [12], line 1", "panics.go:8, where panics.build starts"}},
		{"panics.N()", []string{"undefined: panics"}},
		{"import \"example.org/shapes\"\nsq := shapes.NewSquare(\"Bob\", 2)\nshapes.Fail(len(sq.Name)-3)", []string{
			"integer divide by zero", "Cell [14], line 3", "example.org/shapes@v1.2.0/shapes.go:187, where shapes.Fail starts", "    func Fail(n int) int {"}},
		{"shapes.Peek(sq)", []string{"CompileError: example.org/shapes.Peek cannot be interpreted: unsafe.Add, at shapes.go:170"}},
		{"shapes.Maybe(sq, false)", []string{"= 2"}},
		{"shapes.Maybe(sq, true)", []string{
			"example.org/shapes.Peek cannot be interpreted: unsafe.Add, at shapes.go:170 (the native engine runs it)", "where shapes.Maybe starts"}},
		{"fmt.Println(shapes.Known(), sq.Name)", []string{"false Bob"}},
	})
}

// A cellCheck is a cell and what must be in what it shows.
type cellCheck struct {
	src  string
	want []string
}

func checkCells(t *testing.T, s *Session, r *transcript, cells []cellCheck) {
	t.Helper()
	for i, c := range cells {
		got := runCell(s, r, i+1, c.src)
		for _, w := range c.want {
			if !strings.Contains(got, w) {
				t.Errorf("%s\ngot %s\nwant %s", c.src, got, w)
			}
		}
	}
}

// TestModuleLooks: what modules have is completed and documented from their source, before and after a cell has run.
func TestModuleLooks(t *testing.T) {
	r := &transcript{}
	s := inLab(t, "", r)
	lookAtModules(t, s)
	runCell(s, r, 1, "import \"example.org/shapes\"\nsq := shapes.NewSquare(\"Ann\", 2)")
	lookAtModules(t, s)
}

// lookAtModules completes and inspects at the mark | of half-written cells.
func lookAtModules(t *testing.T, s *Session) {
	t.Helper()
	const head = "import \"example.org/shapes\"\n"
	for _, c := range []struct{ src, want string }{
		{"import \"example.org/sh|", "example.org/shapes example.org/shapes/registry"},
		{"import \"la|", "lab"},
		{head + "shapes.Ne|", "NewSquare"},
		{head + "q := shapes.NewSquare(\"\", 1)\nq.|", "A Area Name Hello"},
		{head + "shapes.Circle{|", "R: "},
	} {
		src, _, _ := strings.Cut(c.src, "|")
		var got []string
		for _, it := range s.Complete(src, len(src)).Items {
			got = append(got, it.Text)
		}
		if all := strings.Join(got, " "); all != c.want && !strings.HasPrefix(all, c.want+" ") {
			t.Errorf("%s is completed with %s, want %s", src, all, c.want)
		}
	}
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"shape|s.Check(nil)", []string{"package shapes // import \"example.org/shapes\"", "figures of the plane"}},
		{"shapes.Chec|k(nil)", []string{"func shapes.Check(s shapes.Shape) error", "Check fails for what is too small.", "Output:"}},
		{"shapes.NewSquare(|", []string{"func shapes.NewSquare(name string, a float64) *shapes.Square", "returns a named square"}},
		{"shapes.NewSquare(\"\", 1).Hel|lo()", []string{"Hello() string", "Hello is promoted"}},
		{"var c shapes.Circ|le", []string{"type Circle struct", "R float64", "A Circle is round."}},
		{"shapes.ErrNo|ne", []string{"var shapes.ErrNone error", "error of nothing"}},
	} {
		before, after, _ := strings.Cut(head+c.src, "|")
		bundle, _ := s.Inspect(before+after, len(before), 1)
		text, _ := bundle["text/plain"].(string)
		for _, w := range c.want {
			if !strings.Contains(text, w) {
				t.Errorf("%s is described by\n%s\nwant %s", c.src, text, w)
			}
		}
	}
}

// TestGet: a module from the network's proxy, its version pinned; another version asks for a new worker.
// The UUID is the one that uuid.uuid5(uuid.NAMESPACE_DNS, "go.dev") of Python 3 gives.
func TestGet(t *testing.T) {
	r := &transcript{}
	s := startIn(t, "", t.TempDir(), r)
	checkCells(t, s, r, []cellCheck{
		{"%get", []string{"ModuleError", "%get needs a module"}},
		{"%get github.com/google/uuid@v1.6.0", []string{"Added: github.com/google/uuid v1.6.0"}},
		{"import \"github.com/google/uuid\"\nu := uuid.NewSHA1(uuid.NameSpaceDNS, []byte(\"go.dev\"))\nfmt.Println(u, u.Version())",
			[]string{"91da4ff0-bcdb-5fa4-b85d-7c2de6ebc8fe VERSION_5"}},
		{"%get github.com/google/uuid@v1.6.0", []string{"Nothing to add."}},
		{"%get github.com/google/uuid@v1.5.0", []string{"github.com/google/uuid from v1.6.0 to v1.5.0", "%get -f github.com/google/uuid@v1.5.0 starts a new worker"}},
		{"u.Variant()", []string{"RFC4122"}},
		{"%get -f github.com/google/uuid@v1.5.0", []string{"A new worker has started, and all variables are lost."}},
		{"import \"github.com/google/uuid\"\nuuid.Nil", []string{"00000000-0000-0000-0000-000000000000"}},
		{"u", []string{"undefined: u"}},
	})
}

// TestGetAndImport: %get in the cell that imports the package chooses its version, and once. uuid has NewV7 since v1.6.0.
func TestGetAndImport(t *testing.T) {
	r := &transcript{}
	s := startIn(t, "", t.TempDir(), r)
	got := runCell(s, r, 1, "%get github.com/google/uuid@v1.3.0\nimport \"github.com/google/uuid\"\nuuid.Nil")
	if !strings.Contains(got, "Added: github.com/google/uuid v1.3.0") || !strings.Contains(got, "00000000-") || strings.Contains(got, "Nothing to add") {
		t.Errorf("the cell gave %s", got)
	}
	if got := runCell(s, r, 2, "uuid.NewV7()"); !strings.Contains(got, "undefined: uuid.NewV7") {
		t.Errorf("a later cell gave %s", got)
	}
}

// TestNoModules: a session with forbidden packages fetches nothing.
func TestNoModules(t *testing.T) {
	r := &transcript{}
	s := newSession(t, Options{Sink: r, Dir: "testdata/modules/lab", Forbidden: []string{"os/exec"}})
	checkCells(t, s, r, []cellCheck{
		{"%get github.com/google/uuid@v1.6.0", []string{"modules are not fetched in this session"}},
		{"import \"example.org/shapes\"", []string{"no module that comes with Gaucho provides package example.org/shapes, and this session fetches none"}},
	})
}
