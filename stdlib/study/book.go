package study

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"
)

// A Job is one replication to run: replication Rep of point number Point of the study.
type Job struct{ Point, Rep int }

// A Book is the records of a study while they are written: by Run, or by someone who has the replications run elsewhere
// and enters their lines. It holds the lock of the file of records. Its methods may be called from many goroutines.
type Book struct {
	Notes []string // what a reader of the results should know about the file

	study    *Study
	settings *Settings
	log      *writer         // nil without a file
	arches   map[string]bool // on which the records of the file were made
	watch    *watch          // nil without a file
	unwatch  func()

	mu      sync.Mutex
	table   *table
	pending []byte // lines that are not in the file yet
	flushed time.Time
	done    int
	total   int
	failed  error // of the file

	elsewhere map[string]string // what replications in other processes read
}

// Open opens the file of records that the settings name, and takes over what is in it. The caller closes the book.
func (s *Study) Open(o *Settings) (*Book, error) {
	o = o.WithDefaults()
	if err := errors.Join(s.check(), o.check()); err != nil {
		return nil, err
	}
	b := &Book{study: s, settings: o, table: newTable(s), flushed: time.Now()}
	if o.Dir != "" {
		if err := b.open(); err != nil {
			return nil, err
		}
	}
	b.count()
	if o.Progress != nil {
		o.Progress(b.done, b.total)
	}
	return b, nil
}

func (b *Book) open() error {
	o := b.settings
	h, err := b.study.header()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.Dir, 0o777); err != nil {
		return fmt.Errorf("study: %w", err)
	}
	path := filepath.Join(o.Dir, FileName(b.study.Name, o.Shard, o.Shards))
	if o.Fresh {
		if err := putAway(path); err != nil {
			return err
		}
	}
	w, l, err := openLog(path, h, b.table)
	if err != nil {
		return err
	}
	b.log, b.Notes, b.arches = w, l.notes(h), l.arches
	b.watch, b.unwatch = watchReads(l.known)
	return nil
}

// notes are what a reader of the results should know about the file.
func (l *logged) notes(h header) []string {
	var out []string
	if l.torn {
		out = append(out, "the last line of the file was torn and is run again")
	}
	if l.bad > 0 {
		out = append(out, fmt.Sprintf("%d lines of the file are no records and are passed over, the first of them %v; what they were of is run again", l.bad, l.firstBad))
	}
	if l.others > 0 {
		out = append(out, fmt.Sprintf("%d records of another version, seed or function stay in the file and are not used", l.others))
	}
	if l.staleRecords > 0 {
		out = append(out, l.staleNote())
	}
	if l.last != nil && l.last.same(h) && l.last.Provenance != h.Provenance {
		out = append(out, fmt.Sprintf("earlier records were made by %v, later ones by %v; Fresh runs them all again", l.last.Provenance, h.Provenance))
	}
	return out
}

// each calls f for all replications of the shard.
func (b *Book) each(f func(point, rep int, o *outcome)) {
	shard, shards := b.settings.Shard, b.settings.Shards
	for i, key := range b.table.keys {
		for rep := range b.study.Replications {
			if shards > 1 && !inShard(key+"#"+strconv.Itoa(rep), shard, shards) {
				continue
			}
			f(i, rep, &b.table.at[i*b.study.Replications+rep])
		}
	}
}

// count sees how much is done. Replications that failed in an earlier run are to be tried again: they have no outcome.
func (b *Book) count() {
	b.each(func(_, _ int, o *outcome) {
		b.total++
		if o.record != nil {
			b.done++
		} else {
			*o = outcome{}
		}
	})
}

// Missing lists the replications of this shard that have no outcome yet. Those that failed since the book was opened have
// one.
func (b *Book) Missing() []Job {
	b.mu.Lock()
	defer b.mu.Unlock()
	jobs := make([]Job, 0, b.total-b.done)
	b.each(func(point, rep int, o *outcome) {
		if !o.exists() {
			jobs = append(jobs, Job{point, rep})
		}
	})
	return jobs
}

// Left returns the length of Missing.
func (b *Book) Left() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.total - b.done
}

// Enter takes lines as RunJobs returns them into the book and the file. A replication that has a record already keeps
// it, so that it does no harm to enter lines twice; Enter returns how many were new. Lines that are not of this study, or not
// what a replication gives, are an error, and nothing of them is entered. What goes into the file is written anew from what
// was understood.
func (b *Book) Enter(lines []byte) (added int, err error) {
	entries, texts, reads, err := b.understand(lines)
	if err != nil {
		return 0, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tookElsewhere(reads)
	for i, e := range entries {
		if old := &b.table.at[e.at]; old.record != nil || old.exists() && e.record == nil {
			continue
		}
		b.put(e)
		added++
		if b.log != nil {
			b.pending = append(b.pending, texts[i]...)
		}
	}
	return added, b.settle()
}

// understand reads lines that came from elsewhere, and writes each anew, unless it is what that would give. reads is what
// replications read.
func (b *Book) understand(lines []byte) (entries []entry, texts [][]byte, reads map[string]string, err error) {
	r := lineReader{table: b.table}
	reads = map[string]string{}
	for line := range bytes.Lines(lines) {
		if bytes.HasPrefix(line, []byte(readsPrefix)) {
			more, err := parseReads(line)
			if err != nil {
				return nil, nil, nil, fmt.Errorf("study: %w", err)
			}
			maps.Copy(reads, more.Reads)
			continue
		}
		e, written, err := r.read(line)
		if err != nil {
			return nil, nil, nil, fmt.Errorf("study: %w", err)
		}
		if e.at < 0 {
			return nil, nil, nil, fmt.Errorf("study: %s has no such replication: %.200s", b.study.Name, line)
		}
		if e.record != nil {
			if e.err != "" {
				return nil, nil, nil, fmt.Errorf("study: a result has a record and an error: %.200s", line)
			}
			if e.record, err = e.record.normal(b.study.AnyNumber); err != nil {
				return nil, nil, nil, err
			}
		}
		if !written {
			line = b.table.appendLine(nil, e.at/b.study.Replications, e.at%b.study.Replications, &e.outcome)
		}
		entries, texts = append(entries, e), append(texts, line)
	}
	return entries, texts, reads, nil
}

// put takes an outcome into the table. The lock is held.
func (b *Book) put(e entry) {
	if !b.table.at[e.at].exists() {
		b.done++
	}
	b.table.put(e)
}

const (
	flushEvery = 100 * time.Millisecond
	flushBytes = 1 << 20
)

// settle writes what has waited long enough and reports how far the work has come. The lock is held.
func (b *Book) settle() error {
	if len(b.pending) > flushBytes || time.Since(b.flushed) > flushEvery {
		b.flush()
	}
	if p := b.settings.Progress; p != nil {
		p(b.done, b.total)
	}
	return b.failed
}

// Flush writes everything to the file.
func (b *Book) Flush() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.flush()
	return b.failed
}

func (b *Book) flush() {
	if b.log == nil || len(b.pending) == 0 || b.failed != nil {
		return
	}
	if err := b.log.write(b.pending); err != nil {
		b.failed = fmt.Errorf("study: the records could not be written: %w", err)
	}
	b.pending = b.pending[:0]
	b.flushed = time.Now()
}

// Results returns what is in the book.
func (b *Book) Results() *Results {
	b.mu.Lock()
	defer b.mu.Unlock()
	res := b.table.results()
	res.Notes = slices.Clone(b.Notes)
	return res
}

// Close writes what is left and closes the file.
func (b *Book) Close() error {
	err := b.Flush()
	if b.log == nil {
		return err
	}
	b.unwatch()
	return errors.Join(err, b.log.close())
}
