//go:build unix

package worker

import (
	"syscall"
	"testing"
)

// An interrupt reaches a worker that somebody has stopped, as with kill -STOP, and its variables stay.
func TestInterruptStopped(t *testing.T) {
	s := start(t)
	r := s.cell("", `fmt.Fprint(rt.Stdout, "go"); for { if *rt_stop { rt.Stopped() } }`)
	go func() {
		s.sink.await(t, r.Cell, "stdout", "go")
		syscall.Kill(s.p.PID(), syscall.SIGSTOP)
		s.p.Interrupt(r.Cell, true)
	}()
	d, err := s.p.Run(t.Context(), r, nil)
	if err != nil || d.Error == nil || d.Error.Name != "Interrupt" || d.Error.Lost || s.p.Generation() != 1 {
		t.Errorf("ended with %+v %v in generation %d", d.Error, err, s.p.Generation())
	}
}
