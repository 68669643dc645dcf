package study

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"gaucho/stdlib/internal/settings"
)

// Settings say how a study is run. Fields that are zero have the values of
// [DefaultSettings].
type Settings struct {
	// Dir is the directory of the file of records; empty keeps no file.
	Dir string
	// Workers is the number of replications at a time.
	Workers int
	// Shard and Shards run one part of the study: shard 1 to Shards. 0 and 0 run it whole.
	Shard, Shards int
	// Fresh runs everything again and puts the records in a new file; .old is added to the name of the old one, or .old2 and so on
	// where there is one of that name already.
	Fresh bool
	// Progress is called with how many replications are done, those found in the file included, and how many there are. When it
	// is nil, a study that a cell runs shows a bar.
	Progress func(done, total int)
}

// DefaultSettings returns the settings that nil stands for: no file, a worker for each processor.
func DefaultSettings() *Settings { return &Settings{Workers: runtime.GOMAXPROCS(0)} }

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *Settings) WithDefaults() *Settings { return settings.Fill(s, DefaultSettings()) }

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

// Run runs what is missing of the study on all processors and returns all its records. Those in the file of an earlier
// run, that may have been killed, are taken over when name, version, seed and source of the function are the same; failed
// replications are tried again. The records are the same bits for any number of workers, any order and any number of
// shards.
//
// Where records are taken over, one of them and one in a thousand is run anew and compared bit by bit. A difference is an
// error that says what it is.
//
// When ctx ends, Run stops at once and returns what there is with the context's error. Failures of replications are in
// the results and, the first of them, in the error.
//
// A replication costs about a microsecond besides its own work: its random stream, its line in the file.
func (s *Study) Run(ctx context.Context, o *Settings) (*Results, error) {
	if r := runner.Load(); r != nil {
		return (*r)(ctx, s, o, s.run)
	}
	return s.run(ctx, o)
}

func (s *Study) run(ctx context.Context, o *Settings) (*Results, error) {
	b, err := s.Open(o)
	if err != nil {
		return nil, err
	}
	notes, err := b.recheck(ctx, b.settings.Workers)
	if err != nil {
		return b.Results(), errors.Join(err, b.Close())
	}
	b.Notes = append(b.Notes, notes...)
	defer b.showBar()()
	err = b.runJobs(ctx, b.Missing(), b.settings.Workers, b.commit)
	if cerr := b.Close(); err == nil {
		err = cerr
	}
	res := b.Results()
	if err == nil {
		err = ctx.Err()
	}
	if err == nil && len(res.Failures) > 0 {
		err = res.Failures[0]
	}
	return res, err
}

// commit takes what a worker has done into the book.
func (b *Book) commit(w *batch) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range w.entries {
		b.put(e)
	}
	if b.log != nil {
		b.pending = append(appendReads(b.pending, b.watch.take()), w.lines...)
	}
	return b.settle()
}

// RunJobs runs the given replications, workers at a time, and returns their outcomes as lines for Enter of this book or
// another of the study, in the order in which they ended, with what they read as far as that is seen. It enters nothing. A
// replication that fails has its line too.
// When ctx ends, RunJobs returns its error and no lines.
func (b *Book) RunJobs(ctx context.Context, jobs []Job, workers int) ([]byte, error) {
	if err := (&Settings{Workers: workers}).check(); err != nil {
		return nil, err
	}
	for _, j := range jobs {
		if j.Point < 0 || j.Point >= len(b.study.Points) || j.Rep < 0 || j.Rep >= b.study.Replications {
			return nil, fmt.Errorf("study: %s has no replication %d of point %d", b.study.Name, j.Rep, j.Point)
		}
	}
	var mu sync.Mutex
	var lines []byte
	watch, stop := watchReads(nil)
	defer stop()
	err := b.runJobs(ctx, jobs, workers, func(w *batch) error {
		mu.Lock()
		defer mu.Unlock()
		lines = append(appendReads(lines, watch.take()), w.lines...)
		return nil
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return lines, nil
}

// A batch is what a worker has done since it last handed over.
type batch struct {
	entries []entry
	lines   []byte
}

// A worker hands over after this many replications, or this time.
const (
	batchSize = 64
	batchTime = 20 * time.Millisecond
)

// runJobs runs jobs on several goroutines, which hand over what they did in batches. It stops when ctx ends or the
// taker fails, whose error it returns.
func (b *Book) runJobs(ctx context.Context, jobs []Job, workers int, take func(*batch) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s, ps := b.study, &b.table.points
	var next atomic.Int64
	var failed atomic.Pointer[error]
	var wg sync.WaitGroup
	var work func()
	work = func() {
		defer replicates()()
		var w batch
		var running Job
		ended := true
		defer func() {
			if ended || ctx.Err() != nil {
				return
			}
			// The replication ended its goroutine by runtime.Goexit.
			e := entry{running.Point*s.Replications + running.Rep, outcome{err: "the replication ended its goroutine (runtime.Goexit)"}}
			w.entries = append(w.entries, e)
			w.lines = ps.appendLine(w.lines, running.Point, running.Rep, &e.outcome)
			if err := take(&w); err != nil {
				failed.CompareAndSwap(nil, &err)
				cancel(err)
				return
			}
			wg.Go(work)
		}()
		seeds := seeder{streams: ps.streams}
		began := time.Now()
		start := began
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= len(jobs) {
				break
			}
			j := jobs[i]
			running, ended = j, false
			rec, fail := s.one(ctx, s.Points[j.Point], j.Rep, seeds.rand(j))
			ended = true
			if ctx.Err() != nil {
				break // what a cancelled replication says is no outcome
			}
			end := time.Now()
			e := entry{j.Point*s.Replications + j.Rep, outcome{record: rec, seconds: float32(end.Sub(start).Seconds())}}
			if fail != nil {
				e.err = fail.Err
			}
			w.entries = append(w.entries, e)
			w.lines = ps.appendLine(w.lines, j.Point, j.Rep, &e.outcome)
			start = end
			if len(w.entries) < batchSize && end.Sub(began) < batchTime {
				continue
			}
			if err := take(&w); err != nil {
				failed.CompareAndSwap(nil, &err)
				cancel(err)
				return
			}
			w.entries, w.lines = w.entries[:0], w.lines[:0]
			began = time.Now()
			start = began
		}
		if len(w.entries) == 0 {
			return
		}
		if err := take(&w); err != nil {
			failed.CompareAndSwap(nil, &err)
			cancel(err)
		}
	}
	for range min(workers, len(jobs)) {
		wg.Go(work)
	}
	wg.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}

// inShard reports whether a replication belongs to a shard. That depends on its key alone, so that shards of a grid that
// grows keep their records.
func inShard(key string, shard, shards int) bool {
	h := fnv.New64a()
	h.Write([]byte(key))
	return h.Sum64()%uint64(shards) == uint64(shard-1)
}
