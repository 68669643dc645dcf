package claims

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gaucho/stdlib/study"
)

// TestJudgesCanFail gives the judge of every claim other records: with the points' numbers in another order, grown from point to
// point, from field to field and from place to place, larger by 1, inverted, with the other sign, all one half, with wider quartiles. A claim that comes out of all of them
// looks at nothing; a bound of a claim that none of them breaks asks for nothing, one that none keeps for what cannot be.
func TestJudgesCanFail(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	const dir = "../../stdlib/reproduction"
	changes := []func(*study.Compact){reverse, grow(2, 1, 1), grow(.1, 1, 1), grow(1, 5, 1), grow(1, .2, 1), grow(1, 50, 1), grow(1, 1, 2), grow(1, 1, .5),
		each(func(x study.Digits) study.Digits { return x + 1 }), each(func(x study.Digits) study.Digits { return 1 / x }), each(func(x study.Digits) study.Digits { return -x }),
		each(func(study.Digits) study.Digits { return .5 }),
		widen(0), widen(.5), rotate}
	for _, c := range All() {
		if c.Study == "" {
			continue
		}
		found, v, record, err := c.Decide(dir)
		if err != nil {
			t.Fatal(err)
		}
		if v != Agrees && v != Differs {
			continue
		}
		fails, seen := v == Differs, map[string]*fate{}
		look := func(found string) {
			for name, holds := range bounds(found) {
				if seen[name] == nil {
					seen[name] = &fate{}
				}
				seen[name].kept, seen[name].broken = seen[name].kept || holds, seen[name].broken || !holds
			}
		}
		look(found)
		for _, change := range changes {
			if fails && !slices.ContainsFunc(slices.Collect(maps.Values(seen)), (*fate).one) {
				break
			}
			other := *record
			other.Kept = nil
			for _, p := range record.Kept {
				other.Kept = append(other.Kept, copyPoint(p))
			}
			change(&other)
			e := &Evidence{compact: &other, dir: dir}
			found, agrees := c.Judge(e)
			fails = fails || !agrees || e.missing != ""
			look(found)
		}
		if !fails {
			t.Errorf("%s comes out of every other record too", c.ID)
		}
		for name, f := range seen {
			if f.one() {
				t.Errorf("%s: the bound on %q is kept by all records or by none", c.ID, name)
			}
		}
	}
}

// A fate is what became of a bound in some records.
type fate struct{ kept, broken bool }

// one reports whether the same became of it in all.
func (f *fate) one() bool { return f.kept != f.broken }

var places, values = regexp.MustCompile(` \([^)]*\)`), regexp.MustCompile(` \S+$`)

// bounds returns the bounds in what a tally found, by their names without places and values, and which of them hold.
func bounds(found string) map[string]bool {
	holds := map[string]bool{}
	for _, part := range strings.Split(found, "; ") {
		if name, rest, is := strings.Cut(part, " (must be "); is {
			holds[values.ReplaceAllString(places.ReplaceAllString(name, ""), "")] = !strings.HasSuffix(rest, "*")
		}
	}
	return holds
}

func copyPoint(p study.CompactPoint) study.CompactPoint {
	out := study.CompactPoint{Point: p.Point, Numbers: map[string]study.CompactNumber{}, Paths: map[string]study.CompactPath{}}
	for k, v := range p.Numbers {
		v.Values = slices.Clone(v.Values)
		out.Numbers[k] = v
	}
	for k, v := range p.Paths {
		v.Mean, v.Median = slices.Clone(v.Mean), slices.Clone(v.Median)
		out.Paths[k] = v
	}
	return out
}

// reverse gives the first point the numbers of the last, and so on.
func reverse(c *study.Compact) {
	for i, j := 0, len(c.Kept)-1; i < j; i, j = i+1, j-1 {
		a, b := &c.Kept[i], &c.Kept[j]
		a.Numbers, b.Numbers = b.Numbers, a.Numbers
		a.Paths, b.Paths = b.Paths, a.Paths
	}
}

// grow multiplies the numbers and paths by powers of three factors: of the point's number, of the field's and of the place.
func grow(point, field, place float64) func(c *study.Compact) {
	return func(c *study.Compact) {
		for i, p := range c.Kept {
			for j, k := range slices.Sorted(maps.Keys(p.Numbers)) {
				by := study.Digits(math.Pow(point, float64(i)) * math.Pow(field, float64(j)))
				v := p.Numbers[k]
				for _, x := range []*study.Digits{&v.Median, &v.Q1, &v.Q3, &v.Mean, &v.StdErr, &v.Min, &v.Max} {
					*x *= by
				}
				for i := range v.Values {
					v.Values[i] *= by
				}
				p.Numbers[k] = v
			}
			for _, v := range p.Paths {
				for j := range v.Mean {
					by := study.Digits(math.Pow(point, float64(i)) * math.Pow(place, float64(j)))
					v.Mean[j] *= by
					v.Median[j] *= by
				}
			}
		}
	}
}

// each changes all numbers and the paths alike; what is larger may become smaller.
func each(f func(study.Digits) study.Digits) func(c *study.Compact) {
	return func(c *study.Compact) {
		for _, p := range c.Kept {
			for k, v := range p.Numbers {
				v.Median, v.Mean = f(v.Median), f(v.Mean)
				v.Q1, v.Q3, v.Min, v.Max = min(f(v.Q1), f(v.Q3)), max(f(v.Q1), f(v.Q3)), min(f(v.Min), f(v.Max)), max(f(v.Min), f(v.Max))
				for i, x := range v.Values {
					v.Values[i] = f(x)
				}
				p.Numbers[k] = v
			}
			for _, v := range p.Paths {
				for j := range v.Mean {
					v.Mean[j], v.Median[j] = f(v.Mean[j]), f(v.Median[j])
				}
			}
		}
	}
}

// widen triples the upper quartile and takes a third of the lower, at the points after a share of them.
func widen(share float64) func(c *study.Compact) {
	return func(c *study.Compact) {
		for i, p := range c.Kept {
			for k, v := range p.Numbers {
				if float64(i) >= share*float64(len(c.Kept)) {
					v.Q1, v.Q3, v.Min, v.Max = v.Q1/3, v.Q3*3, v.Min/3, v.Max*3
				}
				p.Numbers[k] = v
			}
		}
	}
}

// rotate gives each point the numbers of the next.
func rotate(c *study.Compact) {
	first := c.Kept[0]
	for i := range c.Kept {
		next := first
		if i+1 < len(c.Kept) {
			next = c.Kept[i+1]
		}
		c.Kept[i].Numbers, c.Kept[i].Paths = next.Numbers, next.Paths
	}
}
