package command

import (
	"bytes"
	"errors"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// exported are notebooks of which a program must print what gaucho run prints.
var exported = map[string][]string{
	"names": {
		"x := 1\ny := 2.5 // half\nfmt.Println(x, y)",
		"x := x + 1; x",
		"x := fmt.Sprint(x, \"!\")\nx",
		"var x string\nfmt.Printf(\"%q\\n\", x)",
		"a, b := 1, 2\nb, c := 3, \"c\"\na, b, c",
		"len := 3\nlen * 2",
		"rand := 4.0\nrand",
		"import . \"math\"\nfmt.Println(Sqrt(2), Pi)",
		"import crand \"crypto/rand\"\n_ = crand.Reader\nstrings.Repeat(\"ab\", 2)",
		"var (\n\tu, v = 1, 2 // two\n\tw [2]int\n)\nw[1] = u + v\nw",
		"const n = 3\nconst (\n\tzero = iota\n\tone\n)\nn + one",
		"const n = \"three\"\nn",
		"func(p struct{ A int }) int { return p.A }(struct{ A int }{5})",
		"x;\nx + \"silent\";",
		"type cell1 int\nvar q cell1 = 3\nq",
	},
	"functions": {
		"func step(n int) int { return n + 1 }\nfunc twice(n int) int { return step(step(n)) }\ntwice(1)",
		"// doubled\nfunc step(n int) int { return 2 * n }\ntwice(1)",
		"func step(n float64) float64 { return n / 2 }\nfmt.Println(twice(1), step(1))",
		"func sum(xs ...int) (t int) { for _, x := range xs { t += x }; return }\nsum(1, 2, 3)",
		"func sum(xs ...int) (t int) { return len(xs) }\nsum(1, 2, 3)",
		"func Map[T, U any](xs []T, f func(T) U) (out []U) { for _, x := range xs { out = append(out, f(x)) }; return }\nMap([]int{1, 2}, func(i int) string { return fmt.Sprint(i, i) })",
		"func fact(n int) int { if n < 2 { return 1 }; return n * fact(n-1) }\nfact(5)",
		"func init() { fmt.Println(\"init\") }\nfunc main() { fmt.Println(\"main\") }",
		"strconv.Atoi(\"12\")",
		"func div(a, b int) (int, error) { if b == 0 { return 0, errors.New(\"zero\") }; return a / b, nil }\ndiv(7, 2)",
		"var err error\nerr",
		"defer fmt.Println(\"deferred\")\nfmt.Println(\"before\")",
	},
	"types": {
		"type P struct{ X, Y int }\nfunc (p P) Norm() int { return p.X + p.Y }\np := P{1, 2}\nfmt.Printf(\"%v %T\\n\", p, p)",
		"func (p P) Norm() int { return 10 * p.X }\np.Norm()",
		"type Normer interface{ Norm() int }\nvar n Normer = p\nn.Norm()",
		"type P struct{ X, Y, Z int }\nq := P{1, 2, 3}\nfmt.Println(q.Norm(), p.Norm(), q)",
		"type Q struct{ P; Name string }\nr := Q{P: P{4, 5, 6}, Name: \"r\"}\nfmt.Println(r.P.Z, r.X, r.Norm())",
		"func (q *Q) Rename(s string) { q.Name = s }\nr.Rename(\"s\")\nr",
		"type Stack[T any] struct{ items []T }\nfunc (s *Stack[T]) Push(x T) { s.items = append(s.items, x) }\nvar s Stack[int]\ns.Push(3)\ns",
		"m := map[string][]P{\"a\": {{1, 2, 3}}}\nm",
		"[]struct{ A int; B string }{{1, \"x\"}, {2, \"y\"}}",
		"ch := make(chan<- func(P) (Q, error), 1)\ncap(ch)",
		"var e interface{ Error() string } = errors.New(\"e\")\ne.Error()",
	},
	"library": {
		"rng := rand.New(rand.NewPCG(1, 2))\nX := mat.NewDense(2, 2, []float64{1, rng.Float64(), 3, 4})\nX",
		"var C mat.Dense\nC.Mul(X, X)\n&C",
		"select { case <-ctx.Done(): fmt.Println(\"done\"); default: fmt.Println(\"running\") }",
		"ctx := 3\nctx",
		"display.Show([]float64{1, 2})",
		"import \"gaucho/stdlib/rkhs\"\nrkhs.Gaussian{Bandwidth: 2}",
	},
	"studies": {
		"r, err := reproduction.Read(\"em-rates\")\nfmt.Println(r != nil, err)",
		"t, _ := table.From(map[string][]float64{\"a\": {1, 2}})\nfmt.Println(t.Len())",
		"fdr.BenjaminiHochberg([]float64{.01, .5}, .05)",
	},
	"magics": {
		"%env COLOUR=red\n!echo $COLOUR",
		"%env COLOUR",
		"%%writefile note.txt\none\ntwo",
		"!cat note.txt",
		"%%bash\necho a\necho b",
		"%cd sub\n!ls",
		"// before\n%time y := 1 // behind\ny",
	},
}

// notes are what the kernel says besides a cell's own output, and times.
var notes = regexp.MustCompile(`(?m)^(Note|Wall time): .*\n`)

// renamed is a type that a notebook declares anew.
var renamed = regexp.MustCompile(`\bP_2\b`)

func TestExportedProgramsPrintTheSame(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Fatal("go is needed to build what is exported")
	}
	for name, cells := range exported {
		if testing.Short() && name != "functions" && name != "magics" {
			continue // each is linked
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			work := t.TempDir()
			notebookFile(t, work, "nb.ipynb", cells...)
			if err := os.Mkdir(filepath.Join(work, "sub"), 0o777); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(work, "sub"), "file", "")
			dir := t.TempDir()
			_, errs, status := gaucho(t, dir, "export", filepath.Join(work, "nb.ipynb"), "-o", "program")
			if status != 0 {
				t.Fatalf("export: status %d: %s", status, errs)
			}
			program := filepath.Join(dir, "program")
			build := exec.Command("go", "build", "-o", "program", ".")
			build.Dir = program
			build.Env = append(os.Environ(), "GOFLAGS=-mod=readonly", "GOPROXY=off", "GOWORK=off", "CGO_ENABLED=0")
			if out, err := build.CombinedOutput(); err != nil {
				src, _ := os.ReadFile(filepath.Join(program, "main.go"))
				t.Fatalf("%v\n%s\n%s", err, out, src)
			}
			run := exec.Command(filepath.Join(program, "program"))
			run.Dir = work
			got, err := run.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, got)
			}
			want, errs, status := gaucho(t, work, "run", "nb.ipynb")
			if status != 0 {
				t.Fatalf("run: status %d: %s", status, errs)
			}
			if w := notes.ReplaceAllString(want, ""); renamed.ReplaceAllString(notes.ReplaceAllString(string(got), ""), "P") != w {
				src, _ := os.ReadFile(filepath.Join(program, "main.go"))
				t.Errorf("the program prints\n%s\nthe notebook\n%s\n%s", got, w, src)
			}
		})
	}
}

// TestExportedFigures: a program saves the figures that its notebook shows, an update over what it updates, and needs nothing that
// figures do not.
func TestExportedFigures(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	dir := t.TempDir()
	notebookFile(t, dir, "nb.ipynb", "f := plotting.Hist([]float64{1, 2, 3})\nf", "h := display.Show(plotting.Hist([]float64{1}))\nh.Update(f)",
		"display.Show(display.Bundle{\"text/plain\": \"drawing\", \"image/svg+xml\": \"<svg/>\"})")
	if _, errs, status := gaucho(t, dir, "export", "nb.ipynb", "-o", "program"); status != 0 {
		t.Fatalf("export: status %d: %s", status, errs)
	}
	run := exec.Command("go", "run", ".")
	run.Dir = filepath.Join(dir, "program")
	run.Env = append(os.Environ(), "GOFLAGS=-mod=readonly", "GOPROXY=off", "GOWORK=off", "CGO_ENABLED=0")
	out, err := run.CombinedOutput()
	captions := regexp.MustCompile(`(?m)^A figure with a histogram.*\n`).ReplaceAllString(string(out), "")
	if want := "Figure: count (figure-1.png)\nFigure: count (figure-2.png)\nFigure: count (figure-2.png)\ndrawing (figure-3.svg)\n"; err != nil || captions != want {
		t.Fatalf("%v: it prints\n%swant\n%s", err, out, want)
	}
	first, err1 := os.ReadFile(filepath.Join(run.Dir, "figure-1.png"))
	second, err2 := os.ReadFile(filepath.Join(run.Dir, "figure-2.png"))
	svg, err3 := os.ReadFile(filepath.Join(run.Dir, "figure-3.svg"))
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	if config, err := png.DecodeConfig(bytes.NewReader(first)); err != nil || config.Width < 500 {
		t.Errorf("figure-1.png: %v, %v", config, err)
	}
	if !bytes.Equal(first, second) || string(svg) != "<svg/>" {
		t.Errorf("the update is not what it was updated to, or the drawing is %q", svg)
	}
	for _, name := range []string{"go.mod", "gaucho/go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(run.Dir, name))
		if err != nil || bytes.Contains(text, []byte("nats")) || bytes.Contains(text, []byte("tpm")) {
			t.Errorf("%s, error %v:\n%s", name, err, text)
		}
	}
	if _, err := os.Stat(filepath.Join(run.Dir, "gaucho", "stdlib", "em")); err == nil {
		t.Error("a package came along that the program does not use")
	}
}

// TestRequirements: the list of what packages need is the one that go list makes now.
func TestRequirements(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	fresh := filepath.Join(t.TempDir(), "requirements.txt")
	if out, err := exec.Command("go", "run", "./requirements", "-o", fresh).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if text, err := os.ReadFile(fresh); err != nil || string(text) != requirements {
		t.Errorf("run go generate ./command: the list is\n%s\nerror %v", text, err)
	}
}

func TestExportRefuses(t *testing.T) {
	dir := t.TempDir()
	notebookFile(t, dir, "bad.ipynb", "x := 1", "y := x + \"a\"")
	_, errs, status := gaucho(t, dir, "export", "bad.ipynb")
	if status != 1 || !strings.Contains(errs, "mismatched types") || !strings.Contains(errs, "Cell [2], line 1") {
		t.Errorf("status %d: %s", status, errs)
	}
	if _, err := os.Stat(filepath.Join(dir, "bad")); err == nil {
		t.Error("a folder was made")
	}
	notebookFile(t, dir, "good.ipynb", "fmt.Println(1)")
	if err := os.Mkdir(filepath.Join(dir, "good"), 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "good"), "main.go", "package main // mine\n")
	if _, errs, status := gaucho(t, dir, "export", "good.ipynb"); status != 1 || !strings.Contains(errs, "was not written by") {
		t.Errorf("status %d: %s", status, errs)
	}
	// A directory of the user's that has the name of the one that comes along stays as it is.
	if err := os.MkdirAll(filepath.Join(dir, "mine", "gaucho"), 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "mine", "gaucho"), "go.mod", "module gaucho\n")
	if _, errs, status := gaucho(t, dir, "export", "good.ipynb", "-o", "mine"); status != 1 || !strings.Contains(errs, "was not written by") {
		t.Errorf("status %d: %s", status, errs)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "mine", "gaucho", "go.mod")); err != nil || string(text) != "module gaucho\n" {
		t.Errorf("the user's file is %q, error %v", text, err)
	}
	// What an earlier export wrote is written anew.
	notebookFile(t, dir, "again.ipynb", "vec.Exp1(0)")
	for range 2 {
		if _, errs, status := gaucho(t, dir, "export", "again.ipynb"); status != 0 {
			t.Errorf("status %d: %s", status, errs)
		}
	}
}

// TestExportedParameters: the cell tagged parameters and that of -p declare flags.
func TestExportedParameters(t *testing.T) {
	dir := t.TempDir()
	notebookFile(t, dir, "nb.ipynb", "parameters:plays := 1", "runs := 2\nplays + runs")
	if _, errs, status := gaucho(t, dir, "export", "nb.ipynb", "-p", "plays=3", "-p", "more=4", "-o", "program"); status != 0 {
		t.Fatalf("export: status %d: %s", status, errs)
	}
	program, err1 := os.ReadFile(filepath.Join(dir, "program", "main.go"))
	about, err2 := os.ReadFile(filepath.Join(dir, "program", "README.md"))
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"plays", &plays`, `"more", &more`, "\tcell1()\n\tcell2()\n\targuments()\n\tcell3()"} {
		if !bytes.Contains(program, []byte(want)) {
			t.Errorf("no %q in\n%s", want, program)
		}
	}
	if bytes.Contains(program, []byte(`"runs"`)) || !bytes.Contains(about, []byte("`go run . -plays VALUE`")) {
		t.Errorf("runs is a flag, or the README does not say which are:\n%s\n%s", program, about)
	}
}
