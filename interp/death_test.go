package interp

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

var deaths = flag.Int("deaths", 40, "deaths of the worker in TestDeathAnywhere")

// mortal are cells in which a worker can die. %d is a number of their own.
var mortal = []string{
	"x%d := 1\nx%[1]d++\nx%[1]d",
	"x%d := 1\nx%[1]d++\nx%[1]d := \"two\"\ntype T%[1]d struct{ S string }\nfunc (t T%[1]d) Get() string { return t.S }\nx%[1]d := T%[1]d{x%[1]d}\nx%[1]d.Get()",
	"for {}",
	"<-never%.0[1]d",
	"y%d := <-never\ny%[1]d++\ny%[1]d := \"late\"\ny%[1]d",
	"for i := range 1000 {\n\tfmt.Println(i, %d)\n}",
	"func (p Kept) M%d() int { return p.N }\nKept{%[1]d}.M%[1]d()",
	"func twice(n int) int { return n + %d }\nfmt.Sprint(Kept{twice(1)})",
	"not Go %d",
	"var none%d []int\nnone%[1]d[3]++\nnone%[1]d := 5\nnone%[1]d",
	"import \"gonum.org/v1/gonum/mat\"\nm%d := mat.NewDense(2, 2, nil)\nm%[1]d",
	"%%%%time\ntime.Sleep(%d * time.Microsecond)",
	"!sleep 0.0%d",
	"input(\"%d? \")",
	"defer func() { recover() }()\npanic(%d)",
	"os.Exit(%d)",
}

const mortalBase = "never := make(chan int)\ntype Kept struct{ N int }\nfunc (k Kept) String() string { return fmt.Sprint(\"kept \", k.N) }\nfunc twice(n int) int { return 2 * n }"

// TestDeathAnywhere kills the worker at random moments of random cells, which run alone or concurrently. Some cell
// says so, and the session goes on.
func TestDeathAnywhere(t *testing.T) {
	const seed = 18
	t.Logf("seed %d, %d deaths", seed, *deaths)
	rng := rand.New(rand.NewPCG(seed, 0))
	s, main, other := subshellSession(t)
	ok := func(src, want string) {
		t.Helper()
		if r := main(src); r.Err != nil {
			t.Fatalf("%q: %s\n%s", src, r.Err, strings.Join(r.Err.Traceback, "\n"))
		} else if want != "" {
			shows(t, r, want)
		}
	}
	number, mid := 0, 0
	for death := range *deaths {
		ok(mortalBase, "")
		var cells []string
		for range 1 + rng.IntN(4) {
			number++
			cells = append(cells, fmt.Sprintf(mortal[rng.IntN(len(mortal))], number))
		}
		results := make([]Result, len(cells))
		var all sync.WaitGroup
		for i, src := range cells {
			run := other
			if i == 0 {
				run = main
			}
			all.Go(func() { results[i] = run(src) })
		}
		time.Sleep(time.Duration(rng.IntN(20000)) * time.Microsecond)
		worker := s.worker.PID()
		if p, err := os.FindProcess(worker); err == nil {
			p.Kill()
		}
		for start := time.Now(); s.worker.PID() == worker; time.Sleep(time.Millisecond) {
			if time.Since(start) > time.Minute {
				t.Fatalf("death %d: worker %d does not end", death, worker)
			}
		}
		all.Wait()
		said := false
		for i, r := range results {
			said = said || saysDeath(t, cells[i], r)
		}
		if said {
			mid++
		} else if r := main("1 + 1"); !saysDeath(t, "1 + 1", r) {
			t.Fatalf("death %d: nobody says that the worker died: %+v after %q", death, r, cells)
		}
		ok("1 + 1", "2")
		if r := main("twice(1)"); r.Err == nil || !strings.Contains(r.Err.Value, "undefined: twice") {
			t.Fatalf("death %d: a function of a worker that is gone: %+v", death, r)
		}
	}
	t.Logf("%d of %d deaths in cells", mid, *deaths)
}

// saysDeath reports whether a cell was lost with its worker, and fails for one that ended in a way of ours.
func saysDeath(t *testing.T, src string, r Result) bool {
	t.Helper()
	if r.Err == nil {
		return false
	}
	text := r.Err.Value + "\n" + strings.Join(r.Err.Traceback, "\n")
	if r.Err.Name == "InternalError" || strings.Contains(text, "mistake of Gaucho") || strings.Contains(text, "bug in Gaucho") {
		t.Errorf("%q: %s", src, text)
	}
	if r.Err.Lost && (!strings.Contains(text, "killed") || !strings.Contains(text, "All variables are lost")) {
		t.Errorf("%q does not say what happened: %s", src, text)
	}
	return r.Err.Lost
}
