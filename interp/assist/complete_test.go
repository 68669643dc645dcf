package assist

import (
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"gaucho/interp/cell"
	"gaucho/interp/check"
	"gaucho/interp/docs"
)

// frontEnd is what is known of a session in which cells were declared.
func frontEnd(t testing.TB, cells ...string) *View {
	t.Setenv("GOMODCACHE", t.TempDir())
	dir := t.TempDir()
	c, lib := check.Open(token.NewFileSet(), dir, nil, nil)
	scope := check.NewScope()
	for i, src := range cells {
		parsed, errs := cell.Parse(c.Fset, i+1, src, cell.Split(src))
		if errs != nil {
			t.Fatal(src, errs)
		}
		walk := check.Walk{Stage: func(st *cell.Stage) (*check.Checked, []cell.Problem) { return c.Check(i+1, scope, st, nil) }}
		if problems := walk.Through(parsed, scope); problems != nil {
			t.Fatal(src, problems)
		}
	}
	return &View{Lock: &sync.Mutex{}, Checker: c, Scope: scope, Library: lib, Docs: map[string]docs.Docs{}, Dir: dir}
}

func TestComplete(t *testing.T) {
	s := frontEnd(t,
		"type Point struct{ X, Y float64; name string }\nfunc (p *Point) Move(dx float64) {}\nvar pt Point",
		"points := []Point{}\nimport \"math/rand\"")
	for _, name := range []string{"data/plants.csv", "notes.txt"} {
		os.MkdirAll(filepath.Join(s.Dir, "data"), 0o755)
		if err := os.WriteFile(filepath.Join(s.Dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		src  string   // | is the cursor
		want []string // that must be offered, in order
		not  []string
	}{
		{"strings.Has|", []string{"HasPrefix", "HasSuffix"}, []string{"Index"}},
		{"pt.|", []string{"X", "Y", "name", "Move"}, nil},
		{"pt.m|", []string{"Move"}, []string{"X"}},
		{"poi|", []string{"points"}, nil},
		{"Poi|", []string{"Point", "points"}, nil},
		{"for _, q := range points {\n\tq.|", []string{"X", "Y", "name", "Move"}, nil},
		{"for _, q := range points {\n\tif q.|\n}", []string{"X", "Y"}, nil},
		{"func f(alpha int) {\n\tal|\n}", []string{"alpha"}, nil},
		{"f := func(alpha, beta int) int {\n\treturn al|", []string{"alpha"}, nil},
		{"q := Point{|}", []string{"X: ", "Y: ", "name: "}, nil},
		{"q := Point{X: 1, |}", []string{"Y: "}, []string{"X: "}},
		{"import \"gonum.org/v1/gonum/sta|", []string{"gonum.org/v1/gonum/stat"}, nil},
		{"%ti|", []string{"%time", "%timeit"}, nil},
		{"%time strings.HasP|", []string{"HasPrefix"}, nil},
		{"rand.Se|", []string{"Seed"}, nil},
		{"x := strings.NewReader(\"a\")\nx.Read|", []string{"Read", "ReadAt", "ReadByte", "ReadRune"}, nil},
		{"var b strings.Builder\nb.Wr|\nfmt.Println(b)", []string{"Write", "WriteByte", "WriteRune", "WriteString"}, nil},
		{"ret|", []string{"return"}, nil},
		{"mat.NewD|", []string{"NewDense"}, nil},
		{"xs := []int{1}\nfmt.Println(len(xs|", []string{"xs"}, nil},
		// What defer and go call is not written to its end.
		{"defer pt.|", []string{"X", "Y", "Move"}, []string{"points"}},
		{"defer fmt.Pri|", []string{"Print", "Printf", "Println"}, []string{"points"}},
		{"go pt.Mo|", []string{"Move"}, []string{"points"}},
		{"func q() {\n\tdefer pt.|", []string{"X", "Move"}, []string{"points"}},
		{"func q() {\n\tdefer pt.|\n}", []string{"X", "Move"}, []string{"points"}},
		{"go func() { pt.|", []string{"X", "Move"}, []string{"points"}},
		{"go func(p Point) { p.|", []string{"X", "Move"}, []string{"points"}},
		{"defer func() {\n\tpt.|", []string{"X", "Move"}, []string{"points"}},
		{"defer pt.Move(pt.|", []string{"X", "Move"}, []string{"points"}},
		{"for range 3 {\n\tdefer fmt.Println()\n\tpt.|", []string{"X", "Move"}, []string{"points"}},
		{"x := 1\ndefer pt.|", []string{"X", "Move"}, []string{"points"}},
		// What is most likely comes first: names of the session, its packages, common ones, Go's own, other packages.
		{"ma|", []string{"mat", "math", "maps", "make", "map", "mail"}, nil},
		{"max2 := 1\nma|", []string{"max2", "mat", "math"}, nil},
		{"ra|", []string{"rand", "range"}, nil},
		{"import \"math/big\"\nb|", []string{"big", "bufio", "bytes", "break", "blas"}, nil},
		// Only types where a type is expected.
		{"var q http.|", []string{"Client", "Request"}, []string{"Get", "ErrServerClosed", "MethodGet"}},
		{"var q Po|", []string{"Point"}, []string{"points"}},
		{"func f(a []po|", nil, []string{"points", "pt"}},
		{"m := map[string]Po|", []string{"Point"}, []string{"points"}},
		{"x := make([]Po|", []string{"Point"}, []string{"points"}},
		{"x := new(strings.|)", []string{"Builder", "Reader"}, []string{"Fields"}},
		{"y := any(1).(*Po|", []string{"Point"}, []string{"points"}},
		{"type T struct {\n\ta p|", nil, []string{"points", "pt", "print"}},
		{"z := po|", []string{"points"}, nil},
		// Members without the name of their package.
		{"mean|", []string{"stat.Mean", "stat.MeanStdDev"}, nil},
		{"x := hypo|", []string{"math.Hypot"}, nil},
		{"var b Build|", []string{"strings.Builder"}, []string{"strings.Fields"}},
		// Files, in strings and after an exclamation mark.
		{"os.ReadFile(\"da|", []string{"data/"}, []string{"dataset", "notes.txt"}},
		{"os.ReadFile(\"data/p|\")", []string{"plants.csv"}, []string{"points", "pt"}},
		{"a := `x`\nos.Open(`not|", []string{"notes.txt"}, nil},
		{"!cat no|", []string{"notes.txt"}, nil},
		{"!g|", []string{"go"}, []string{"goto"}},
		{"a := \"x\"\nstrings.Fie|", []string{"Fields"}, nil},
	} {
		cursor := strings.IndexByte(tt.src, '|')
		got := s.Complete(strings.Replace(tt.src, "|", "", 1), cursor)
		var texts []string
		for _, it := range got.Items {
			texts = append(texts, it.Text)
		}
		at := 0
		for _, w := range tt.want {
			i := slices.Index(texts[at:], w)
			if i < 0 {
				t.Errorf("%q: %q is not offered after %d others: %.10q", tt.src, w, at, texts)
				break
			}
			at += i + 1
		}
		for _, n := range tt.not {
			if slices.Contains(texts, n) {
				t.Errorf("%q: %q is offered", tt.src, n)
			}
		}
	}
}

func TestInspect(t *testing.T) {
	s := frontEnd(t, "// Half is half of x.\nfunc Half(x float64) float64 { return x / 2 }\nv := Half(3)",
		"// Point is a point.\ntype Point struct {\n\tX float64 // to the right\n\t// upwards\n\tY float64\n}\n"+
			"// Norm is the distance from the origin. It is Euclid's.\nfunc (p Point) Norm() float64 { return math.Hypot(p.X, p.Y) }\npt := Point{}")
	for _, tt := range []struct {
		src  string
		want []string
	}{
		{"strings.Fi|elds(x)", []string{"func strings.Fields(s string) []string", "splits the string s around"}},
		{"strings.Fields(|", []string{"func strings.Fields(s string) []string"}},
		{"defer strings.Fields|", []string{"func strings.Fields"}},
		{"strings.Fields(a|", []string{"func strings.Fields"}},
		{"strings.Fields(\"ord|", []string{"func strings.Fields"}},
		{"strings.Repeat(\"a\", 3|", []string{"func strings.Repeat"}},
		{"strings.Repeat(unknown, strings.Non|", []string{"func strings.Repeat"}},
		{"Hal|f(1)", []string{"func Half(x float64) float64", "Half is half of x.", "return x / 2"}},
		{"v|", []string{"var v float64"}},
		{"pt.Norm(|", []string{"func (Point).Norm() float64", "Norm is the distance from the origin. It is Euclid's."}},
		{"Point|", []string{"X float64 // to the right\n", "Y float64 // upwards\n", "func (Point).Norm() float64 // Norm is the distance from the origin.\n", "Point is a point."}},
		{"pt.Y|", []string{"field Y float64", "upwards"}},
		{"stri|ngs.Fields", []string{"package strings"}},
		{"var b strings.Builder\nb.WriteStr|ing(\"a\")", []string{"func (*strings.Builder).WriteString(s string) (int, error)", "appends the contents of s"}},
		{"le|n(v)", []string{"builtin len"}},
		{"%time|", []string{"%time statement"}},
	} {
		cursor := strings.IndexByte(tt.src, '|')
		got, _ := s.Inspect(strings.Replace(tt.src, "|", "", 1), cursor, 1)
		if got == nil {
			t.Errorf("%q: nothing", tt.src)
			continue
		}
		for _, w := range tt.want {
			if !strings.Contains(got["text/plain"].(string), w) {
				t.Errorf("%q: no %q in\n%s", tt.src, w, got["text/plain"])
			}
		}
	}
}

func BenchmarkCompleteFirst(b *testing.B) {
	for b.Loop() {
		s := frontEnd(b)
		s.Complete("x := mat.NewDense(2, 2, nil)\nx.", 30)
	}
}

func BenchmarkComplete(b *testing.B) {
	s := frontEnd(b)
	for b.Loop() {
		s.Complete("x := mat.NewDense(2, 2, nil)\nx.", 30)
	}
}
