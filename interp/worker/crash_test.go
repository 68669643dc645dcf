package worker

import (
	"strings"
	"testing"
)

// Runaway recursion ends the cell, and the session keeps its variables.
func TestStackOverflow(t *testing.T) {
	s := start(t)
	s.ok("var v_x int", "v_x = 5")
	d := s.run("func f_fact_1(n int) int { if *rt_stop { rt.Stopped() }; return n * f_fact_1(n-1) }", "f_fact_1(5)")
	if d.Error == nil || d.Error.Name != "runtime error" || !strings.Contains(d.Error.Value, "stack overflow") || d.Error.Lost {
		t.Fatalf("ended with %+v", d.Error)
	}
	if len(d.Error.Trace) == 0 || d.Error.Trace[0].Function != "fact" {
		t.Errorf("trace %+v", d.Error.Trace)
	}
	if got := s.ok("", "rt.Result(v_x)"); got != "5" {
		t.Errorf("v_x is %s", got)
	}
}
