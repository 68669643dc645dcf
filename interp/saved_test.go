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
		s.renew()
	}
	got := cell("%replay")
	for _, want := range []string{"Declared again: P, own, total\n", "Brought back as last saved: m, names, none, xs\n", "Not saved, declare them again: big, p\n", "Not declared again, because they use what was not saved: length, twice\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%%replay says\n%swithout %q", got, want)
		}
	}
	if got := cell("xs, names, m.At(1, 0), none == nil, P{3}, total()+float64(own(1))"); got != "= []float64{1, 2.5}\nmap[string][]int{\"a\": {1}}\n4\ntrue\nP{X: 3}\n4.5\n" {
		t.Errorf("what came back is\n%s", got)
	}
}
