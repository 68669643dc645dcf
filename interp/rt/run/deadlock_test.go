package run

import (
	"strings"
	"testing"
)

func TestAsleep(t *testing.T) {
	cell := func(state string, frames ...string) string {
		return "goroutine 7 [" + state + "]:\n" + strings.Join(frames, "(...)\n\t/x.go:1 +0x1\n") +
			"(...)\n\t/x.go:1 +0x1\n" + ownPath + ".(*Cell).Run.func1()\n\t/x.go:2 +0x1\n"
	}
	recv := cell("select", "reflect.rselect", "reflect.Select", ownPath+".Recv")
	for _, c := range []struct {
		name, stacks string
		want         bool
	}{
		{"no goroutine of a cell", "goroutine 1 [running]:\nmain.main()\n\t/x.go:1 +0x1\n", false},
		{"a receive", recv, true},
		{"a receive and one that runs", recv + "\n" + cell("running", "github.com/traefik/yaegi/interp.runCfg"), false},
		{"compiled cells", cell("select", rtPath+"cell.Receive[...]", "gaucho.cell/h0123456789abcdef.entry"), true},
		{"compiled cells, a mutex", cell("sync.Mutex.Lock", "sync.(*Mutex).Lock", "gaucho%2ecell/h0123456789abcdef.entry"), true},
		{"one that os.Exit has left", recv + "\n" + cell("select (no cases)", ownPath+".(*goroutine).forsake"), true},
		{"a mutex", cell("sync.Mutex.Lock, 2 minutes", "sync.(*Mutex).Lock", "reflect.Value.Call", "github.com/traefik/yaegi/interp.callBin"), true},
		{"a question to the user", cell("select", interpPath+"worker.(*server).Input", ownPath+".ask"), false},
		{"a subprocess", cell("chan receive", "os/exec.(*Cmd).Wait"), false},
		{"compiled code", cell("sync.WaitGroup.Wait", "sync.(*WaitGroup).Wait", "gaucho/stdlib/em.Fit"), false},
		{"a nap", cell("select", ownPath+".Sleep"), false},
	} {
		if got := asleepNow([]byte(c.stacks)); got != c.want {
			t.Errorf("%s: asleep is %v", c.name, got)
		}
	}
}
