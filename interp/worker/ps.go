package worker

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"gaucho/internal/modpath"
	"gaucho/interp/rt/run"
)

// standingPatience is how long %ps waits for goroutines that run to report where they are.
const standingPatience = 10 * time.Millisecond

// A cellGoroutine is a goroutine that a cell started, or several that a library started on its behalf.
type cellGoroutine struct {
	run     int // of the cell, as the worker counts
	n       int // in the cell; 0 for the cell's own and those that libraries started for it
	count   int
	start   run.Place // where its go statement is, if that is known
	does    string
	running bool
	at      run.Place // where it is, if that is known
}

// ps lists the goroutines of cells, and with "-stop" ends those that it names.
func (w *server) ps(arg string) error {
	if rest, ok := strings.CutPrefix(arg, "-stop"); ok && (rest == "" || rest[0] == ' ') {
		return w.stopGoroutines(rest)
	} else if arg != "" {
		return fmt.Errorf("%%ps does not know %q; see %%ps -h", arg)
	}
	list, err := w.goroutines()
	if err != nil {
		return err
	}
	if len(list) == 0 {
		fmt.Fprintln(run.Stdout, "No cell has left a goroutine.")
		return nil
	}
	if slices.ContainsFunc(list, func(g cellGoroutine) bool { return g.running && g.at.Line == 0 }) {
		standing := run.Standing(standingPatience)
		for i, g := range list {
			if at, ok := standing[run.Labelled{Cell: g.run, Number: g.n}]; ok && g.running {
				list[i].at = at
			}
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writeGoroutines(run.Stdout, list)
	return nil
}

// writeGoroutines writes a line for all that were started at one place and do the same.
func (w *server) writeGoroutines(out io.Writer, list []cellGoroutine) {
	same := func(a, b cellGoroutine) bool {
		return a.run == b.run && a.start == b.start && a.at == b.at && a.does == b.does && (a.n == 0) == (b.n == 0)
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for len(list) > 0 {
		first := list[0]
		var group, rest []cellGoroutine
		for _, g := range list {
			if same(g, first) {
				group = append(group, g)
			} else {
				rest = append(rest, g)
			}
		}
		list = rest
		total := 0
		for _, g := range group {
			total += g.count
		}
		noun := "goroutines"
		if total == 1 {
			noun = "goroutine"
		}
		does := first.does
		if first.at.Line > 0 {
			does += " at " + w.place(first.at, first.run)
		}
		start := ""
		if first.start.Line > 0 {
			start = "started at " + w.place(first.start, first.run)
		} else if first.n == 0 {
			start = "of the cell itself or a library"
		}
		fmt.Fprintf(table, "In [%d]\t%s\t%d %s\t%s\t%s\n", w.numbers[first.run], w.names(group), total, noun, does, start)
	}
	table.Flush()
}

// place is a line of a cell in words, which names the cell if it is not the one of that run.
func (w *server) place(p run.Place, run int) string {
	if p.Cell == run {
		return fmt.Sprintf("line %d", p.Line)
	}
	return fmt.Sprintf("line %d of In [%d]", p.Line, w.numbers[p.Cell])
}

// names are the numbers of goroutines as -stop takes them, those that follow each other in short: 3.1 to 3.4, 3.7.
func (w *server) names(group []cellGoroutine) string {
	const most = 5
	var b strings.Builder
	for i, written := 0, 0; i < len(group); written++ {
		if written > 0 {
			b.WriteString(", ")
		}
		if written == most {
			b.WriteString("...")
			break
		}
		last := i
		for last+1 < len(group) && group[last+1].n == group[last].n+1 {
			last++
		}
		fmt.Fprintf(&b, "%d.%d", w.numbers[group[i].run], group[i].n)
		if last > i {
			fmt.Fprintf(&b, " to %d.%d", w.numbers[group[last].run], group[last].n)
		}
		i = last + 1
	}
	return b.String()
}

// namedGoroutines is what -stop takes: 3 or In [3] for all of a cell, 3.2 for one.
var namedGoroutines = regexp.MustCompile(`^(?:In *\[ *(\d+) *\]|(\d+)(?:\.(\d+))?)(?:[ ,]+|$)`)

// stopGoroutines ends all goroutines of cells, or single ones, as arg names them.
func (w *server) stopGoroutines(arg string) error {
	arg = strings.TrimSpace(arg)
	if arg == "" {
		return errors.New("%ps -stop needs the number of a cell, as in %ps -stop 3, or of a goroutine as %ps lists them, as in %ps -stop 3.2")
	}
	for arg != "" {
		m := namedGoroutines.FindStringSubmatch(arg)
		if m == nil {
			return fmt.Errorf("%%ps -stop takes the number of a cell or of a goroutine, 3 or 3.2, not %q", arg)
		}
		arg = arg[len(m[0]):]
		cell, _ := strconv.Atoi(cmp.Or(m[1], m[2]))
		n := -1 // all of them
		if m[3] != "" {
			n, _ = strconv.Atoi(m[3])
		}
		if err := w.stopNamed(cell, n); err != nil {
			return err
		}
	}
	return nil
}

// stopNamed ends the goroutines of all runs of a cell, or that of number n.
func (w *server) stopNamed(cell, n int) error {
	who, verb, past := fmt.Sprintf("The goroutines of In [%d]", cell), "end when they come", "have ended"
	if n >= 0 {
		who, verb, past = fmt.Sprintf("Goroutine %d.%d", cell, n), "ends when it comes", "has ended"
	}
	if n == 0 {
		return fmt.Errorf("%d.0 is the cell itself, or what a library started for it: %%ps -stop %d ends all of the cell's goroutines", cell, cell)
	}
	named := func() (list []cellGoroutine, err error) {
		list, err = w.goroutines()
		w.mu.Lock()
		defer w.mu.Unlock()
		return slices.DeleteFunc(list, func(g cellGoroutine) bool { return w.numbers[g.run] != cell || n >= 0 && g.n != n }), err
	}
	list, err := named()
	if err != nil {
		return err
	}
	if len(list) == 0 && n >= 0 {
		return fmt.Errorf("there is no goroutine %d.%d; %%ps lists them", cell, n)
	} else if len(list) == 0 {
		return fmt.Errorf("no goroutines of In [%d] are left", cell)
	}
	for _, g := range list {
		if n >= 0 {
			run.StopGoroutine(g.run, n)
		} else {
			run.Interrupt(g.run)
		}
	}
	for wait := time.Millisecond; wait < 2*time.Second; wait *= 2 {
		time.Sleep(wait)
		if list, err = named(); err != nil {
			return err
		}
		if len(list) == 0 {
			fmt.Fprintf(run.Stdout, "%s %s.\n", who, past)
			return nil
		}
	}
	fmt.Fprintf(run.Stdout, "%s %s to the next check; now it %s.\n", who, verb, list[0].does)
	return nil
}

var cellLabel = regexp.MustCompile(`(?m)^# labels: \{"gaucho cell":"([^"]+)"\}`)

// goroutines reads the runtime's list of all goroutines, in which those of cells have a label, and returns those of other
// cells than the one that runs, by cell and number.
func (w *server) goroutines() ([]cellGoroutine, error) {
	var buf bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&buf, 1); err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []cellGoroutine
	for record := range strings.SplitSeq(buf.String(), "\n\n") {
		if strings.HasPrefix(record, "goroutine profile:") {
			_, record, _ = strings.Cut(record, "\n")
		}
		m := cellLabel.FindStringSubmatch(record)
		if m == nil {
			continue
		}
		who, start, err := run.ParseLabel(m[1])
		if err != nil || who.Cell == run.CellID() || w.numbers[who.Cell] == 0 {
			continue
		}
		head, _, _ := strings.Cut(record, "\n")
		count, places, _ := strings.Cut(head, " @")
		g := cellGoroutine{run: who.Cell, n: who.Number, start: start}
		g.count, _ = strconv.Atoi(count)
		g.see(strings.Fields(places))
		out = append(out, g)
	}
	slices.SortFunc(out, func(a, b cellGoroutine) int {
		return cmp.Or(cmp.Compare(w.numbers[a.run], w.numbers[b.run]), cmp.Compare(a.run, b.run), cmp.Compare(a.n, b.n))
	})
	return out, nil
}

// waits say what a goroutine does that is in a function, those of rt before what they call.
var waits = []struct{ function, does string }{
	{modpath.Path + "/interp/rt/run.Sleep", "sleeps"},
	{modpath.Path + "/interp/rt/run.Recv", "waits to receive"},
	{modpath.Path + "/interp/rt/run.Send", "waits to send"},
	{modpath.Path + "/interp/rt/run.Select", "waits in a select"},
	{modpath.Path + "/interp/rt/cell.Rece", "waits to receive"},
	{modpath.Path + "/interp/rt/cell.Send", "waits to send"},
	{"sync.(*WaitGroup).Wait", "waits for a WaitGroup"},
	{"sync.(*Cond).Wait", "waits for a Cond"},
	{"sync.(*Mutex).", "waits for a Mutex"},
	{"sync.(*RWMutex).", "waits for a RWMutex"},
	{"internal/poll.", "waits for the network or a file"},
	{"syscall.", "is in a call of the system"},
	{"time.Sleep", "sleeps"},
	{"runtime.chanrecv", "waits to receive"},
	{"runtime.chansend", "waits to send"},
	{"runtime.selectgo", "waits in a select"},
	{"runtime.block", "waits for ever"},
}

// see finds out from the places on a goroutine's stack, innermost first, what it does and where.
func (g *cellGoroutine) see(places []string) {
	var pcs []uintptr
	for _, p := range places {
		if pc, err := strconv.ParseUint(strings.TrimPrefix(p, "0x"), 16, 64); err == nil {
			pcs = append(pcs, uintptr(pc))
		}
	}
	best := len(waits)
	for frames, more := runtime.CallersFrames(pcs), len(pcs) > 0; more; {
		var f runtime.Frame
		f, more = frames.Next()
		for i, wait := range waits[:best] {
			if strings.HasPrefix(f.Function, wait.function) {
				best = i
				break
			}
		}
		if at, ok := run.NativePlace(f); ok && g.at.Line == 0 {
			g.at = at
		}
	}
	if best < len(waits) {
		g.does = waits[best].does
	} else {
		g.does, g.running = "runs", true
	}
}
