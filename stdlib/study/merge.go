package study

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

var shardFile = regexp.MustCompile(`\.shard-(\d+)-of-(\d+)\.jsonl$`)

// Merge puts the records of all files of the study in dir, shards and whole, into one file, and returns the results. Shards
// that are missing, that are of partitions of different size, or that hold different records of one replication are
// errors; notes say when shards come from different architectures, whose last bits may differ.
func (s *Study) Merge(dir string) (*Results, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, s.Name+".shard-*-of-*.jsonl"))
	if err != nil {
		return nil, fmt.Errorf("study: %w", err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("study: %s has no shards of %s", dir, s.Name)
	}
	if err := wholePartition(files); err != nil {
		return nil, err
	}
	w, all, err := openLog(filepath.Join(dir, FileName(s.Name, 0, 0)), s.header())
	if err != nil {
		return nil, err
	}
	defer w.close()
	slices.Sort(files)
	var lines []byte
	for _, path := range files {
		l, err := readLog(path, s.header())
		if err != nil {
			return nil, err
		}
		maps.Copy(all.arches, l.arches)
		for _, key := range slices.Sorted(maps.Keys(l.entries)) {
			e := l.entries[key]
			old := all.entries[key]
			if old == nil {
				all.entries[key] = e
				lines = e.appendLine(lines)
			} else if string(old.Record.appendJSON(nil)) != string(e.Record.appendJSON(nil)) {
				return nil, fmt.Errorf("study: %s has another record of %v, replication %d, than the files before it", path, e.Point, e.Rep)
			}
		}
	}
	if err := w.write(lines); err != nil {
		return nil, fmt.Errorf("study: %w", err)
	}
	res := s.results(all.entries)
	if len(all.arches) > 1 {
		res.Notes = append(res.Notes, fmt.Sprintf("the shards come from different architectures (%v): last bits may differ", slices.Sorted(maps.Keys(all.arches))))
	}
	return res, nil
}

// wholePartition checks that the files are shards 1 to n of n.
func wholePartition(files []string) error {
	have := map[int]string{}
	of := 0
	for _, f := range files {
		m := shardFile.FindStringSubmatch(f)
		if m == nil {
			continue
		}
		i, _ := strconv.Atoi(m[1])
		n, _ := strconv.Atoi(m[2])
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

// Load returns the results that stand in a file of records, which need not be whole. It changes nothing.
func (s *Study) Load(path string) (*Results, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("study: %w", err)
	}
	h := s.header()
	l, err := readLog(path, h)
	if err != nil {
		return nil, err
	}
	res := s.results(l.entries)
	res.Notes = l.notes(h)
	return res, nil
}
