package study

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Settings say how a study is run.
type Settings struct {
	// Dir is the folder of the file of records; empty keeps no file.
	Dir string
	// Workers is the number of replications at a time.
	Workers int
	// Shard and Shards run one part of the study: shard 1 to Shards. 0 and 0 run it whole.
	Shard, Shards int
	// Fresh runs everything again and puts the records in a new file in place of the old.
	Fresh bool
	// Progress is told how many replications are done, those found in the file included, and how many there are. It may
	// be nil.
	Progress func(done, total int)
}

// DefaultSettings returns the settings that nil stands for: no file, a worker for each processor.
func DefaultSettings() *Settings { return &Settings{Workers: runtime.GOMAXPROCS(0)} }

func (o *Settings) check() error {
	switch {
	case o.Workers <= 0:
		return fmt.Errorf("study: workers is %d, must be positive", o.Workers)
	case (o.Shard != 0 || o.Shards != 0) && (o.Shard < 1 || o.Shard > o.Shards):
		return fmt.Errorf("study: shard is %d of %d, must be from 1 to the number of shards", o.Shard, o.Shards)
	}
	return nil
}

// FileName is the name of the file of records of a study, or of one shard of it.
func FileName(name string, shard, shards int) string {
	if shards > 1 {
		return fmt.Sprintf("%s.shard-%d-of-%d.jsonl", name, shard, shards)
	}
	return name + ".jsonl"
}

// A job is one replication to run.
type job struct {
	point *Point
	rep   int
}

// Run runs what is missing of the study on all processors and returns all its records. Those in the file of an earlier
// run, that may have been killed, are taken over when name, version, seed and source of the function are the same; failed
// replications are tried again. The records are the same bits for any number of workers, any order and any number of
// shards.
//
// When ctx ends, Run stops at once and returns what there is beside the context's error. Failures of replications are in
// the results and, the first of them, in the error.
func (s *Study) Run(ctx context.Context, o *Settings) (*Results, error) {
	if o == nil {
		o = DefaultSettings()
	}
	if err := errors.Join(s.check(), o.check()); err != nil {
		return nil, err
	}
	r := &runner{study: s, settings: o, entries: map[string]*entry{}}
	if o.Dir != "" {
		if err := r.open(); err != nil {
			return nil, err
		}
		defer r.log.close()
	}
	err := r.run(ctx)
	res := s.results(r.entries)
	res.Notes = r.notes
	if err == nil {
		err = ctx.Err()
	}
	if err == nil && len(res.Failures) > 0 {
		err = res.Failures[0]
	}
	return res, err
}

// A runner is one run of a study.
type runner struct {
	study    *Study
	settings *Settings
	log      *writer
	notes    []string

	mu      sync.Mutex
	entries map[string]*entry
	pending []byte // lines that are not in the file yet
	flushed time.Time
	done    int
	total   int
	failed  error // of the file
}

// open opens the file of records and takes over what is in it.
func (r *runner) open() error {
	o := r.settings
	if err := os.MkdirAll(o.Dir, 0o777); err != nil {
		return fmt.Errorf("study: %w", err)
	}
	path := filepath.Join(o.Dir, FileName(r.study.Name, o.Shard, o.Shards))
	if o.Fresh {
		if err := os.Rename(path, path+".old"); err != nil && !errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("study: %w", err)
		}
	}
	h := r.study.header()
	w, l, err := openLog(path, h)
	if err != nil {
		return err
	}
	r.log = w
	r.entries = l.entries
	r.notes = l.notes(h)
	return nil
}

// notes tell what a reader of the results should know about the file.
func (l *logged) notes(h header) []string {
	var out []string
	if l.torn {
		out = append(out, "the last line of the file was torn and is run again")
	}
	if l.others > 0 {
		out = append(out, fmt.Sprintf("%d records of another version, seed or function stay in the file and are not used", l.others))
	}
	if l.last != nil && l.last.same(h) && l.last.Provenance != h.Provenance {
		out = append(out, fmt.Sprintf("earlier records were made by %s on %s, later ones by %s on %s",
			l.last.Provenance.Go, l.last.Provenance.Arch, h.Provenance.Go, h.Provenance.Arch))
	}
	return out
}

// missing lists the replications that have no record yet, of this shard.
func (r *runner) missing() []job {
	var jobs []job
	for i := range r.study.Points {
		p := &r.study.Points[i]
		for rep := range r.study.Replications {
			key := entryKey(*p, rep)
			if !inShard(key, r.settings.Shard, r.settings.Shards) {
				continue
			}
			r.total++
			if e := r.entries[key]; e != nil && e.Error == "" {
				r.done++
				continue
			}
			jobs = append(jobs, job{p, rep})
		}
	}
	return jobs
}

// inShard reports whether a replication belongs to a shard. That depends on its key alone, so that shards of a grid that
// grows keep their records.
func inShard(key string, shard, shards int) bool {
	if shards <= 1 {
		return true
	}
	h := fnv.New64a()
	h.Write([]byte(key))
	return h.Sum64()%uint64(shards) == uint64(shard-1)
}

const (
	flushEvery = 100 * time.Millisecond
	flushBytes = 1 << 20
)

// run runs the missing replications.
func (r *runner) run(ctx context.Context) error {
	jobs := r.missing()
	if p := r.settings.Progress; p != nil {
		p(r.done, r.total)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(r.settings.Workers, len(jobs)) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(jobs) {
					return
				}
				if !r.do(ctx, jobs[i]) {
					cancel()
					return
				}
			}
		})
	}
	wg.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.flush()
	return r.failed
}

// do runs one replication and keeps its outcome. It reports false when the study must stop.
func (r *runner) do(ctx context.Context, j job) bool {
	start := time.Now()
	rec, fail := r.study.one(ctx, *j.point, j.rep)
	if ctx.Err() != nil {
		return false // what a cancelled replication says is no outcome
	}
	e := &entry{Point: *j.point, Rep: j.rep, Record: rec, Seconds: time.Since(start).Seconds()}
	if fail != nil {
		e.Error = fail.Err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.entries[e.key()] = e
	r.done++
	if r.log != nil {
		r.pending = e.appendLine(r.pending)
		if len(r.pending) > flushBytes || time.Since(r.flushed) > flushEvery {
			r.flush()
		}
	}
	if p := r.settings.Progress; p != nil {
		p(r.done, r.total)
	}
	return r.failed == nil
}

// flush writes pending lines. The lock is held.
func (r *runner) flush() {
	if r.log == nil || len(r.pending) == 0 || r.failed != nil {
		return
	}
	if err := r.log.write(r.pending); err != nil {
		r.failed = fmt.Errorf("study: the records could not be written: %w", err)
	}
	r.pending = r.pending[:0]
	r.flushed = time.Now()
}

// results puts entries in the order of points and replications.
func (s *Study) results(entries map[string]*entry) *Results {
	res := &Results{Study: s}
	for i, p := range s.Points {
		for rep := range s.Replications {
			e := entries[entryKey(p, rep)]
			switch {
			case e == nil:
				res.Missing++
			case e.Error != "":
				res.Failures = append(res.Failures, s.failure(p, rep, e.Error))
			default:
				res.rows = append(res.rows, row{i, rep, e.Record, e.Seconds})
			}
		}
	}
	res.rows = slices.Clip(res.rows)
	return res
}
