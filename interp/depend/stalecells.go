package depend

import (
	"fmt"
	"slices"
	"strings"
)

// A StaleCell is a cell that ran before something that it uses was declared again or changed, or one that uses what such a
// cell made.
type StaleCell struct {
	Run *Run
	Why string // in words for the user
}

// Stale lists the stale cells in the order in which they ran.
func (l *Tracker) Stale() []StaleCell {
	var out []StaleCell
	stale := map[*Run]bool{}
	for place := l.runs.Front(); place != nil; place = place.Next() {
		r := place.Value.(*Run)
		if why := l.why(r, stale); why != "" {
			stale[r] = true
			out = append(out, StaleCell{r, why})
		}
	}
	return out
}

// why says why a cell is stale, in words; empty when it is not. Cells that ran earlier have been looked at.
func (l *Tracker) why(r *Run, stale map[*Run]bool) string {
	var reasons []string
	read, bound := l.needs(r)
	for _, name := range slices.Concat(read, bound) {
		c, ok := l.changes[name]
		switch {
		case !ok:
		case c.at > r.At && c.declared && c.again:
			reasons = append(reasons, fmt.Sprintf("In [%d] declared %s again", c.by.Cell.Number, name))
		case c.at > r.At && c.declared:
			reasons = append(reasons, fmt.Sprintf("In [%d] declared %s", c.by.Cell.Number, name))
		case c.at > r.At:
			reasons = append(reasons, fmt.Sprintf("In [%d] changed %s", c.by.Cell.Number, name))
		case c.at < r.At && stale[c.by]:
			reasons = append(reasons, fmt.Sprintf("%s is from In [%d], which is stale", name, c.by.Cell.Number))
		}
	}
	return strings.Join(reasons, "; ")
}
