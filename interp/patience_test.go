package interp

import (
	"strings"
	"testing"
	"time"
)

// A call that cannot be interrupted is waited for: the first interrupt says so and loses nothing, the second ends the worker,
// and plain data comes back.
func TestInterruptWaits(t *testing.T) {
	long(t)
	out := &said{texts: make(chan string, 100)}
	s := newSession(t, Options{Sink: out})
	run := func(src string) Result { return s.Execute(t.Context(), Cell{ID: src, Source: src}) }
	// A call of a library that looks at nothing while it takes about five seconds of processor time: rounds of a test for primes.
	if r := run(`kept := 40
p := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 4423), big.NewInt(1))
import "syscall"
var before, after syscall.Rusage
syscall.Getrusage(syscall.RUSAGE_SELF, &before)
p.ProbablyPrime(20)
syscall.Getrusage(syscall.RUSAGE_SELF, &after)
rounds := int(20 * 5 * time.Second / time.Duration(after.Utime.Nano()-before.Utime.Nano()))
long := make([]float64, 1_000_000)
long[7] = math.NaN()
long[999_999] = 1.5
matrix := mat.NewDense(300, 400, nil)
matrix.Set(299, 399, 2.5)
plants := must(table.From(map[string]any{"height": []int{3, 1}, "plot": []string{"a", ""}}))
used := make([]int, 1_000_000)
huge := make([]float64, 40_000_000)
func touch() { used[0]++ }`); r.Err != nil {
		t.Fatal(r.Err)
	}
	interrupted := func(again bool) Result {
		t.Helper()
		done := make(chan Result, 1)
		go func() {
			done <- run("fmt.Println(\"here\")\np.ProbablyPrime(rounds)\ntouch()\nfor i := range 1000 {\n\tkept = i\n}")
		}()
		out.wait(t, "here")
		s.Interrupt()
		out.wait(t, "Interrupt again")
		if again {
			s.Interrupt()
		}
		select {
		case r := <-done:
			return r
		case <-time.After(3 * time.Minute):
			t.Fatal("waited three minutes for the cell to end")
			return Result{}
		}
	}
	if r := interrupted(false); r.Err == nil || r.Err.Name != "Interrupt" || r.Err.Lost {
		t.Errorf("after one interrupt: %+v", r.Err)
	}
	shows(t, run("kept"), "40")
	if r := interrupted(true); r.Err == nil || r.Err.Name != "Interrupt" || !r.Err.Lost {
		t.Errorf("after two interrupts: %+v", r.Err)
	}
	shows(t, run("1 + 1"), "2")
	shows(t, run("kept"), "40") // what was saved is back, unasked
	for _, want := range []string{"Brought back as last saved: kept, long, matrix, plants, rounds\n", "Not saved, declare them again: after, before, huge, p, used\n"} {
		if all := out.of("said").String(); !strings.Contains(all, want) {
			t.Errorf("said\n%s\nwithout %s", all, want)
		}
	}
	shows(t, run(`fmt.Sprint(len(long), long[7], long[999_999], matrix.At(299, 399), plants.Ints("height"), plants.Column("plot").Missing(1))`),
		`"1000000 NaN 1.5 2.5 [3 1] false"`)
}

// said is a sink that also hands on what is printed.
type said struct {
	transcript
	texts chan string
}

func (s *said) Stream(_, name, text string) {
	s.transcript.Stream("said", name, text)
	s.texts <- text
}

// wait waits until words are printed.
func (s *said) wait(t *testing.T, words string) {
	t.Helper()
	all := ""
	for limit := time.After(time.Minute); !strings.Contains(all, words); {
		select {
		case text := <-s.texts:
			all += text
		case <-limit:
			t.Fatalf("waited a minute for %q, have %q", words, all)
		}
	}
}
