package supervisor

import (
	"fmt"
	"os"
	"runtime"
	"strings"

	"gaucho/interp/wire"
)

// causeOfDeath says why a worker ended: killed is not nil when the kernel killed it, crash holds the Go runtime's last
// words.
func causeOfDeath(killed *wire.Error, crash []byte, state *os.ProcessState) *wire.Error {
	e := &wire.Error{Lost: true}
	switch {
	case killed != nil:
		e.Name, e.Value = killed.Name, killed.Value
	case len(crash) > 0:
		e.Name, e.Value = crashError(string(crash))
	case state != nil && exception(state.ExitCode()) != "":
		e.Name, e.Value = "fatal error", fmt.Sprintf("fault: the worker's process ended with %s", exception(state.ExitCode()))
	case state != nil && state.Exited():
		e.Name, e.Code = "Exit", state.ExitCode()
		e.Value = fmt.Sprintf("the worker's process ended with exit status %d (os.Exit or log.Fatal in compiled code)", e.Code)
	case wasKilled(state):
		e.Name, e.Value = "Killed", "the worker's process was killed from outside, most likely because the machine ran out of memory"
	default:
		e.Name, e.Value = "Killed", fmt.Sprintf("the worker's process ended: %v", state)
	}
	return e
}

// exceptions are names of those with which Windows ends a process that does not handle them.
var exceptions = map[uint32]string{
	0xc0000005: "an access violation", 0xc000001d: "an illegal instruction", 0xc0000094: "a division by zero", 0xc0000096: "a privileged instruction",
	0xc00000fd: "a stack overflow", 0xc0000374: "a corrupted heap", 0xc0000409: "an overrun of a buffer", 0xc0000017: "no memory left",
}

// exception names the exception whose number is the status of a process on Windows. It is empty for another status.
func exception(status int) string {
	const errors = 0xc0000000
	if n := uint32(status); runtime.GOOS == "windows" && n >= errors {
		return strings.TrimSpace(fmt.Sprintf("exception %#x %s", n, exceptions[n]))
	}
	return ""
}

// wasKilled reports whether a process ended because it was killed. On Windows, those of a job that is ended have status 1.
func wasKilled(state *os.ProcessState) bool {
	if runtime.GOOS == "windows" {
		return state.ExitCode() == 1
	}
	return strings.Contains(state.String(), "signal: killed")
}

// crashError puts the last words of the Go runtime in an error's name and value.
func crashError(crash string) (name, value string) {
	if i := strings.Index(crash, "\n\ngoroutine "); i >= 0 {
		crash = crash[:i]
	}
	switch {
	case strings.Contains(crash, "goroutine stack exceeds"), strings.Contains(crash, "fatal error: stack overflow"):
		return "runtime error", "stack overflow: a stack grew without end (is this recursion endless?)"
	case strings.Contains(crash, "out of memory"), strings.Contains(crash, "cannot allocate memory"):
		return "out of memory", "the worker could not get more memory"
	}
	for line := range strings.Lines(crash) {
		line = strings.TrimSpace(line)
		if s, ok := strings.CutPrefix(line, "fatal error: "); ok {
			return "fatal error", s
		}
		if s, ok := strings.CutPrefix(line, "panic: "); ok {
			s = strings.TrimSuffix(s, " [recovered, repanicked]")
			return "panic", s + " (in a goroutine that compiled code started)"
		}
	}
	first, _, _ := strings.Cut(strings.TrimSpace(crash), "\n")
	return "fatal error", first
}
