package interp

import (
	"strings"
	"testing"
)

// TestReplayData: plain data comes back after the worker was lost, and what does not is named.
func TestReplayData(t *testing.T) {
	r := &transcript{}
	s := newSession(t, Options{Sink: r, Dir: t.TempDir()})
	n := 0
	cell := func(src string) string {
		n++
		return runCell(s, r, n, src)
	}
	cell("xs := []float64{1, 2.5}\nm := mat.NewDense(2, 1, []float64{3, 4})\nnames := map[string][]int{\"a\": {1}}")
	cell("type P struct{ X int }\np := P{2}\nbig := make([]float64, 1e6)\nvar none []string")
	cell("func total() (t float64) { for _, x := range xs { t += x }; return }\nfunc length() int { return len(big) }\nfunc twice() int { return 2 * length() }\nfunc own(n int) int { big := n; return big }")
	s.executing.Lock()
	s.save(t.Context())
	s.executing.Unlock()
	// The front end of a worker that is gone forgets all names, and nothing more when the next one is lost at once.
	for range 2 {
		if err := s.worker.Restart(); err != nil {
			t.Fatal(err)
		}
		s.renew(s.saves.take())
	}
	got := cell("%replay")
	for _, want := range []string{"Declared again: P, own, total\n", "Brought back as last saved: m, names, none, p, xs\n", "Not saved, declare them again: big\n", "Not declared again, because they use what is not there: length, twice\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%%replay says\n%swithout %q", got, want)
		}
	}
	if got := cell("xs, names, m.At(1, 0), none == nil, P{3}, total()+float64(own(1))"); got != "= []float64{1, 2.5}\nmap[string][]int{\"a\": {1}}\n4\ntrue\nP{X: 3}\n4.5\n" {
		t.Errorf("what came back is\n%s", got)
	}
}

// TestReplayStructs: values of cells' types come back as they were, in both engines; those with a pointer do not.
func TestReplayStructs(t *testing.T) {
	for _, engine := range []string{"yaegi", "native"} {
		t.Run(engine, func(t *testing.T) {
			r := &transcript{}
			var s *Session
			if engine == "native" {
				s = startNative(t, r)
			} else {
				s = newSession(t, Options{Sink: r, Engine: engine, Dir: t.TempDir()})
			}
			const declared = `type celsius float64
type station struct { Name string; at [2]float64; heights []celsius }
type list struct { next []list; n int8 }
type linked struct { next *linked }
func (s station) String() string { return "station " + s.Name }`
			const data = `one := station{"A \"1\"", [2]float64{1.5, -2}, []celsius{3, 4.25}}
many := map[string][]station{"x": {one}, "y": nil}
temperature := celsius(21.5)
rec := list{[]list{{nil, 1}, {nil, -2}}, 3}
ptr := linked{}`
			const look = `fmt.Sprintf("%#v %v %v %v", one.heights, many, rec, temperature + many["x"][0].heights[1]) + fmt.Sprint(many["y"] == nil, one.at)`
			runCell(s, r, 1, declared)
			runCell(s, r, 2, data)
			want := runCell(s, r, 3, look)
			s.executing.Lock()
			s.save(t.Context())
			s.executing.Unlock()
			if err := s.worker.Restart(); err != nil {
				t.Fatal(err)
			}
			s.renew(s.saves.take())
			if got, want := runCell(s, r, 4, "%replay"), "Brought back as last saved: many, one, rec, temperature\nNot saved, declare them again: ptr\n"; !strings.Contains(got, want) {
				t.Errorf("%%replay says\n%swithout\n%s", got, want)
			}
			if got := runCell(s, r, 5, look); got != want || !strings.Contains(got, "21.5") && !strings.Contains(got, "25.75") {
				t.Errorf("what came back is\n%s\nand was\n%s", got, want)
			}
		})
	}
}
