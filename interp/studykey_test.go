package interp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// replicate is the literal of a study whose records hold the value of an expression.
func replicate(value string) string {
	return `study.Study{Name: "k", Points: study.Grid(study.Values("n", 10)), Replications: 3, Seed: 1,
	Replicate: func(ctx context.Context, at study.Point, rng *rand.Rand) (study.Record, error) {
		return study.Record{"v": float64(` + value + `)}, nil
	}}`
}

// keyAnswer prints what a study that keeps records says, and what is true: that of one that keeps none.
const keyAnswer = `for _, dir := range []string{%q, ""} {
	res, err := s.Run(ctx, &study.Settings{Workers: 1, Dir: dir})
	if err != nil {
		fmt.Println("error:", err)
		continue
	}
	sum, err := res.Summary(res.Points()[0], "v")
	fmt.Println("says", sum.Mean, err)
}`

// keyCases are notebooks with a study s in which one thing changes. none, if set, is why no records are kept.
type keyCase struct {
	name     string
	cells    []string
	old, new string
	none     string
}

var keyCases = []keyCase{
	{"a loop in the declaring cell", []string{"times := []int{}\nfor i := range 3 {\n\ttimes = append(times, i+1)\n}\ns := &" + replicate("times[1]")}, "i+1", "i+5", ""},
	{"a captured local", []string{"var s *study.Study\nfor _, sigma := range []float64{1} {\n\ts = &" + replicate("sigma") + "\n}"}, "{1}", "{3}", ""},
	{"a parameter of a function around", []string{"func make_(k float64) *study.Study { return &" + replicate("k") + " }", "s := make_(1)"}, "make_(1)", "make_(2)", ""},
	{"a type parameter", []string{"func of[T any](k T) *study.Study { return &" + replicate("len(fmt.Sprint(k))") + " }", "s := of(1)"}, "of(1)", "of(22)", ""},
	{"an environment variable", []string{"sigma := must(strconv.ParseFloat(os.Getenv(\"STUDY_KEY\"), 64))", "s := &" + replicate("sigma")}, "STUDY_KEY", "STUDY_KEY_2", ""},
	{"the same cell twice", []string{"sig := 1.0", "sig *= 2", "s := &" + replicate("sig"), "sig *= 1"}, "sig *= 1", "sig *= 2", ""},
	{"a method on a pointer", []string{"type c struct{ n int }\nfunc (x *c) up() { x.n += 1 }", "x := &c{}\nx.up()", "s := &" + replicate("x.n")}, "+= 1", "+= 7", ""},
	{"what a goroutine sets", []string{"x := 0\nwait := make(chan bool)\ngo func() { x = 1; close(wait) }()\n<-wait", "s := &" + replicate("x")}, "x = 1", "x = 2", ""},
	{"a constant of a group", []string{"const a = 1\nconst (\n\tb = a + iota\n\tc_\n)", "s := &" + replicate("c_")}, "a = 1", "a = 5", ""},
	{"a value behind an interface", []string{"type p interface{ v() float64 }", "type one struct{}\nfunc (one) v() float64 { return 1 }", "all := map[string]p{}", "all[\"x\"] = one{}", "s := &" + replicate(`all["x"].v()`)}, "return 1", "return 2", ""},
	{"a map", []string{"m := map[string][]float64{\"a\": {1}, \"b\": {2}}", "s := &" + replicate(`m["b"][0]`)}, "{2}", "{3}", ""},
	{"a ring", []string{"type node struct{ next *node; v float64 }\nn := &node{v: 1}\nn.next = &node{n, 2}", "s := &" + replicate("n.next.v")}, "{n, 2}", "{n, 3}", ""},
	{"a matrix", []string{"m := mat.NewDense(1, 2, []float64{1, 2})", "s := &" + replicate("m.At(0, 1)")}, "1, 2}", "1, 4}", ""},
	{"a function in a variable", []string{"f := func() float64 { return 1 }", "s := &" + replicate("f()")}, "return 1", "return 2", ""},
	{"a function that is assigned", []string{"f := func() float64 { return 1 }", "f = func() float64 { return 2 }", "s := &" + replicate("f()")}, "return 2", "return 3", "any"},
	{"a local function", []string{"func build(k float64) *study.Study {\n\tf := func() float64 { return k }\n\treturn &" + replicate("f()") + "\n}", "s := build(1)"}, "build(1)", "build(2)", ""},
	{"a helper", []string{"func h() float64 { return 1 }", "s := &" + replicate("h()")}, "return 1", "return 2", ""},
	{"a function made elsewhere", []string{"func maker(k float64) func() float64 { return func() float64 { return k } }", "f := maker(1)", "s := &" + replicate("f()")}, "maker(1)", "maker(2)", "any"},
	{"a channel", []string{"c := make(chan int, 1)\nc <- 1", "s := &" + replicate("len(c)")}, "c <- 1", "", "any"},
	{"a Replicate that is assigned", []string{"s := &" + replicate("1"), "s.Replicate = func(ctx context.Context, at study.Point, rng *rand.Rand) (study.Record, error) { return study.Record{\"v\": 2.0}, nil }"}, "2.0", "3.0", "any"},
}

// readCases are those in which the function reads what changes. A test binary has no symbol table, without which an interpreter does
// not see that.
var readCases = []keyCase{
	{"a variable that Replicate looks up", []string{"must0(os.Setenv(\"STUDY_READ\", \"1\"))", "s := &" + replicate("must(strconv.ParseFloat(os.Getenv(\"STUDY_READ\"), 64))")}, `"1"`, `"2"`, ""},
	{"a file that Replicate reads", []string{"must0(os.WriteFile(os.Getenv(\"STUDY_FILE\"), []byte(\"x\\n1\\n\"), 0o666))", "s := &" + replicate("must(table.Load(os.Getenv(\"STUDY_FILE\"))).Floats(\"x\")[0]")}, "n1", "n2", ""},
	{"a file that a goroutine of Replicate reads", []string{"must0(os.WriteFile(os.Getenv(\"STUDY_FILE\"), []byte(\"1\"), 0o666))", "func read() (text []byte) {\n\tdone := make(chan bool)\n\tgo func() { text = must(os.ReadFile(os.Getenv(\"STUDY_FILE\"))); close(done) }()\n\t<-done\n\treturn text\n}", "s := &" + replicate("read()[0]")}, `byte("1")`, `byte("2")`, ""},
	{"how large a file is", []string{"must0(os.WriteFile(os.Getenv(\"STUDY_FILE\"), []byte(\"1\"), 0o666))", "s := &" + replicate("must(os.Stat(os.Getenv(\"STUDY_FILE\"))).Size()")}, `"1"`, `"12"`, ""},
}

func TestRecordsBelongToWhatMadeThem(t *testing.T) {
	long(t)
	t.Setenv("STUDY_KEY", "1")
	t.Setenv("STUDY_KEY_2", "3")
	t.Setenv("STUDY_FILE", filepath.Join(t.TempDir(), "data.csv"))
	t.Run("native", func(t *testing.T) {
		nativeProgram(t) // or the test is left out
		testKeys(t, slices.Concat(keyCases, readCases), func(s Sink) *Session { return startNative(t, s) })
	})
	t.Run("yaegi", func(t *testing.T) {
		testKeys(t, keyCases, func(s Sink) *Session { return newSessionFor(t, nativePatience, Options{Sink: s, Engine: "yaegi"}) })
	})
}

func testKeys(t *testing.T, cases []keyCase, start func(Sink) *Session) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			run := func(text func(string) string) (says, truth string) {
				out := &transcript{}
				s := start(out)
				for i, src := range append(c.cells[:len(c.cells):len(c.cells)], fmt.Sprintf(keyAnswer, dir)) {
					id := fmt.Sprint(i)
					if res := s.Execute(context.Background(), Cell{ID: id, Number: i + 1, Source: text(src)}); res.Err != nil {
						t.Fatalf("%s\n%s", src, strings.Join(res.Err.Traceback, "\n"))
					}
				}
				lines := regexp.MustCompile(`(?m)^(says|error).*$`).FindAllString(out.of(fmt.Sprint(len(c.cells))).String(), -1)
				if len(lines) != 2 {
					t.Fatalf("the study says %q", lines)
				}
				return lines[0], lines[1]
			}
			records := func() int {
				text, err := os.ReadFile(filepath.Join(dir, "k.jsonl"))
				if err != nil && c.none == "" {
					t.Fatal(err)
				}
				return strings.Count(string(text), `{"point"`)
			}
			changed := func(s string) string { return strings.ReplaceAll(s, c.old, c.new) }
			right := func(what, says, truth string) {
				t.Helper()
				t.Log(what, says)
				if refused := strings.Contains(says, "records of k cannot be kept"); says != truth && !refused || refused && c.none == "" {
					t.Errorf("%s: the study %s, and it is %s", what, says, truth)
				}
			}
			says, first := run(func(s string) string { return s })
			right("first", says, first)
			says, second := run(changed)
			right("changed", says, second)
			if first == second {
				t.Fatalf("nothing changed: %s", first)
			}
			n := records()
			says, truth := run(changed)
			right("again", says, truth)
			if now := records(); now != n {
				t.Errorf("the unchanged study made %d records", now-n)
			}
		})
	}
}

// TestRecordsBelongToModules edits a module that a study calls.
func TestRecordsBelongToModules(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module lab\n\ngo 1.26\n\nrequire example.org/mine v0.0.0\n\nreplace example.org/mine => ./mine\n")
	write("mine/go.mod", "module example.org/mine\n\ngo 1.26\n")
	write("mine/other/other.go", "package other\n\nconst Ten = 10.0\n")
	for i, c := range []struct {
		file, text, says string
		records          int
	}{
		{"mine/mine.go", "package mine\n\nimport \"example.org/mine/other\"\n\nfunc Estimate() float64 { return other.Ten }\n", "says 10 <nil>", 3},
		{"mine/mine.go", "package mine\n\nimport \"example.org/mine/other\"\n\nfunc Estimate() float64 { return other.Ten }\n", "says 10 <nil>", 3},
		{"mine/mine.go", "package mine\n\nimport \"example.org/mine/other\"\n\nfunc Estimate() float64 { return other.Ten + 1 }\n", "says 11 <nil>", 6},
		{"mine/other/other.go", "package other\n\nconst Ten = 20.0\n", "says 21 <nil>", 9},
	} {
		write(c.file, c.text)
		out := &transcript{}
		s := newSessionFor(t, nativePatience, Options{Sink: out, Engine: "native", Dir: dir, Worker: nativeProgram(t)})
		for _, src := range []string{"import \"example.org/mine\"", "s := &" + replicate("mine.Estimate()"), fmt.Sprintf(keyAnswer, dir)} {
			if res := s.Execute(context.Background(), Cell{ID: "x", Source: src}); res.Err != nil {
				t.Fatalf("%s\n%s", src, strings.Join(res.Err.Traceback, "\n"))
			}
		}
		if text := out.of("x").String(); !strings.Contains(text, c.says+"\n"+c.says) {
			t.Errorf("%d: the study says %q, want %s twice", i, text, c.says)
		}
		text, err := os.ReadFile(filepath.Join(dir, "k.jsonl"))
		if n := strings.Count(string(text), `{"point"`); err != nil || n != c.records {
			t.Errorf("%d: %d records, want %d, %v", i, n, c.records, err)
		}
	}
}
