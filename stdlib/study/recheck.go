package study

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
)

// What a source says of a function may not be all that it computes with. So when records are read again, a few replications are
// run anew.

// recheckEvery is how many records there are to one that is run anew. Of every file there is one at least.
const recheckEvery = 1000

// recheck runs some of the records of a book that come from its file anew and compares them bit by bit. notes are what the
// reader of the results should know.
func (b *Book) recheck(ctx context.Context, workers int) (notes []string, err error) {
	b.mu.Lock()
	var jobs []Job
	b.each(func(point, rep int, o *outcome) {
		if o.record != nil {
			jobs = append(jobs, Job{point, rep})
		}
	})
	b.mu.Unlock()
	return b.study.recheck(ctx, b.table, someOf(jobs), workers, b.arches)
}

// someOf draws the jobs that are run anew.
func someOf(jobs []Job) []Job {
	n := min(len(jobs), 1+len(jobs)/recheckEvery)
	for i := range n {
		j := i + rand.IntN(len(jobs)-i)
		jobs[i], jobs[j] = jobs[j], jobs[i]
	}
	return jobs[:n]
}

// recheck runs replications anew and compares them with their records in a table. arches are those that made them.
func (s *Study) recheck(ctx context.Context, t *table, jobs []Job, workers int, arches map[string]bool) (notes []string, err error) {
	var mu sync.Mutex
	var other []entry // that differ
	b := &Book{study: s, table: t}
	err = b.runJobs(ctx, jobs, workers, func(w *batch) error {
		mu.Lock()
		defer mu.Unlock()
		for _, e := range w.entries {
			if e.record == nil || !bytes.Equal(e.record.appendJSON(nil), t.at[e.at].record.appendJSON(nil)) {
				other = append(other, e)
			}
		}
		return nil
	})
	if err != nil || len(other) == 0 || ctx.Err() != nil {
		return nil, err
	}
	slices.SortFunc(other, func(a, b entry) int { return a.at - b.at })
	e := other[0]
	p, rep := s.Points[e.at/s.Replications], e.at%s.Replications
	now := e.err
	if e.record != nil {
		now = string(e.record.appendJSON(nil))
	}
	found := fmt.Sprintf("the record of %v, replication %d, is %s, and running it again gives %s", p, rep, t.at[e.at].record.appendJSON(nil), now)
	again, fail := s.one(ctx, p, rep, s.Rand(p, rep))
	if ctx.Err() != nil {
		return nil, nil
	}
	switch {
	case fail == nil && (e.record == nil || !bytes.Equal(again.appendJSON(nil), e.record.appendJSON(nil))):
		return []string{found + "; the function gives something else each time, so records of another function might not be noticed"}, nil
	case !arches[runtime.GOARCH] || len(arches) > 1:
		return []string{found + "; records were made on another architecture, whose last bits may differ"}, nil
	}
	return nil, errors.New("study: " + s.Name + ": " + found + "; what Replicate computes with has changed where its source does not show it, " +
		"such as a file that it reads: run the study with Fresh, which keeps the old file, or bring back what was changed")
}
