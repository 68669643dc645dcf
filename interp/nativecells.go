package interp

import (
	"fmt"
	"strings"
)

// selfTestCells test what needs the system: a type that the collector must know, stacks that grow, faults of the processor that become
// panics, a loop that is preempted, an interrupt, a profile, a panic through the frames of three cells, types of several cells and of
// the program.
var selfTestCells = []testCell{
	{source: `type tree struct{ left, right *tree; label string }
func (t *tree) String() string { return "<" + t.label + ">" }
func grow(depth int) *tree {
	if depth == 0 { return nil }
	return &tree{grow(depth - 1), grow(depth - 1), fmt.Sprint(depth)}
}
forest := map[string]any{"oak": grow(10)}
runtime.GC()
fmt.Println(forest)`, want: "map[oak:<10>]"},
	{source: `func deep(n int) int { var pad [64]int; pad[n&63] = n; if n > 0 { return deep(n-1) + pad[n&63] }; return 0 }
c := make(chan int)
for i := range 4 { go func() { n := 0; for range 1000 { n += deep(100 * i) }; runtime.GC(); c <- n }() }
sum := 0
for range 4 { sum += <-c }
fmt.Println(sum == 1000*(5050+20100+45150))`, want: "true"},
	{source: "func fail(xs []int) (err error) { defer func() { err = recover().(error) }(); return fmt.Errorf(\"%d\", xs[3]) }\nfmt.Println(fail(nil), forest[\"oak\"].(fmt.Stringer))",
		want: "index out of range [3] with length 0 <10>"},
	{source: `type wide struct { pad [100_000]byte; last int }
func touch(t *tree, w *wide, far bool) (err error) {
	defer func() { err = recover().(error) }()
	if far { return fmt.Errorf("%d", w.last) }
	return fmt.Errorf("%s", t.label)
}
faults := make(chan error)
for i := range 2 { go func() { faults <- touch(nil, nil, i == 1) }() }
fmt.Println(<-faults, <-faults)`, want: "runtime error: invalid memory address or nil pointer dereference runtime error: invalid memory address or nil pointer dereference"},
	{source: `var stop atomic.Bool
stopped := make(chan int)
go func() { n := 0; for !stop.Load() { n++ }; stopped <- n }()
for range 5 { runtime.GC() }
stop.Store(true)
fmt.Println(<-stopped >= 0)`, want: "true"},
	{source: "fmt.Println(\"it runs\")\nfor {}", want: "Interrupt", interrupt: true},
	{source: "func spin(n int) (sum int) { for i := range n { sum += i * i }; return sum }\nfmt.Println(spin(10))", want: "285"},
	{source: "%%prof\nspin(100_000_000)", want: "spin"},
	{source: "func bottom(n int) int { return []int{1}[n] }", want: ""},
	{source: "func middle(n int) (r int) { defer func() { r++ }(); return bottom(n) + 1 }", want: ""},
	{source: "func top(n int) (s string) { defer func() { s = fmt.Sprint(recover()) }(); middle(n); return \"none\" }\nfmt.Println(middle(0), top(5))",
		want: "3 runtime error: index out of range [5] with length 1"},
	{source: `func kind(x any) string {
	switch x := x.(type) {
	case *wide: return "wide"
	case *tree: return "tree " + x.label
	case *strings.Builder: return "builder"
	case map[string]*tree: return "map"
	}
	return "none"
}
fmt.Println(kind(forest["oak"]), kind(new(wide)), kind(new(strings.Builder)), kind(map[string]*tree{}), kind(3))`, want: "tree 10 wide builder map none"},
	{source: "os.Exit(3)", want: "Exit: os.Exit(3)"},
	{source: "var none map[string]int\nnone[\"a\"] = 1", want: "assignment to entry in nil map"},
}

// largeCells have a function of 20,000 lines, which calls another on each tenth, and fails at the end.
func largeCells() []testCell {
	const lines = 20_000
	var b strings.Builder
	b.WriteString("func plus(x uint64, n int) uint64 { return x + uint64(n) }\nfunc large(x uint64, xs []int) uint64 {\n")
	want := uint64(7)
	for i := range lines {
		if i%10 == 0 {
			fmt.Fprintf(&b, "\tx = add(x, %d)\n", i)
			want += uint64(i)
		} else {
			fmt.Fprintf(&b, "\tx = x*3 + %d\n", i)
			want = want*3 + uint64(i)
		}
	}
	b.WriteString("\txs[len(xs)]++\n\treturn x\n}\n")
	text := strings.ReplaceAll(b.String(), "xs[len(xs)]++", "if xs != nil { xs[len(xs)]++ }")
	return []testCell{
		{source: "add := func(x uint64, n int) uint64 { return x + uint64(n) }"},
		{source: text + "fmt.Println(large(7, nil))", want: fmt.Sprint(want)},
		{source: "large(7, []int{})", want: "index out of range [0] with length 0"},
	}
}

// manyCells are n cells of one kind with other numbers, each with what it must print: a type with methods and one with type parameters, a
// closure, a map, goroutines, a fault and a function of the cell before.
func manyCells(n int) []testCell {
	cells := make([]testCell, n)
	for i := range n {
		before := "i"
		if i > 0 {
			before = fmt.Sprintf("f%d(i)", i-1)
		}
		source := strings.ReplaceAll(strings.ReplaceAll(`type T# struct { a, b int; next *T# }
func (t *T#) Sum() int { if t == nil { return 0 }; return t.a*t.b + t.next.Sum() }
type L#[E any] struct { elems []E }
func (l *L#[E]) Add(e E) *L#[E] { l.elems = append(l.elems, e); return l }
func f#(i int) int { if i > # { return i }; return BEFORE + 1 }
func g#(t *T#) (s string) { defer func() { s = fmt.Sprint(recover() != nil) }(); return fmt.Sprint(t.b) }
{
	var list *T#
	all, results := map[string]*T#{}, make(chan int)
	for i := range 100 { list = &T#{i, #, list}; all[fmt.Sprint(i)] = list }
	for i := range 4 { go func() { results <- all[fmt.Sprint(99 - i)].Sum() }() }
	sum := 0
	for range 4 { sum += <-results }
	fmt.Println(sum, f#(0), g#(nil), new(L#[string]).Add("x").Add(fmt.Sprint(len(all))).elems)
}`, "BEFORE", before), "#", fmt.Sprint(i))
		sum := i * (4950 + 4851 + 4753 + 4656) // of 0 to 99, to 98, to 97 and to 96
		// f# counts the functions down to f0, whose argument is 0.
		cells[i] = testCell{source: source, want: fmt.Sprintf("%d %d true [x 100]", sum, i+1)}
	}
	return cells
}
