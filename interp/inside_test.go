package interp

import (
	"strings"
	"testing"
	"time"
)

// An interrupt during a long computation of our library, also under gonum's names, ends it, keeps what there is, and says
// what may be half written.
func TestInterruptInside(t *testing.T) {
	long(t)
	out := &said{texts: make(chan string, 100)}
	interruptInside(t, newSession(t, Options{Sink: out}), out)
}

func TestNativeInterruptInside(t *testing.T) {
	out := &said{texts: make(chan string, 100)}
	interruptInside(t, startNative(t, out), out)
}

// An interrupt lets a call that got ctx return, and what it returns is assigned; the next statement does not run.
func TestInterruptReturns(t *testing.T) {
	long(t)
	out := &said{texts: make(chan string, 100)}
	interruptReturns(t, newSession(t, Options{Sink: out}), out)
}

func TestNativeInterruptReturns(t *testing.T) {
	out := &said{texts: make(chan string, 100)}
	interruptReturns(t, startNative(t, out), out)
}

func interruptReturns(t *testing.T, s *Session, out *said) {
	run := func(src string) Result { return s.Execute(t.Context(), Cell{ID: src, Source: src}) }
	train := `ppo := must(rl.NewPPO(rl.NewCartPole(), nil, rand.New(rand.NewPCG(1, 2))))
curve, err := rl.Train(ctx, ppo, 1<<40, &rl.TrainSettings{Observe: func(rl.Progress) { fmt.Println("here") }})
fmt.Println("after")`
	done := make(chan Result, 1)
	go func() { done <- run(train) }()
	out.wait(t, "here")
	s.Interrupt()
	select {
	case r := <-done:
		if r.Err == nil || r.Err.Name != "Interrupt" || r.Err.Lost {
			t.Errorf("the cell ended with %+v", r.Err)
		}
	case <-time.After(3 * time.Minute):
		t.Fatal("waited three minutes for the interrupted cell to end")
	}
	if all := out.of("said").String(); strings.Contains(all, "after") || strings.Contains(all, "half written") {
		t.Errorf("the cell said\n%s", all)
	}
	shows(t, run("len(curve) > 0 && errors.Is(err, context.Canceled)"), "true")
}

func interruptInside(t *testing.T, s *Session, out *said) {
	run := func(src string) Result { return s.Execute(t.Context(), Cell{ID: src, Source: src}) }
	if r := run("kept := 40\na := mat.NewDense(1500, 1500, nil)\nfor i := range 1500 {\n\tfor j := range 1500 {\n\t\ta.Set(i, j, math.Cos(float64(i*j)))\n\t}\n}\n" +
		"ones := make([]float64, 2_250_000)\nvec.Fill(ones, 1./1500)\nflat := mat.NewDense(1500, 1500, ones)\nvar c mat.Dense\nvar d mat.SVD"); r.Err != nil {
		t.Fatal(r.Err)
	}
	for _, c := range []struct{ src, said string }{
		{"c.Pow(flat, 1<<40)", "mat.(*Dense).Pow was stopped before it had finished: what it writes to may be half written.\n"},
		{"for range 100 {\n\td.Factorize(a, mat.SVDThin)\n}", ""}, // stops in the loop if not inside
		{"done := make(chan bool)\ngo func() {\n\tdefer close(done)\n\tc.Pow(flat, 1<<40)\n}()\n<-done", ""},
	} {
		done := make(chan Result, 1)
		go func() { done <- run("fmt.Println(\"here\")\n" + c.src) }()
		out.wait(t, "here")
		time.Sleep(300 * time.Millisecond) // so that it is inside, most often
		s.Interrupt()
		select {
		case r := <-done:
			if r.Err == nil || r.Err.Name != "Interrupt" || r.Err.Lost {
				t.Errorf("%s: %+v", c.src, r.Err)
			}
		case <-time.After(3 * time.Minute):
			t.Fatalf("%s: waited three minutes for the interrupted cell to end", c.src)
		}
		if all := out.of("said").String(); !strings.Contains(all, c.said) {
			t.Errorf("%s: said\n%s\nwithout %s", c.src, all, c.said)
		}
		shows(t, run("kept"), "40")
		shows(t, run("var p mat.Dense\np.Mul(flat, flat)\nfmt.Sprintf(\"%.3f\", 1500*p.At(7, 1499))"), `"1.000"`) // all processors go on
	}
}
