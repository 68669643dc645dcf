package interp

import (
	"fmt"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// shadowHelp is what the functions of the table need, under names that none of them hides.
const shadowHelp = `type (
	Num  = int
	Any  = any
	Text = string
	Real = float64
	Pair[K comparable, V any] struct { K K; v V }
	pair[K comparable, V any] struct { k K; v V }
	Recv  struct{ Num Num }
	Namer interface{ Name() Text }
)
const Yes, Two = true, Num(2)
func (r Recv) Name() Text { return "recv" }
func show(args ...Any) { fmt.Println(args...) }
func reader(c chan Real) <-chan Real { return c }
func channel[T Any](T) chan T { return make(chan T, 4) }
var xs, cs, ps = []float64{1, 2, 3, 4, 5}, channel(1.5), channel(pair[Num, Text]{})
`

// shadowBody has a statement of each kind for which an engine writes types, constants or functions of its own.
const shadowBody = `
	s, n, step := 0.0, Two+3, Two
	for j := 0; j < n; j++ { s += xs[j] }
	for j := n - 1; j >= 0; j -= step { s += xs[j] }
	for j := 0; j < n; j += 3 { s += xs[j] }
	for j := range n { s += xs[j] }
	for range n { s++ }
	for _, x := range xs { s += x }
	cs <- s
	s += <-cs
	go func() { cs <- 4 }()
	v, ok := <-reader(cs)
	show(s, v, ok)
	select { case cs <- 5: show("sent"); case x := <-cs: show(x) }
	select { case x := <-cs: show(x) }
	ps <- pair[Num, Text]{k: 3, v: "three"}
	show((<-ps).v)
	for _, a := range []Any{1, "text", Recv{2}, 2.5} {
		switch a := a.(type) { case Text: show("text", a); case Real, Num: show("number", a) }
		if a, ok := a.(Namer); ok { show(a.Name(), Any(a)) }
	}
	const yes, more = Yes, Two + 1
	show(yes && !(!Yes), more, Recv{Num: 4}.Num, *&Pair[Text, []Num]{"k", []Num{1}})
	func() { defer show("deferred"); defer func(a ...Any) { show(a...) }(1, s) }()
`

// shadowPlaces are where a function can declare names: the declarations, and a call. What is between « and » comes once for
// each name.
var shadowPlaces = []struct{ place, declaration, call string }{
	{"nowhere", "func F() {BODY}", "F()"},
	{"local", "func F() { «NAME := 7; _ = NAME; »BODY}", "F()"},
	{"function", "func F() { «NAME := func(x Num) Num { show(\"called\"); return 2 }; _ = NAME; »BODY}", "F()"},
	{"constant", "func F() { «const NAME = 2.5; _ = NAME; »BODY}", "F()"},
	{"type", "func F() { «type NAME struct{ x Text }; var _ NAME; »BODY}", "F()"},
	{"parameter", "func F(«NAME Num, ») {BODY}", "F(«1, »)"},
	{"result", "func F() («NAME Text, ») {BODY\nreturn}", "F()"},
	{"literal", "func F() { func(«NAME Any, ») {BODY}(«3, ») }", "F()"},
	{"type parameter", "func F[«NAME Any, »](x Num) {BODY}", "F[«Num, »](Two)"},
	{"hidden type parameter", "func F[P Any](x P) { c := channel(x); { P := 1; _ = P; «NAME := 7; _ = NAME; »c <- x; <-c\nBODY}}", "F(Two)"},
	{"hidden type", "func F() { type T struct{ N Num }; t := T{2}; c := channel(t); { T := 1; _ = T; «NAME := 7; _ = NAME; »c <- t; t = <-c\nBODY}}", "F()"},
	{"hidden generic type", "type pairF = pair[Num, Text]\nfunc F() { pair, Pair := 1, 2; _, _ = pair, Pair; ps <- pairF{}; <-ps }\nfunc F2() {BODY}", "F(); F2()"},
	{"field", "type tF struct{ «NAME Num; » }\nfunc F() { t := tF{«NAME: 2, »}; «t.NAME++; »BODY}", "F()"},
	{"method", "type mF struct{}\n«func (mF) NAME() Text { return \"m\" }\n»func F() { _ = «mF{}.NAME() + interface{ NAME() Text }(mF{}).NAME() + »\"\"\nBODY}", "F()"},
	{"range", "func F() { «for NAME := range xs[:1] { _ = NAME; »BODY«}» }", "F()"},
	{"loop", "func F() { «for NAME := 0; NAME < Two-1; NAME++ { »BODY«}» }", "F()"},
	{"label", "func F() { «NAME: for range Two - 1 { »BODY«continue NAME }\n» }", "F()"},
	{"package", "«import NAME \"math\"\n»func F() {BODY}", "F()"},
	{"variable", "«NAME := 7\n»func F() {BODY}", "F()"},
	{"function at the top", "«func NAME(x Num) Num { return 2 }\n»func F() {BODY}", "F()"},
	{"constant at the top", "«const NAME = 2.5\n»func F() {BODY}", "F()"},
	{"type at the top", "«type NAME struct{ x Text }\n»func F() {BODY}", "F()"},
}

// shadowRepeated is what comes once for each name.
var shadowRepeated = regexp.MustCompile("(?s)«.*?»")

// shadowed is a text of the table for one function that declares some names.
func shadowed(text, function string, names []string) string {
	text = shadowRepeated.ReplaceAllStringFunc(text, func(part string) (all string) {
		part = strings.TrimSuffix(strings.TrimPrefix(part, "«"), "»")
		for i := range names {
			name := names[i]
			if strings.HasPrefix(part, "continue") { // the innermost ends first
				name = names[len(names)-1-i]
			}
			all += strings.ReplaceAll(part, "NAME", name)
		}
		return all
	})
	return strings.NewReplacer("BODY", "\n"+shadowBody, "tF", "t"+function, "mF", "m"+function, "pairF", "pair"+function, "F", function).Replace(text)
}

// TestShadowedNames declares every predeclared name at every place, around statements for which the engines write text of
// their own. These do what go run says that they do where nothing is hidden.
func TestShadowedNames(t *testing.T) {
	long(t)
	names := types.Universe.Names()
	plain := goRun(t, "package main\n\nimport \"fmt\"\n\n"+shadowHelp+"func main() {"+shadowBody+"}\n")
	places := shadowPlaces[:]
	for _, name := range names { // a method has one receiver
		places = append(places, struct{ place, declaration, call string }{"receiver " + name, "func (" + name + " Recv) F() {BODY}", "Recv{}.F()"})
	}
	for _, engine := range []string{"yaegi", "native"} {
		t.Run(engine, func(t *testing.T) {
			r := &transcript{}
			s := startIn(t, engine, t.TempDir(), r)
			if got := runCell(s, r, 1, shadowHelp); got != "" {
				t.Fatal(got)
			}
			for i, p := range places {
				f := fmt.Sprintf("f%d", i)
				got := runCell(s, r, i+2, shadowed(p.declaration, f, names)+"\nfunc() { "+shadowed(p.call, f, names)+" }()")
				if got != plain {
					t.Errorf("%s: printed %.600s\nwant %s", p.place, got, plain)
				}
			}
		})
	}
}

// goRun is what a program prints.
func goRun(t *testing.T, program string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "run", file).CombinedOutput()
	if err != nil {
		t.Fatalf("go run: %v\n%.3000s", err, out)
	}
	return string(out)
}
