package interp

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

var staleRuns = flag.Int("stale", 20, "notebooks that are edited, to see whether %stale misses a cell")

// staleKinds are ways in which a cell takes over or changes what another one made. The first cell reads $a and makes $v, the second
// reads $a and changes $v, and the last shows $v.
var staleKinds = [][3]string{
	{`$v := $a`, `$v += $a`, `$v`},
	{`$v := []int{1, $a}`, `$v[0] = 2 * $a`, `fmt.Sprint($v)`},
	{`$v := map[string]int{"a": $a, "b": 2}`, `if $a % 2 == 0 { delete($v, "a") }`, `len($v)`},
	{`$v := map[string]int{"a": 1}`, `if $a % 2 == 0 { clear($v) }`, `len($v)`},
	{`$v := make([]int, 3)`, `copy($v[1:], []int{$a})`, `fmt.Sprint($v)`},
	{`$v := make(chan int, 100)`, `for range $a % 50 { $v <- 1 }`, `len($v)`},
	{`var $v int
$vset := func(n int) { $v = n }`, `$vset($a)`, `$v`},
	{`type $vT struct{ n int }
func (t *$vT) Set(n int) int { t.n = n; return 0 }
var $v $vT`, `$v.Set($a)`, `$v.n`},
	{`type $vI interface{ Set(n int) }
type $vT struct{ n int }
func (t *$vT) Set(n int) { t.n = n }
$v := &$vT{}
var $vi $vI = $v`, `$vi.Set($a)`, `$v.n`},
	{`$v := []int{1, 2, 3}
$vpart := $v[:2]`, `$vpart[0] = $a`, `fmt.Sprint($v)`},
	{`$v := []int{1, 2, 3}
func $vfill(xs []int, n int) { xs[1] = n }`, `$vfill($v, $a)`, `fmt.Sprint($v)`},
	{`$v := map[string]int{}`, `must0(json.Unmarshal([]byte(fmt.Sprintf("{\"a\":%d}", $a)), &$v))`, `$v["a"]`},
	{`var $v strings.Builder`, `$v.WriteString(fmt.Sprint($a))`, `$v.String()`},
	{`var $v strings.Builder`, `fmt.Fprintf(&$v, "%d", $a)`, `$v.Len() + len($v.String())*1000 + int($v.String()[0])`},
	{`$v := [][]int{{1}, {2}}`, `for _, row := range $v { row[0] = $a }`, `fmt.Sprint($v)`},
	{`var $v int
$vp := &$v`, `*$vp = $a`, `$v`},
	{`$v := []int{3, 2, 1}`, `if $a % 2 == 0 { slices.Sort($v) }`, `fmt.Sprint($v)`},
	{`var $v, $vother int
func $vset() { $v = $a; $vother++ }`, `$vset()`, `$v`},
	{`$v := []*int{new(int)}`, `q := $v[0]; *q = $a`, `*$v[0]`},
	{`var $v int`, `defer func() { $v = $a }()`, `$v`},
	{`$v := $a
panic("late")`, `1`, `$v`},
}

// TestStaleFuzz edits a cell of a notebook and runs it again. Each cell whose output is another one when all of the notebook runs in
// a new session must be stale, or may be; a cell that has nothing to do with the edit is not.
func TestStaleFuzz(t *testing.T) {
	silent, loud := 0, 0
	for seed := range uint64(*staleRuns) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var cells []string
		var vars []string
		for i := range 4 {
			name := fmt.Sprintf("c%d", i)
			cells, vars = append(cells, fmt.Sprintf("%s := %d", name, rng.IntN(20))), append(vars, name)
		}
		edited := rng.IntN(4)
		cells = append(cells, "alone := 1", "alone + 1")
		for i := range 6 {
			kind := staleKinds[rng.IntN(len(staleKinds))]
			for j, text := range kind {
				a := vars[rng.IntN(len(vars))]
				if strings.HasSuffix(a, "c") || j == 2 {
					a = "0"
				}
				cells = append(cells, strings.NewReplacer("$a", a, "$v", fmt.Sprintf("v%d", i)).Replace(text))
			}
			if kind[2] == "$v" {
				vars = append(vars, fmt.Sprintf("v%d", i))
			}
		}
		now := fmt.Sprintf("c%d := %d", edited, 20+rng.IntN(20))
		s, outputs := runNotebook(t, cells)
		cells[edited] = now
		runOne(s, edited, now)
		stale := map[int]bool{}
		for _, st := range s.staleCells() {
			stale[st.Run.Cell.Number-1] = true
		}
		_, truth := runNotebook(t, cells)
		for i := range cells {
			switch {
			case i != edited && outputs[i] != truth[i] && !stale[i]:
				t.Errorf("seed %d: cell %d shows %q and would show %q, and is not stale, as %v are, after cell %d:\n%s", seed, i+1, outputs[i], truth[i],
					slices.Sorted(maps.Keys(stale)), edited+1, strings.Join(cells, "\n---\n"))
			case outputs[i] != truth[i]:
				silent++
			case stale[i]:
				loud++
			}
		}
		if stale[5] || stale[4] {
			t.Errorf("seed %d: a cell without any input is stale", seed)
		}
	}
	t.Logf("of the stale cells %d show something else, %d only change something or nothing", silent, loud)
}

func runNotebook(t *testing.T, cells []string) (*Session, []string) {
	t.Helper()
	s, _ := startTest(t)
	var out []string
	for i, src := range cells {
		out = append(out, runOne(s, i, src))
	}
	return s, out
}

// runOne runs a cell as a front end does that has names for cells, and returns what it shows.
func runOne(s *Session, i int, src string) string {
	res := s.Execute(context.Background(), Cell{ID: fmt.Sprint(i + 1), NotebookID: fmt.Sprint("cell", i), Number: i + 1, Source: src})
	switch {
	case res.Err != nil:
		return res.Err.Value
	case res.Display == nil:
		return ""
	}
	return fmt.Sprint(res.Display.Data["text/plain"])
}
