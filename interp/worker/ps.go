package worker

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"time"

	"gaucho/interp/rt"
)

// A groupOfGoroutines are goroutines of one run of a cell that stand at the same place.
type groupOfGoroutines struct {
	cell  int // its number in the session
	count int
	does  string
}

// ps lists the goroutines of cells, and with "-stop N" ends those that cell N left behind.
func (w *server) ps(arg string) error {
	if rest, ok := strings.CutPrefix(arg, "-stop"); ok {
		n, err := strconv.Atoi(strings.Trim(strings.TrimSpace(rest), "In[] "))
		if err != nil {
			return errors.New("%ps -stop needs the number of a cell")
		}
		return w.stopCell(n)
	} else if arg != "" {
		return fmt.Errorf("%%ps does not know %q; %%ps -h tells what it does", arg)
	}
	list, err := goroutines()
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	list = slices.DeleteFunc(list, func(g groupOfGoroutines) bool { return g.cell == rt.CellID() || w.numbers[g.cell] == 0 })
	if len(list) == 0 {
		fmt.Fprintln(rt.Stdout, "No cell has left a goroutine.")
		return nil
	}
	slices.SortStableFunc(list, func(a, b groupOfGoroutines) int {
		return cmp.Or(cmp.Compare(a.cell, b.cell), cmp.Compare(a.does, b.does))
	})
	for _, g := range list {
		noun := "goroutines"
		if g.count == 1 {
			noun = "goroutine"
		}
		fmt.Fprintf(rt.Stdout, "In [%d]  %6d %-10s  %s\n", w.numbers[g.cell], g.count, noun, g.does)
	}
	return nil
}

// stopCell ends the goroutines of all runs of cell n.
func (w *server) stopCell(n int) error {
	list, err := goroutines()
	if err != nil {
		return err
	}
	stopped := map[int]bool{}
	w.mu.Lock()
	for _, g := range list {
		if w.numbers[g.cell] == n && g.cell != rt.CellID() {
			stopped[g.cell] = true
		}
	}
	w.mu.Unlock()
	if len(stopped) == 0 {
		return fmt.Errorf("no goroutine of In [%d] is left", n)
	}
	for id := range stopped {
		rt.Interrupt(id)
	}
	for wait := time.Millisecond; wait < time.Second; wait *= 2 {
		time.Sleep(wait)
		list, err := goroutines()
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(list, func(g groupOfGoroutines) bool { return stopped[g.cell] }) {
			fmt.Fprintf(rt.Stdout, "The goroutines of In [%d] have ended.\n", n)
			return nil
		}
	}
	fmt.Fprintf(rt.Stdout, "The goroutines of In [%d] end when they come to their next check.\n", n)
	return nil
}

var cellLabel = regexp.MustCompile(`(?m)^# labels: \{"gaucho cell":"(\d+)"\}`)

// goroutines reads the runtime's list of all goroutines, in which those of cells have a label.
func goroutines() ([]groupOfGoroutines, error) {
	var buf bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&buf, 1); err != nil {
		return nil, err
	}
	var out []groupOfGoroutines
	for _, record := range strings.Split(buf.String(), "\n\n") {
		if strings.HasPrefix(record, "goroutine profile:") {
			_, record, _ = strings.Cut(record, "\n")
		}
		m := cellLabel.FindStringSubmatch(record)
		if m == nil {
			continue
		}
		g := groupOfGoroutines{does: doing(record)}
		g.cell, _ = strconv.Atoi(m[1])
		count, _, _ := strings.Cut(record, " @")
		g.count, _ = strconv.Atoi(count)
		i := slices.IndexFunc(out, func(o groupOfGoroutines) bool { return o.cell == g.cell && o.does == g.does })
		if i >= 0 {
			out[i].count += g.count
		} else {
			out = append(out, g)
		}
	}
	return out, nil
}

// doing says what a goroutine does, from its stack.
func doing(record string) string {
	for _, s := range []struct{ frame, does string }{
		{"gaucho/interp/rt.Sleep", "sleeps"},
		{"gaucho/interp/rt.Recv", "waits to receive"},
		{"gaucho/interp/rt.Send", "waits to send"},
		{"gaucho/interp/rt.Select", "waits in a select"},
		{"sync.(*WaitGroup).Wait", "waits for a WaitGroup"},
		{"sync.(*Cond).Wait", "waits for a Cond"},
		{"sync.(*Mutex).", "waits for a Mutex"},
		{"sync.(*RWMutex).", "waits for a RWMutex"},
		{"internal/poll.", "waits for the network or a file"},
		{"syscall.", "is in a call of the system"},
	} {
		if strings.Contains(record, s.frame) {
			return s.does
		}
	}
	return "runs"
}
