package catalog

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"gaucho/papers"
	"gaucho/stdlib/reproduction"
	"gaucho/stdlib/study"
)

// recheckSeconds is how long a replication may take that is run anew, and recheckPointSeconds all of a point: those of other studies
// take up to an hour.
const (
	recheckSeconds      = 1
	recheckPointSeconds = 5
	recheckLimit        = 20 * time.Second
)

// TestRecordsAreThoseOfTheStudies runs a part of each study anew whose record comes with Gaucho: one replication where the record has
// the values of single ones, else all of one point; and compares the numbers in the digits that are kept. So a study whose results have
// changed is noticed, whatever its version says.
func TestRecordsAreThoseOfTheStudies(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	t.Chdir(t.TempDir())
	checked := 0
	for _, name := range reproduction.Names() {
		c, err := reproduction.Read(name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Get(c.Study, papers.Size(c.Size))
		if err != nil {
			t.Fatal(err)
		}
		if s.Version != c.Version || s.Seed != c.Seed {
			t.Errorf("%s: the record is of version %s and seed %d, the study of %s and %d", name, c.Version, c.Seed, s.Version, s.Seed)
			continue
		}
		if s.Seconds > recheckSeconds {
			t.Logf("%s is left out: a replication takes %v s", name, s.Seconds)
			continue
		}
		if !strings.Contains(strings.Join(c.Made, " "), runtime.GOARCH) {
			t.Logf("%s is left out: it was made on another architecture, whose last bits may differ", name)
			continue
		}
		h := fnv.New32a()
		h.Write([]byte(name))
		draw := int(h.Sum32() >> 1)
		k := c.Kept[draw%len(c.Kept)]
		switch {
		case len(valuesOf(k)) > 0:
			recheckOne(t, s, k, draw/len(c.Kept)%c.Replications)
		case s.Seconds*float64(c.Replications) <= recheckPointSeconds:
			recheckPoint(t, s, k, c.Replications)
		default:
			t.Logf("%s is left out: it keeps no single replications, and a point takes %.0f s", name, s.Seconds*float64(c.Replications))
			continue
		}
		checked++
	}
	if checked == 0 {
		t.Error("nothing was checked")
	}
	t.Log(checked, "checked")
}

// recheckOne runs a replication of which the values were kept.
func recheckOne(t *testing.T, s *study.Study, k study.CompactPoint, rep int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), recheckLimit)
	defer cancel()
	rec, err := s.One(ctx, k.Point, rep)
	if ctx.Err() != nil {
		t.Logf("%s is left out: what its replications share takes more than %v", s.Name, recheckLimit)
		return
	}
	if err != nil {
		t.Errorf("%s: %v, replication %d: %v", s.Name, k.Point, rep, err)
		return
	}
	for field, values := range valuesOf(k) {
		if was, now := digits(t, values[rep]), digits(t, number(rec[field])); was != now {
			t.Errorf("%s: %v, replication %d: the record says %s %s, running it again gives %s", s.Name, k.Point, rep, field, was, now)
		}
	}
}

// recheckPoint runs all replications of a point.
func recheckPoint(t *testing.T, s *study.Study, k study.CompactPoint, replications int) {
	t.Helper()
	alone := *s
	alone.Points, alone.Replications = []study.Point{k.Point}, replications
	ctx, cancel := context.WithTimeout(context.Background(), recheckLimit)
	defer cancel()
	res, err := alone.Run(ctx, nil)
	if ctx.Err() != nil {
		t.Logf("%s is left out: a point takes more than %v", s.Name, recheckLimit)
		return
	}
	if res == nil {
		t.Errorf("%s: %v: %v", s.Name, k.Point, err)
		return
	}
	c, err := study.NewCompact(res)
	if err != nil {
		t.Errorf("%s: %v: %v", s.Name, k.Point, err)
		return
	}
	for field, was := range k.Numbers {
		now := c.Kept[0].Numbers[field]
		now.Values = was.Values
		a, errA := json.Marshal(was)
		b, errB := json.Marshal(now)
		if errA != nil || errB != nil || string(a) != string(b) {
			t.Errorf("%s: %v: the record says %s %s, running it again gives %s", s.Name, k.Point, field, a, b)
		}
	}
}

// valuesOf are the fields of a point of which the values of replications are kept.
func valuesOf(k study.CompactPoint) map[string][]study.Digits {
	out := map[string][]study.Digits{}
	for field, n := range k.Numbers {
		if len(n.Values) > 0 {
			out[field] = n.Values
		}
	}
	return out
}

func number(v any) study.Digits {
	switch v := v.(type) {
	case float64:
		return study.Digits(v)
	case int64:
		return study.Digits(v)
	case int:
		return study.Digits(v)
	case bool:
		if v {
			return 1
		}
		return 0
	}
	return study.Digits(math.NaN())
}

func digits(t *testing.T, d study.Digits) string {
	t.Helper()
	js, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	return string(js)
}
