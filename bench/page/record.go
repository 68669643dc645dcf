package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// titles are the groups in the order of the page.
var titles = []struct{ name, title string }{
	{"kernel", "The kernel"},
	{"native", "Compiled cells"},
	{"everyday", "Everyday programs in cells"},
	{"lite", "Cells in a browser"},
	{"numerics", "Linear algebra and functions of slices"},
	{"herding", "Herding and particle filters"},
	{"em", "Hidden Markov models"},
	{"boosting", "Kernel boosting"},
	{"kernelmachine", "Kernel machines"},
	{"embedding", "Dual embeddings"},
	{"inference", "Particle mirror descent"},
	{"mabfdr", "Bandits with false discovery rate control"},
	{"nn", "Neural networks"},
	{"rl", "Environments"},
	{"learners", "Reinforcement learning"},
	{"table", "Tables"},
	{"study", "Studies"},
	{"growth", "How costs grow"},
}

// A group is the record of one benchmark: bench/record.py writes it.
type group struct {
	Name      string               `json:"group"`
	About     string               `json:"about"`
	Date      string               `json:"date"`
	Revision  string               `json:"revision"`
	Versions  map[string]string    `json:"versions"`
	Machine   string               `json:"machine"`
	Go        string               `json:"go"`
	Disturbed []string             `json:"disturbed"`
	Limits    map[string][]float64 `json:"limits"` // medians before and after

	title string
	rows  []row
}

// A row is one thing that was measured, round by round. Less is better.
type row struct {
	Title   string    `json:"title"`
	Own     []float64 `json:"own"`
	Peer    string    `json:"peer"`
	Other   []float64 `json:"other"`
	Unit    string    `json:"unit"`
	Goal    float64   `json:"goal"` // how many times the peer should take what Gaucho takes
	Most    float64   `json:"most"` // what Gaucho should take at most
	Threads int       `json:"threads"`
	Note    string    `json:"note"`
}

// read returns the records of a directory in the order of the page.
func read(dir string) ([]*group, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		return nil, err
	}
	var groups []*group
	for _, file := range files {
		g, err := readGroup(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b *group) int { return place(a.Name) - place(b.Name) })
	return groups, nil
}

// place is where the page has a group; -1 if nowhere.
func place(name string) int {
	for i, t := range titles {
		if t.name == name {
			return i
		}
	}
	return -1
}

func readGroup(file string) (*group, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := json.NewDecoder(f)
	g := new(group)
	if err := lines.Decode(g); err != nil {
		return nil, err
	}
	if place(g.Name) < 0 || g.Name+".jsonl" != filepath.Base(file) {
		return nil, fmt.Errorf("%q is no group of the page or does not fit the file's name", g.Name)
	}
	g.title = titles[place(g.Name)].title
	for {
		var r row
		err := lines.Decode(&r)
		if err == io.EOF {
			return g, nil
		}
		if err != nil {
			return nil, err
		}
		if len(r.Own) == 0 || len(r.Other) != 0 && len(r.Other) != len(r.Own) || slices.Min(r.Own) <= 0 {
			return nil, fmt.Errorf("%s: samples of Gaucho are missing, not positive or not as many as the peer's", r.Title)
		}
		g.rows = append(g.rows, r)
	}
}

// ratios returns how many times the peer took what Gaucho took, in ascending order: a ratio a round. It is empty without a peer.
func (r *row) ratios() []float64 {
	var all []float64
	for i, b := range r.Other {
		all = append(all, b/r.Own[i])
	}
	slices.Sort(all)
	return all
}

// A verdict says whether a row's goals are reached.
type verdict int

const (
	none verdict = iota // there is no goal
	met
	missed
	open // the machine was too busy to say
)

func (v verdict) String() string { return [...]string{"", "met", "missed", "open"}[v] }

// steady is how far rounds may lie from their median, as a factor, for a ratio that was measured on a busy machine to count.
const steady = 1.25

// counts reports whether the row's ratio says something.
func (g *group) counts(r *row) bool {
	all := r.ratios()
	if len(all) == 0 {
		return false
	}
	m := median(all)
	return len(g.Disturbed) == 0 || all[0]*steady >= m && all[len(all)-1] <= m*steady
}

// verdict judges a row. Other work on the machine makes times longer only: what is reached in spite of it is reached.
func (g *group) verdict(r *row) verdict {
	switch {
	case r.Most != 0 && median(r.Own) <= r.Most:
		return met
	case r.Most != 0 && len(g.Disturbed) > 0:
		return open
	case r.Most != 0:
		return missed
	case r.Goal == 0 || len(r.Other) == 0:
		return none
	case !g.counts(r):
		return open
	case median(r.ratios()) >= r.Goal:
		return met
	}
	return missed
}

// name is the row's title with its peer.
func (r *row) name() string {
	if r.Peer == "" {
		return r.Title
	}
	return r.Title + ", " + r.Peer
}

// median returns the middle value, or the mean of the two in the middle.
func median(values []float64) float64 {
	v := slices.Sorted(slices.Values(values))
	n := len(v)
	return (v[(n-1)/2] + v[n/2]) / 2
}

// paragraphs returns what the benchmark says of itself, without the command in it.
func (g *group) paragraphs() []string {
	var all []string
	for p := range strings.SplitSeq(strings.TrimSpace(g.About), "\n\n") {
		if !strings.HasPrefix(p, "    ") {
			all = append(all, p)
		}
	}
	return all
}
