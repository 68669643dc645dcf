package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// page is docs/benchmarks.md.
func page(groups []*group) string {
	var w strings.Builder
	w.WriteString(`# Benchmarks

<!-- go run ./bench/page writes this page from the records in bench/results. -->

Gaucho compared with its peers. Both sides do the same work on the same machine, in turns and with the same number of threads, and must give the same
answers. Each ratio is the peer's time or memory divided by Gaucho's, so it is above 1 where Gaucho takes less: the median of the rounds' ratios, with
the least and the greatest in brackets. The pictures show the same, with goals as rings. Times are medians of the rounds. The peers are
installed in the versions named, into environments of their own.

    make bench              all groups: hours
    make bench ONLY=em      one group

Before and after each group, the speed of the machine's multiply units and of its memory is measured, and meanwhile the processor time that
other programs take. If the machine was not quiet, the group is marked as disturbed: its times are too long, a ratio counts only if all rounds
are within a quarter of the median, and other goals are left open.

`)
	overview(&w, groups)
	unmet(&w, groups)
	for _, g := range groups {
		section(&w, g)
	}
	return w.String()
}

// overview is the table of groups.
func overview(w *strings.Builder, groups []*group) {
	w.WriteString("| group | peers | median ratio | goals met | measured |\n| --- | --- | ---: | ---: | --- |\n")
	for _, g := range groups {
		goals, reached := 0, 0
		for _, r := range g.rows {
			if v := g.verdict(&r); v != none {
				goals++
				if v == met {
					reached++
				}
			}
		}
		state := g.Date
		if len(g.Disturbed) > 0 {
			state += ", disturbed"
		}
		fmt.Fprintf(w, "| [%s](#%s) | %s | %s | %s | %s |\n", g.title, anchor(g.title), strings.Join(g.peers(), ", "), g.middle(""), count(reached, goals), state)
	}
	var absent []string
	for _, t := range titles {
		if !slices.ContainsFunc(groups, func(g *group) bool { return g.Name == t.name }) {
			absent = append(absent, fmt.Sprintf("%s (`make bench ONLY=%s`)", strings.ToLower(t.title[:1])+t.title[1:], t.name))
		}
	}
	w.WriteString("\n" + rows(groups, func(_, _ string) bool { return true }))
	if len(absent) > 0 {
		fmt.Fprintf(w, "\nWithout a record so far: %s.\n", strings.Join(absent, ", "))
	}
}

func count(reached, goals int) string {
	if goals == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d", reached, goals)
}

// anchor is GitHub's name of a heading.
func anchor(title string) string { return strings.ReplaceAll(strings.ToLower(title), " ", "-") }

// unmet lists the goals that are missed, and those that are open.
func unmet(w *strings.Builder, groups []*group) {
	head := "\n## Goals missed or open\n\n| | Gaucho | peer | | ratio | goal | |\n| --- | ---: | ---: | --- | ---: | ---: | --- |\n"
	for _, g := range groups {
		for _, r := range g.rows {
			if v := g.verdict(&r); v == missed || v == open {
				fmt.Fprintf(w, "%s| %s: %s | %s | %s |\n", head, g.title, r.Title, strings.Join(r.cells(), " | "), v)
				head = ""
			}
		}
	}
	if head != "" {
		w.WriteString("\nNo goal is missed.\n")
	}
}

// cells are the row's columns after its title: times, peer, ratio and goal.
func (r *row) cells() []string {
	c := []string{shown(median(r.Own), r.Unit), "", r.Peer, "", ""}
	if len(r.Other) > 0 {
		c[1] = shown(median(r.Other), r.Unit)
		all := r.ratios()
		c[3] = fmt.Sprintf("%s (%s to %s)", digits(median(all)), digits(all[0]), digits(all[len(all)-1]))
	}
	switch {
	case r.Most != 0:
		c[4] = "at most " + shown(r.Most, r.Unit)
	case r.Goal != 0:
		c[4] = digits(r.Goal)
	}
	return c
}

// section is a group's part of the page.
func section(w *strings.Builder, g *group) {
	fmt.Fprintf(w, "\n## %s\n\n", g.title)
	for _, p := range g.paragraphs() {
		fmt.Fprintf(w, "%s\n\n", p)
	}
	var versions []string
	for _, name := range slices.Sorted(maps.Keys(g.Versions)) {
		versions = append(versions, name+" "+g.Versions[name])
	}
	fmt.Fprintf(w, "`make bench ONLY=%s`, %s, Gaucho at %s with %s; %s. %s.", g.Name, g.Date, g.Revision, g.Go, strings.Join(versions, ", "), g.Machine)
	p, m := g.Limits["products"], g.Limits["written"]
	fmt.Fprintf(w, " Before and after: %.0f and %.0f GFLOP/s in cache, %.1f and %.1f GB/s written.\n", p[0], p[1], m[0], m[1])
	if len(g.Disturbed) > 0 {
		fmt.Fprintf(w, "\n**Disturbed:** %s.\n", strings.Join(g.Disturbed, "; "))
	}
	if len(g.peers()) > 0 {
		fmt.Fprintf(w, "\n![How many times the peers take what Gaucho takes](benchmarks/%s.png)\n", g.Name)
	}
	if g.Name == "everyday" {
		w.WriteString("\n" + programs(g))
	}
	w.WriteString("\n| | Gaucho | peer | | ratio | goal | |\n| --- | ---: | ---: | --- | ---: | ---: | --- |\n")
	for _, r := range g.rows {
		var notes []string
		if r.Note != "" {
			notes = append(notes, r.Note)
		}
		if v := g.verdict(&r); v != none {
			notes = append(notes, v.String())
		}
		fmt.Fprintf(w, "| %s | %s | %s |\n", r.Title, strings.Join(r.cells(), " | "), strings.Join(notes, "; "))
	}
}

// peers returns the names of those with which the group is compared.
func (g *group) peers() []string {
	var names []string
	for _, r := range g.rows {
		if r.Peer != "" && !slices.Contains(names, r.Peer) {
			names = append(names, r.Peer)
		}
	}
	return names
}

// middle is the median of the ratios that count, with the least and the greatest; of all peers if none is named.
func (g *group) middle(peer string) string {
	var all []float64
	for _, r := range g.rows {
		if g.counts(&r) && (peer == "" || r.Peer == peer) {
			all = append(all, median(r.ratios()))
		}
	}
	switch len(all) {
	case 0:
		return ""
	case 1:
		return digits(all[0])
	}
	return fmt.Sprintf("%s (%s to %s)", digits(median(all)), digits(slices.Min(all)), digits(slices.Max(all)))
}

// rows is the table with a line for each group and peer that are wanted and have a ratio that counts, "" if none has.
func rows(groups []*group, wanted func(group, peer string) bool) string {
	var w strings.Builder
	for _, g := range groups {
		for _, peer := range g.peers() {
			if ratio := g.middle(peer); ratio != "" && wanted(g.Name, peer) {
				fmt.Fprintf(&w, "| %s | %s | %s |\n", g.title, peer, ratio)
			}
		}
	}
	if w.Len() == 0 {
		return ""
	}
	return "| | compared with | ratio |\n| --- | --- | ---: |\n" + w.String()
}

// shortlist is what README has of all groups and peers: what most readers ask first.
var shortlist = []string{"kernel ipykernel", "everyday go build", "everyday CPython", "numerics NumPy", "table pandas"}

// summary is README's table.
func summary(groups []*group) string {
	const where = "[docs/benchmarks.md](docs/benchmarks.md) has every figure, all peers, and the goals that are missed.\n"
	table := rows(groups, func(group, peer string) bool { return slices.Contains(shortlist, group+" "+peer) })
	if table == "" {
		return "No group has been measured on a quiet machine so far. " + where
	}
	return "`make bench` runs both sides in turn on the same data and checks that their answers agree. Each ratio is the peer's time or memory divided\n" +
		"by Gaucho's: the median of all measurements, with the least and the greatest. " + where + "\n" + table
}

// digits is a ratio with three figures, none of them needless.
func digits(x float64) string {
	switch {
	case x >= 100:
		return fmt.Sprintf("%.0f", x)
	case x >= 10:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.2f", x)
}

// shown is a quantity in words.
func shown(x float64, unit string) string {
	switch unit {
	case "s":
		for _, u := range []struct {
			scale float64
			name  string
		}{{1, "s"}, {1e3, "ms"}, {1e6, "µs"}} {
			if x*u.scale >= 1 {
				return digits(x*u.scale) + " " + u.name
			}
		}
		return digits(x*1e9) + " ns"
	case "B":
		return digits(x/(1<<20)) + " MiB"
	}
	return strings.TrimSpace(digits(x) + " " + unit)
}
