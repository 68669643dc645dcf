package study

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

var shardFile = regexp.MustCompile(`\.shard-(\d+)-of-(\d+)\.jsonl$`)

// Merge puts the records of all files of the study in dir, shards and whole, into one file, and returns the results. Shards
// that are missing, that are of partitions of different size, or that hold different records of one replication are
// errors. Of every shard one record, and one in a thousand, is run anew as Run does; notes say when shards come from different architectures, whose last bits may differ.
func (s *Study) Merge(dir string) (*Results, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("study: %w", err)
	}
	var files []string
	for _, e := range entries {
		if rest, ok := strings.CutPrefix(e.Name(), s.Name); ok && shardFile.FindString(rest) == rest {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("study: %s has no shards of %s", dir, s.Name)
	}
	if err := wholePartition(files); err != nil {
		return nil, err
	}
	h, err := s.header()
	if err != nil {
		return nil, err
	}
	all := newTable(s)
	w, l, err := openLog(filepath.Join(dir, FileName(s.Name, 0, 0)), h, all)
	if err != nil {
		return nil, err
	}
	defer w.close()
	arches := l.arches
	slices.Sort(files)
	var lines []byte
	var notes []string
	reads := map[string]string{}
	overlap := 0
	for _, path := range files {
		t := newTable(s)
		l, err := readLog(path, h, t)
		if err != nil {
			return nil, err
		}
		if l.last != nil && !l.last.same(h) {
			return nil, fmt.Errorf("study: %s holds records of another version, seed or function than the study has now: run the shard again", path)
		}
		if l.stale != "" {
			return nil, fmt.Errorf("study: %s was made when what Replicate reads was another, %s: run the shard again", path, l.stale)
		}
		maps.Copy(reads, l.reads)
		maps.Copy(arches, l.arches)
		var jobs []Job
		for i := range t.at {
			if t.at[i].record != nil {
				jobs = append(jobs, Job{i / s.Replications, i % s.Replications})
			}
		}
		more, err := s.recheck(context.Background(), t, someOf(jobs), runtime.GOMAXPROCS(0), l.arches)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		notes = append(notes, more...)
		shard, shards := shardOf(path)
		for i := range t.at {
			o, old := &t.at[i], &all.at[i]
			point, rep := i/s.Replications, i%s.Replications
			switch {
			case !o.exists():
				continue
			case old.record == nil:
				*old = *o
				lines = all.appendLine(lines, point, rep, o)
			case o.record != nil && !bytes.Equal(old.record.appendJSON(nil), o.record.appendJSON(nil)):
				return nil, fmt.Errorf("study: %s has another record of %v, replication %d, than the files before it", path, s.Points[point], rep)
			}
			if !inShard(all.keys[point]+"#"+strconv.Itoa(rep), shard, shards) {
				overlap++
			}
		}
	}
	if err := w.write(append(appendReads(nil, reads), lines...)); err != nil {
		return nil, fmt.Errorf("study: %w", err)
	}
	res := all.results()
	res.Notes = notes
	if overlap > 0 {
		res.Notes = append(res.Notes, fmt.Sprintf("the shards overlap: %d records stand in a shard that they are not of; each counts once", overlap))
	}
	if len(arches) > 1 {
		res.Notes = append(res.Notes, fmt.Sprintf("the shards come from different architectures (%v): last bits may differ", slices.Sorted(maps.Keys(arches))))
	}
	return res, nil
}

// shardOf reads the numbers in the name of a shard's file, 0 and 0 if there are none.
func shardOf(path string) (shard, shards int) {
	if m := shardFile.FindStringSubmatch(path); m != nil {
		shard, _ = strconv.Atoi(m[1])
		shards, _ = strconv.Atoi(m[2])
	}
	return shard, shards
}

// wholePartition checks that the files are shards 1 to n of n.
func wholePartition(files []string) error {
	have := map[int]string{}
	of := 0
	for _, f := range files {
		i, n := shardOf(f)
		if i < 1 || i > n {
			return fmt.Errorf("study: %s is no shard: the number must be from 1 to %d", filepath.Base(f), n)
		}
		if of != 0 && n != of {
			return fmt.Errorf("study: %s and %s are shards of different partitions", filepath.Base(have[slices.Sorted(maps.Keys(have))[0]]), filepath.Base(f))
		}
		of = n
		have[i] = f
	}
	var missing []int
	for i := 1; i <= of; i++ {
		if have[i] == "" {
			missing = append(missing, i)
		}
	}
	if missing != nil {
		return fmt.Errorf("study: shards %v of %d are missing", missing, of)
	}
	return nil
}

// Load returns the results in a file of records, which need not be whole. It changes nothing.
func (s *Study) Load(path string) (*Results, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("study: %w", err)
	}
	h, err := s.header()
	if err != nil {
		return nil, err
	}
	t := newTable(s)
	l, err := readLog(path, h, t)
	if err != nil {
		return nil, err
	}
	res := t.results()
	res.Notes, res.Made = l.notes(h), l.made
	return res, nil
}
