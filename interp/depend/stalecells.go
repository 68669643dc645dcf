package depend

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A StaleCell is a cell that ran before something that it uses was declared again or changed, or one that uses what such a
// cell made. With Unknown it may be one.
type StaleCell struct {
	Run     *Run
	Why     string // in words for the user
	Unknown bool
}

// Stale lists the stale cells, and those that may be, in the order in which they ran.
func (l *Tracker) Stale() []StaleCell {
	var out []StaleCell
	stale := map[*Run]string{} // as what they count
	for place := l.runs.Front(); place != nil; place = place.Next() {
		r := place.Value.(*Run)
		sure, perhaps := l.why(r, stale)
		switch {
		case len(sure) > 0:
			stale[r] = "which is stale"
			out = append(out, StaleCell{Run: r, Why: strings.Join(sure, "; ")})
		case len(perhaps) > 0:
			stale[r] = "which may be stale"
			out = append(out, StaleCell{Run: r, Why: strings.Join(perhaps, "; "), Unknown: true})
		}
	}
	return out
}

// why says why a cell is stale, and why it may be, in words. Cells that ran earlier have been looked at.
func (l *Tracker) why(r *Run, stale map[*Run]string) (sure, perhaps []string) {
	read, bound, uncertain := l.needs(r)
	note := func(name string, certain bool, format string, args ...any) {
		text := fmt.Sprintf(format, args...)
		if !certain {
			if why := uncertain[name]; why != "" {
				text += ", and " + why
			}
			perhaps = append(perhaps, text)
			return
		}
		sure = append(sure, text)
	}
	for _, name := range slices.Concat(read, bound, slices.Sorted(maps.Keys(uncertain))) {
		certain := uncertain[name] == ""
		switch c, ok := l.changes[name]; {
		case !ok:
		case c.at > r.At && c.declared && c.again:
			note(name, certain, "In [%d] declared %s again", c.by.Cell.Number, name)
		case c.at > r.At && c.declared:
			note(name, certain, "In [%d] declared %s", c.by.Cell.Number, name)
		case c.at > r.At:
			note(name, certain, "In [%d] changed %s", c.by.Cell.Number, name)
		}
		for _, w := range l.writings[name] {
			switch {
			case w.by.At > r.At && w.doubt != "":
				note(name, false, "In [%d] may have changed %s: %s", w.by.Cell.Number, name, w.doubt)
			case w.by.At < r.At && stale[w.by] != "":
				note(name, certain && w.doubt == "" && stale[w.by] == "which is stale", "%s is from In [%d], %s", name, w.by.Cell.Number, stale[w.by])
			}
		}
	}
	return sure, perhaps
}

// needs are the names of other cells on which a run depends: what its statements read, by way of functions too, what its functions
// and types were checked against, and what it may depend on, with the reason.
func (l *Tracker) needs(r *Run) (read, bound []string, uncertain map[string]string) {
	all := maps.Clone(r.inputs)
	reached := l.follow(newEffects(nil), r.mentions)
	for n := range reached.reads {
		if !r.own[n] {
			all[n] = true
		}
	}
	rest := maps.Clone(r.bound)
	maps.DeleteFunc(rest, func(n string, _ bool) bool { return all[n] || l.changes[n].kept })
	maps.DeleteFunc(reached.doubts, func(n string, _ string) bool { return all[n] || rest[n] || r.own[n] })
	return slices.Sorted(maps.Keys(all)), slices.Sorted(maps.Keys(rest)), reached.doubts
}
