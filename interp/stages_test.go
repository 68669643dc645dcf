package interp

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

// ringCell is cell number k of n that pass a token round a ring. Each round is a stage of its own, which declares the
// cell's variable again, and a type with a method.
func ringCell(k, n, rounds int) string {
	var b strings.Builder
	pass := fmt.Sprintf("ring[%d] <- x%d.Get() + 1\n", (k+1)%n, k)
	for r := range rounds {
		fmt.Fprintf(&b, "type T%[1]d_%[2]d struct{ N%[2]d int }\nfunc (t T%[1]d_%[2]d) Get() int { return t.N%[2]d }\n", k, r)
		if k == 0 && r == 0 {
			fmt.Fprintf(&b, "x0 := T0_0{0}\n%s", pass)
			continue
		}
		fmt.Fprintf(&b, "x%d := T%[1]d_%[2]d{<-ring[%[1]d]}\n%[3]s", k, r, pass)
	}
	if k == 0 {
		b.WriteString("x0 := [1]int{<-ring[0]}\nx0[0]")
	} else {
		fmt.Fprintf(&b, "fmt.Sprintf(\"%%v\", any(x%d))", k)
	}
	return b.String()
}

// Cells of several stages run concurrently, each stage waiting for a statement of another cell, on few and many
// processors, and on ones that others eat.
func TestStagesBeside(t *testing.T) {
	for _, procs := range []string{"1", "2", "8"} {
		for _, eaters := range []int{0, 4} {
			t.Run(fmt.Sprintf("%s processors, %d eaters", procs, eaters), func(t *testing.T) {
				busy(t, eaters)
				t.Setenv("GOMAXPROCS", procs)
				_, main, other := subshellSession(t)
				for range 5 {
					ring(t, main, other)
				}
			})
		}
	}
}

func ring(t *testing.T, main, other func(string) Result) {
	t.Helper()
	const n, rounds = 4, 4
	if r := main(fmt.Sprintf("ring := make([]chan int, %d)\nfor i := range ring {\n\tring[i] = make(chan int)\n}", n)); r.Err != nil {
		t.Fatal(r.Err)
	}
	var ends []func() Result
	for k := n - 1; k >= 0; k-- {
		run := other
		if k == 2 {
			run = main
		}
		ends = append(ends, start(run, ringCell(k, n, rounds)))
	}
	for i, end := range ends {
		if k := n - 1 - i; k == 0 {
			shows(t, end(), fmt.Sprint(n*rounds))
		} else {
			shows(t, end(), fmt.Sprintf(`"{%d}"`, (rounds-1)*n+k))
		}
	}
	shows(t, main("T1_3{N3: 5}.Get() + T2_0{N0: 6}.Get() + x0[0]"), fmt.Sprint(11+n*rounds))
}

// What a later stage declares is not there for others before the stage has started, and then it is for those that come
// after the cell.
func TestLaterStageBeside(t *testing.T) {
	_, main, other := subshellSession(t)
	if r := main("type Point struct{ X, Y int }\nfunc (p Point) String() string { return \"old\" }\nfunc twice(n int) int { return 2 * n }"); r.Err != nil {
		t.Fatal(r.Err)
	}
	end := start(main, `v := <-gate
back <- v
v := "abc"
w := v
func (p Point) Sum() int { return p.X + p.Y + len(w) }
func (p Point) String() string { return "new " + w }
func twice(n int) int { return 2*n + len(w) - 2 }
<-gate
Point{1, 2}.Sum()`)
	for range 3 {
		shows(t, other("fmt.Sprint(Point{1, 2}, any(&Point{}), twice(4))"), `"old old 8"`)
		if r := other("Point{1, 2}.Sum()"); r.Err == nil || !strings.Contains(r.Err.Value, "has no field or method Sum") {
			t.Fatalf("a method of a stage that has not started: %+v", r)
		}
	}
	shows(t, other("gate <- 1\n<-back"), "1")
	if r := other("gate <- 2"); r.Err != nil {
		t.Fatal(r.Err)
	}
	shows(t, end(), "6")
	shows(t, other("fmt.Sprint(Point{1, 2}, Point{}.Sum(), twice(4))"), `"new abc 3 9"`)
}

// A cell that waits for the gate can be interrupted, and one that comes later is not held up by it.
func TestInterruptAtGate(t *testing.T) {
	s, main, other := subshellSession(t)
	s.gate.enter(context.Background())
	one, two := start(main, "1 + 1"), start(other, "2 + 2")
	time.Sleep(20 * time.Millisecond)
	s.Interrupt()
	for _, end := range []func() Result{one, two} {
		if r := end(); r.Err == nil || r.Err.Name != "Interrupt" {
			t.Errorf("%+v", r)
		}
	}
	s.gate.leave()
	shows(t, main("kept"), "40")
}

// Cells that are interrupted in any stage, alongside others that are not, leave a session that knows what its worker has.
func TestInterruptStages(t *testing.T) {
	s, main, other := subshellSession(t)
	for i := range 20 {
		var all sync.WaitGroup
		for k := range 3 {
			all.Go(func() {
				run := other
				if k == 0 {
					run = main
				}
				run(fmt.Sprintf("a%d := %d\ntype A%[1]d struct{ N int }\na%[1]d++\na%[1]d := A%[1]d{a%[1]d}\nfunc (a A%[1]d) Get() int { return a.N }\ntime.Sleep(3 * time.Millisecond)\na%[1]d := a%[1]d.Get()\na%[1]d", k, i))
			})
		}
		time.Sleep(time.Duration(i) * time.Millisecond)
		s.Interrupt()
		all.Wait()
		shows(t, main("func twice(n int) int { return 2 * n }\ntwice(kept)"), "80")
	}
	for k := range 3 {
		shows(t, other(fmt.Sprintf("type A%d struct{ S string }\nfunc (a A%[1]d) Get() string { return a.S }\na%[1]d := A%[1]d{\"s\"}.Get()\na%[1]d", k)), `"s"`)
	}
}
