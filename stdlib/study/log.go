package study

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

// Records are kept as JSON lines: text that grows at its end, survives a crash up to its last whole line, and is read by
// every language (pandas.read_json(lines=True), jq, DuckDB) without a library of ours. A header says what the lines below
// it are of; a file gets another one whenever that changes.
//
//	{"study":"figure-1","version":"2","seed":1,"code":"","provenance":{"go":"go1.26.0","arch":"amd64"}}
//	{"point":{"method":"fw","N":10},"rep":0,"record":{"mmd":0.0123},"seconds":0.0021}
//	{"point":{"method":"fw","N":10},"rep":1,"error":"...","seconds":0.0019}

// A header says what the records below it are of.
type header struct {
	Study      string     `json:"study"`
	Version    string     `json:"version"`
	Seed       uint64     `json:"seed"`
	Code       string     `json:"code,omitempty"`
	Provenance provenance `json:"provenance"`
}

// A provenance says how records were made. Records of different provenance may be in one file; a difference is
// reported.
type provenance struct {
	Go       string `json:"go"`
	Arch     string `json:"arch"`
	Revision string `json:"revision,omitempty"` // with "+changes" where the build had uncommitted ones
	Engine   string `json:"engine,omitempty"`
}

// String is how notes name a provenance.
func (p provenance) String() string {
	text := p.Go + " on " + p.Arch
	if p.Revision != "" {
		hash, changes, _ := strings.Cut(p.Revision, "+")
		text += fmt.Sprintf(" (revision %.12s", hash)
		if changes != "" {
			text += "+" + changes
		}
		text += ")"
	}
	if p.Engine != "" {
		text += ", cells by " + p.Engine
	}
	return text
}

func here() provenance {
	p := provenance{Go: runtime.Version(), Arch: runtime.GOARCH}
	if c := cells.Load(); c != nil {
		p.Engine = c.engine
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		changes := ""
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				p.Revision = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				changes = "+changes"
			}
		}
		if p.Revision != "" {
			p.Revision += changes
		}
	}
	return p
}

func (s *Study) header() (header, error) {
	code, err := s.source()
	return header{Study: s.Name, Version: s.Version, Seed: s.Seed, Code: code, Provenance: here()}, err
}

// same reports whether records under both headers may be in one file.
func (h header) same(o header) bool {
	return h.Study == o.Study && h.Version == o.Version && h.Seed == o.Seed && h.Code == o.Code
}

// A logged file is what a file of records holds besides the records themselves.
type logged struct {
	others int             // records of other versions
	arches map[string]bool // of the records that are taken
	made   []string        // by which Go, on what and at which revision these were made
	last   *header

	reads        map[string]string // what the records may depend on, as it is now; see reads.go
	known        map[string]string // that which lines since the last header name
	stale        string            // that of it which was another for the records below
	staleRecords int               // for which something was
	changed      map[string]bool   // what was

	bad      int // lines that cannot be read, with the first of them
	firstBad error
	size     int64 // up to the last whole line
	torn     bool  // something follows that
}

func newLogged() *logged {
	return &logged{arches: map[string]bool{}, reads: map[string]string{}, changed: map[string]bool{}}
}

// readLog reads a file of records into the table, in which the last outcome of a replication counts. A file that is not
// there is empty. Lines that cannot be read are passed over, and counted: a last one without an end, of a writer that was
// killed, and any other. A file that begins as no file of records, or one of another study, is an error.
func readLog(path string, now header, t *table) (*logged, error) {
	l, r := newLogged(), lineReader{table: t}
	return l, l.scan(path, now, func(line []byte) error {
		e, _, err := r.read(line)
		if err == nil && e.at >= 0 {
			t.put(e)
		}
		return err
	})
}

// scan reads a file line by line and hands over the lines that are records of the study as it is now.
func (l *logged) scan(path string, now header, record func(line []byte) error) error {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("study: %w", err)
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<20)
	for n := 1; ; n++ {
		line, err := r.ReadBytes('\n')
		if err == io.EOF {
			l.torn = len(line) > 0
			return nil
		}
		if err != nil {
			return fmt.Errorf("study: %w", err)
		}
		if err := l.take(line, now, record); err != nil {
			if l.last == nil {
				return fmt.Errorf("study: %s, line %d: %w", path, n, err)
			}
			if l.bad++; l.bad == 1 {
				l.firstBad = fmt.Errorf("line %d: %w", n, err)
			}
		}
		l.size += int64(len(line))
	}
}

func (l *logged) take(line []byte, now header, record func(line []byte) error) error {
	if bytes.HasPrefix(line, []byte(`{"study":`)) {
		h := &header{}
		if err := json.Unmarshal(line, h); err != nil {
			return err
		}
		if h.Study != now.Study { // below the file's own header this is a line that somebody slipped in
			return fmt.Errorf("the records are of the study %s, not %s", h.Study, now.Study)
		}
		l.last, l.stale, l.known = h, "", map[string]string{}
		if h.same(now) {
			l.arches[h.Provenance.Arch] = true
			if by := h.Provenance.String(); !slices.Contains(l.made, by) {
				l.made = append(l.made, by)
			}
		}
		return nil
	}
	if l.last == nil {
		return errors.New("a record before the first header")
	}
	reads := bytes.HasPrefix(line, []byte(readsPrefix))
	switch {
	case !l.last.same(now):
		if !reads {
			l.others++
		}
	case reads:
		return l.takeReads(line)
	case l.stale != "":
		l.staleRecords++
		l.changed[l.stale] = true
	default:
		return record(line)
	}
	return nil
}

// A writer appends to a file of records. It holds the file's lock: one writer a file.
type writer struct {
	f *os.File
}

// openLog opens a file for appending, locks it, reads what is in it into the table, and takes off a torn last line.
func openLog(path string, h header, t *table) (*writer, *logged, error) {
	f, err := openLocked(path, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, nil, err
	}
	l, err := readLog(path, h, t)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	w := &writer{f}
	if err := w.begin(l, h); err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("study: %s: %w", path, err)
	}
	return w, l, nil
}

// ErrLocked is in the error when another process writes the file of records.
var ErrLocked = errors.New("another process writes the file")

// openLocked opens a file and takes its lock. The error is fs.ErrNotExist if there is no such file and none is created.
func openLocked(path string, flag int) (*os.File, error) {
	for {
		f, err := os.OpenFile(path, flag, 0o666)
		if err != nil {
			return nil, fmt.Errorf("study: %w", err)
		}
		if err := lock(f); errors.Is(err, ErrLocked) {
			f.Close()
			return nil, fmt.Errorf("study: %s: %w", path, ErrLocked)
		} else if err != nil {
			f.Close()
			return nil, fmt.Errorf("study: %s cannot be locked, so that two processes might write it: %w; keep the records on a file system that has locks", path, err)
		}
		mine, err := f.Stat()
		there, err2 := os.Stat(path)
		if err == nil && err2 == nil && os.SameFile(mine, there) {
			return f, nil
		}
		f.Close() // it was put away meanwhile
		if err := errors.Join(err, err2); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("study: %w", err)
		}
	}
}

// putAway renames a file that nobody writes to the first name that is free of path.old, path.old2 and so on.
func putAway(path string) error {
	f, err := openLocked(path, os.O_RDWR)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if runtime.GOOS == "windows" { // renames no open file
		f.Close()
	} else {
		defer f.Close()
	}
	to := path + ".old"
	for n := 2; ; n++ {
		if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			break
		}
		to = fmt.Sprintf("%s.old%d", path, n)
	}
	if err := os.Rename(path, to); err != nil {
		return fmt.Errorf("study: %w", err)
	}
	return nil
}

// begin makes the file ready for records under the header.
func (w *writer) begin(l *logged, h header) error {
	if err := w.f.Truncate(l.size); err != nil {
		return err
	}
	if _, err := w.f.Seek(l.size, io.SeekStart); err != nil {
		return err
	}
	if l.last != nil && *l.last == h && l.stale == "" {
		return nil
	}
	js, err := json.Marshal(h)
	if err != nil {
		return err
	}
	l.known = l.reads
	return w.write(appendReads(append(js, '\n'), l.reads))
}

// write appends whole lines. When only a part could be written (a full disk), that part is taken off again.
func (w *writer) write(lines []byte) error {
	at, err := w.f.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if _, err := w.f.Write(lines); err != nil {
		w.f.Truncate(at)
		w.f.Seek(at, io.SeekStart)
		return err
	}
	return nil
}

func (w *writer) close() error { return w.f.Close() }
