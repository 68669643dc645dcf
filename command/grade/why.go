package grade

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// reasons says in a few words why tests failed, where that can be told from the cells: a solution that does not compile, declares
// another name than the tests call, comes after its test, or is as it was released. The sitting is one without hidden tests.
func (r *Report) reasons(a *Assignment, h held) (why []string) {
	for _, id := range h.twice {
		why = append(why, fmt.Sprintf("the cell %s is there twice", id))
	}
	for _, p := range a.parts {
		if !p.solution || p.locked || p.cell.Type != "code" {
			continue
		}
		var lost []*part // tests of what this cell declares
		for i, q := range a.marked() {
			if q.isTest() && r.Marks[i].Points < q.points && q.mentionsAny(declaredIn(p.cell.Source)) {
				lost = append(lost, q)
			}
		}
		if len(lost) == 0 {
			continue
		}
		if reason := r.reason(a, p, lost, h); reason != "" {
			why = append(why, reason)
		}
	}
	return why
}

func (r *Report) reason(a *Assignment, p *part, lost []*part, h held) string {
	at := slices.IndexFunc(h.pieces, func(x piece) bool { return x.part == p })
	declares := func(i int) []string { return declaredIn(h.pieces[i].cell.Source) }
	if at >= 0 && strings.TrimSpace(h.pieces[at].cell.Source) == strings.TrimSpace(a.releasedSource(p)) {
		return fmt.Sprintf("cell %s is unchanged", p.id)
	}
	for i := range min(len(h.answers), len(h.pieces)) { // the cell itself, or a part of it that was split off
		own := h.pieces[i].part == p || h.pieces[i].part == nil && intersect(declares(i), declaredIn(p.cell.Source))
		if e := h.answers[i].Error; own && h.pieces[i].step == nil && e != nil && e.Name == "CompileError" {
			return fmt.Sprintf("cell %s does not compile: %s", p.id, clip(h.answers[i].place()+e.Value, 120))
		}
	}
	for _, name := range declaredIn(p.cell.Source) {
		if !r.undefined(a, lost, name) {
			continue
		}
		for i, x := range h.pieces {
			if x.step == nil && slices.Contains(declares(i), name) {
				return fmt.Sprintf("cell %s comes after its test %s", p.id, lost[0].id)
			}
		}
		if at < 0 {
			return fmt.Sprintf("cell %s is missing", p.id)
		}
		if others := declares(at); len(others) > 0 {
			return fmt.Sprintf("cell %s declares %s, not %s", p.id, clip(others[0], 40), name)
		}
		return fmt.Sprintf("cell %s does not declare %s", p.id, name)
	}
	return ""
}

// undefined reports whether one of the lost tests failed because a name is not declared.
func (r *Report) undefined(a *Assignment, lost []*part, name string) bool {
	word := regexp.MustCompile(`\bundefined: ` + regexp.QuoteMeta(name) + `\b`)
	for i, p := range a.marked() {
		if slices.Contains(lost, p) && slices.ContainsFunc(r.Marks[i].Results, func(x Result) bool { return word.MatchString(x.Problem) }) {
			return true
		}
	}
	return false
}

var line = regexp.MustCompile(`\bline ([0-9]+)`)

// place is where the cell's error is, as "line 9: "; empty if it does not say.
func (a *answer) place() string {
	for _, o := range a.Outputs {
		if o != nil && o.Type == "error" {
			if m := line.FindString(strings.Join(o.Traceback, "\n")); m != "" {
				return m + ": "
			}
		}
	}
	return ""
}

var declaration = regexp.MustCompile(`(?m)^(?:func|var|const|type)[ \t]+(\w+)|^(\w+)(?:[ \t]*,[ \t]*\w+)*[ \t]*:=`)

// declaredIn lists names that a cell declares at the beginning of a line, functions first of all.
func declaredIn(source string) (names []string) {
	for _, m := range declaration.FindAllStringSubmatch(source, -1) {
		names = append(names, m[1]+m[2])
	}
	return names
}

func (p *part) mentionsAny(names []string) bool {
	return slices.ContainsFunc(names, func(n string) bool {
		return regexp.MustCompile(`\b` + regexp.QuoteMeta(n) + `\b`).MatchString(p.cell.Source)
	})
}

func intersect(a, b []string) bool {
	return slices.ContainsFunc(a, func(s string) bool { return slices.Contains(b, s) })
}
