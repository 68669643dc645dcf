package worker

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"maps"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"gaucho/interp/rt/run"
	"gaucho/stdlib/display"
)

// A profile is being taken of a cell.
type profile struct {
	source []string // the cell's lines
	lines  *run.Profile
	cpu    bytes.Buffer
	memory runtime.MemStats
	allocs map[string]stack // before
	began  time.Time
}

// startProfile begins to profile the cell that runs.
func startProfile(source string) (*profile, error) {
	p := &profile{source: strings.Split(source, "\n")}
	p.allocs = allocations()
	runtime.ReadMemStats(&p.memory)
	if err := pprof.StartCPUProfile(&p.cpu); err != nil {
		return nil, err
	}
	p.began = time.Now()
	p.lines = run.StartProfile()
	return p, nil
}

// stop ends the profile and shows it in the cell.
func (p *profile) stop(cell int) error {
	lines := p.lines.Stop()
	took := time.Since(p.began)
	pprof.StopCPUProfile()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	stacks, err := parseProfile(p.cpu.Bytes())
	if err != nil {
		return err
	}
	heap := p.allocated()
	head := fmt.Sprintf("%v; %s in %d allocations; %d garbage collections", took.Round(took/1000+1),
		byteText(memory.TotalAlloc-p.memory.TotalAlloc), memory.Mallocs-p.memory.Mallocs, memory.NumGC-p.memory.NumGC)
	var text, page strings.Builder
	text.WriteString(head + "\n" + p.lineTable(cell, lines, took))
	page.WriteString(`<div style="font-size:90%"><p>` + html.EscapeString(head) + "</p>" + p.linePage(cell, lines, took))
	for _, g := range []struct {
		title  string
		stacks []stack
		unit   func(int64) string
	}{
		{"Processor time", stacks, func(n int64) string { return time.Duration(n).Round(time.Millisecond).String() }},
		{"Memory allocated (sampled)", heap, func(n int64) string { return byteText(uint64(n)) }},
	} {
		if len(g.stacks) == 0 {
			continue
		}
		page.WriteString("<p>" + g.title + "</p>" + flameGraph(g.stacks, g.unit))
		text.WriteString("\n" + g.title + ":\n" + topFunctions(g.stacks, g.unit))
	}
	page.WriteString("</div>")
	display.ShowAll(display.Bundle{"text/html": page.String(), "text/plain": text.String()})
	return nil
}

// byLine is the cell's own time by line, in order.
func byLine(cell int, lines map[run.Place]time.Duration) (own []int, elsewhere time.Duration) {
	for at, d := range lines {
		if at.Cell == cell {
			own = append(own, at.Line)
		} else {
			elsewhere += d
		}
	}
	slices.Sort(own)
	return own, elsewhere
}

func (p *profile) line(n int) string {
	if n >= 1 && n <= len(p.source) {
		return p.source[n-1]
	}
	return ""
}

// lineTable is the time by line as text: of this cell, then of functions of other cells.
func (p *profile) lineTable(cell int, lines map[run.Place]time.Duration, took time.Duration) string {
	var b strings.Builder
	own, elsewhere := byLine(cell, lines)
	for _, n := range own {
		d := lines[run.Place{Cell: cell, Line: n}]
		fmt.Fprintf(&b, "%5.1f%% %9s  line %d: %s\n", percent(d, took), short(d), n, strings.TrimSpace(p.line(n)))
	}
	if elsewhere > 0 {
		fmt.Fprintf(&b, "%5.1f%% %9s  in functions of other cells\n", percent(elsewhere, took), short(elsewhere))
	}
	return b.String()
}

// linePage is the whole cell with the time of each of its lines.
func (p *profile) linePage(cell int, lines map[run.Place]time.Duration, took time.Duration) string {
	var b strings.Builder
	b.WriteString(`<table style="border-spacing:0">`)
	for i, src := range p.source {
		d := lines[run.Place{Cell: cell, Line: i + 1}]
		share := percent(d, took)
		cells := `<td></td><td></td>`
		if d > 0 {
			cells = fmt.Sprintf(`<td style="text-align:right">%.1f%%</td><td style="text-align:right;padding-left:1em">%s</td>`, share, short(d))
		}
		fmt.Fprintf(&b, `<tr style="background:rgba(255,120,0,%.2f)">%s<td style="text-align:left;padding-left:1em"><code style="white-space:pre">%s</code></td></tr>`,
			min(0.6, share/100), cells, html.EscapeString(src))
	}
	if _, elsewhere := byLine(cell, lines); elsewhere > 0 {
		fmt.Fprintf(&b, `<tr><td style="text-align:right">%.1f%%</td><td style="text-align:right;padding-left:1em">%s</td><td style="text-align:left;padding-left:1em"><i>in functions of other cells</i></td></tr>`,
			percent(elsewhere, took), short(elsewhere))
	}
	b.WriteString("</table>")
	return b.String()
}

func percent(d, all time.Duration) float64 { return min(100, 100*d.Seconds()/max(all.Seconds(), 1e-9)) }

func short(d time.Duration) string { return d.Round(max(d/1000, time.Microsecond)).String() }

func byteText(n uint64) string {
	switch {
	case n < 1<<20:
		return fmt.Sprintf("%.1f KB", float64(n)/(1<<10))
	case n < 1<<30:
		return fmt.Sprintf("%.0f MB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
}

// topFunctions lists where the most was spent, by the innermost function.
func topFunctions(stacks []stack, unit func(int64) string) string {
	self, all := map[string]int64{}, int64(0)
	for _, s := range stacks {
		self[s.frames[len(s.frames)-1]] += s.value
		all += s.value
	}
	names := slices.SortedFunc(maps.Keys(self), func(a, b string) int {
		return cmp.Or(cmp.Compare(self[b], self[a]), cmp.Compare(a, b))
	})
	var b strings.Builder
	for _, n := range names[:min(len(names), 10)] {
		fmt.Fprintf(&b, "%5.1f%% %9s  %s\n", 100*float64(self[n])/float64(max(all, 1)), unit(self[n]), n)
	}
	return b.String()
}

// allocations are the bytes allocated so far by stack, as far as they were sampled.
func allocations() map[string]stack {
	records := make([]runtime.MemProfileRecord, 512)
	for {
		n, ok := runtime.MemProfile(records, true)
		if ok {
			records = records[:n]
			break
		}
		records = make([]runtime.MemProfileRecord, n+64)
	}
	out := map[string]stack{}
	for _, r := range records {
		var names []string
		frames := runtime.CallersFrames(r.Stack())
		for {
			f, more := frames.Next()
			names = append(names, f.Function)
			if !more {
				break
			}
		}
		slices.Reverse(names)
		if s, ok := cellStack(names); ok {
			key := strings.Join(s, "\n")
			out[key] = stack{s, out[key].value + r.AllocBytes}
		}
	}
	return out
}

// allocated is what was allocated since the profile began.
func (p *profile) allocated() []stack {
	runtime.GC() // the runtime's counts are of the last collection
	var out []stack
	for key, s := range allocations() {
		if s.value -= p.allocs[key].value; s.value > 0 {
			out = append(out, s)
		}
	}
	return out
}
