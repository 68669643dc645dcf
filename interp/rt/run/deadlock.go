package run

import (
	"bytes"
	"context"
	"errors"
	"runtime/metrics"
	"strings"
	"sync/atomic"
	"time"
)

// deadlockPatience is how long a cell runs before it is first looked at whether all goroutines wait for each other.
const deadlockPatience = 500 * time.Millisecond

var errDeadlock = errors.New("all goroutines are asleep")

// awake is set when something other than goroutines of cells may wake them: a timer, a connection, a signal.
var awake atomic.Bool

// MayWake says that cells use something that can wake their goroutines from outside. From now on no deadlock is
// reported.
func MayWake() { awake.Store(true) }

// CellCtx is the variable ctx of cells. Who waits for its end waits for the user.
func CellCtx() context.Context {
	MayWake()
	return Ctx()
}

// asleep reports whether all goroutines of cells wait for each other: nothing will wake them. It looks twice.
func asleep() bool {
	for i := range 2 {
		if i > 0 {
			time.Sleep(20 * time.Millisecond)
		}
		if awake.Load() || someRun() || !asleepNow(allStacks()) {
			return false
		}
	}
	return true
}

// someRun reports whether any goroutine but the one that asks runs or could. To ask costs nothing; the stacks of many
// goroutines take seconds, for which all of them stop.
func someRun() bool {
	m := []metrics.Sample{{Name: "/sched/goroutines/runnable:goroutines"}, {Name: "/sched/goroutines/running:goroutines"}}
	metrics.Read(m)
	return m[0].Value.Uint64() > 0 || m[1].Value.Uint64() > 1
}

// asleepNow reports the same from the stack traces of all goroutines. Those of cells have Run of Cell, or guard, at their
// bottom. One waits for another goroutine of cells if it is in a wait for a channel or of package sync, and what called
// for it is the engine, or one of rt's own operations on channels.
func asleepNow(stacks []byte) bool {
	some := false
	for len(stacks) > 0 {
		var s []byte
		s, stacks, _ = bytes.Cut(stacks, []byte("\n\n"))
		if !bytes.Contains(s, []byte(ownPath+".(*Cell).Run.")) && !bytes.Contains(s, []byte(ownPath+".(*goroutine).guard(")) {
			continue
		}
		if bytes.Contains(s, []byte(ownPath+".(*goroutine).forsake(")) {
			continue
		}
		some = true
		head, frames, _ := bytes.Cut(s, []byte("\n"))
		if !waits(head) || !called(frames) {
			return false
		}
	}
	return some
}

// waits reports whether the first line of a trace names a wait that only another goroutine ends.
func waits(head []byte) bool {
	_, what, _ := bytes.Cut(head, []byte("["))
	what, _, _ = bytes.Cut(what, []byte("]"))
	what, _, _ = bytes.Cut(what, []byte(","))
	for _, state := range []string{"chan receive", "chan send", "select", "sync.", "semacquire"} {
		if bytes.HasPrefix(what, []byte(state)) {
			return true
		}
	}
	return false
}

// called reports whether the innermost frame that is not the runtime's is one that cell code leads to directly.
func called(frames []byte) bool {
	for line := range bytes.Lines(frames) {
		if line[0] == '\t' {
			continue
		}
		switch {
		case hasPrefix(line, "runtime.", "sync.", "internal/sync.", "reflect."):
			continue
		}
		return hasPrefix(line, ownPath+".Recv(", ownPath+".Send(", ownPath+".Select(", "github.com/traefik/yaegi/interp.",
			rtPath+"cell.Receive[", rtPath+"cell.Send[", CellPath, strings.ReplaceAll(CellPath, ".", "%2e"))
	}
	return false
}

func hasPrefix(line []byte, list ...string) bool {
	for _, p := range list {
		if bytes.HasPrefix(line, []byte(p)) {
			return true
		}
	}
	return false
}
