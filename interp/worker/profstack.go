package worker

import (
	"slices"
	"strings"

	pprof "github.com/google/pprof/profile"

	"gaucho/internal/modpath"
)

// A stack is a call stack, outermost first, with what was spent in it.
type stack struct {
	frames []string
	value  int64
}

// interpreted replaces cells' own code in stacks, because the processor's profile shows only the interpreter.
const interpreted = "(interpreted code)"

// cellStack makes of a Go stack, outermost first, what a cell's author knows: compiled functions that the cell called, and
// one frame for the interpreter between them. ok is false for stacks that are not of a cell.
func cellStack(names []string) (frames []string, ok bool) {
	for _, n := range names {
		switch {
		case strings.HasPrefix(n, modpath.Path+"/interp/rt/run.(*Cell).Run"), strings.HasPrefix(n, modpath.Path+"/interp/rt/run.Go"):
			frames, ok = nil, true
		case strings.HasPrefix(n, "runtime.goexit"), strings.HasPrefix(n, "runtime.asyncPreempt"):
		case strings.HasPrefix(n, "runtime/pprof."):
			return nil, false // the profiler's own
		case strings.HasPrefix(n, modpath.Path+"/interp/"), strings.HasPrefix(n, "github.com/traefik/yaegi/"), strings.HasPrefix(n, "reflect."):
			if len(frames) == 0 || frames[len(frames)-1] != interpreted {
				frames = append(frames, interpreted)
			}
		default:
			frames = append(frames, modpath.Cell(n))
		}
	}
	if len(frames) == 0 {
		frames = []string{interpreted}
	}
	return frames, ok
}

// parseProfile reads a processor profile. The last value of a sample is its time.
func parseProfile(data []byte) ([]stack, error) {
	p, err := pprof.ParseData(data)
	if err != nil {
		return nil, err
	}
	var out []stack
	for _, s := range p.Sample {
		var names []string
		for _, at := range slices.Backward(s.Location) { // innermost first, as its lines are
			for _, l := range slices.Backward(at.Line) {
				names = append(names, l.Function.Name)
			}
		}
		if frames, ok := cellStack(names); ok && len(s.Value) > 0 {
			out = append(out, stack{frames, s.Value[len(s.Value)-1]})
		}
	}
	return out, nil
}
