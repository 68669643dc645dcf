package study

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// What Replicate reads while it runs, files and variables of the environment, is in no source. Where a program has package os tell
// of it (see [ReadLog]), the file of records has a line for what the records below it may depend on, before the next header:
//
//	{"reads":{"file data.csv":"4f1c9a0e53d2b7a86e02","variable SIGMA":"9834876dcfb05cb167a5"}}
//
// The records count only as long as all of it is as it was.

// readsPrefix begins such a line.
const readsPrefix = `{"reads":`

// A readsLine is one, with a hash of each value.
type readsLine struct {
	Reads map[string]string `json:"reads"`
}

const (
	variablePrefix = "variable "
	filePrefix     = "file "
	sizePrefix     = "size of file " // which was asked for without the file being read
)

// fileOf is the file that a name of a readsLine is of, if it is of one.
func fileOf(name string) (file string, ok bool) {
	if file, ok = strings.CutPrefix(name, filePrefix); ok {
		return file, true
	}
	return strings.CutPrefix(name, sizePrefix)
}

// mostReads is how many names a run keeps.
const mostReads = 1000

// A ReadLog tells the studies that run of what replications read. It is for the program that runs cells, which has package os tell
// it, as that tells go test's log.
type ReadLog struct{}

// watches are those of the books that are open.
var watches struct {
	some atomic.Bool
	mu   sync.Mutex
	all  []*watch
}

// A watch collects what replications read.
type watch struct {
	mu    sync.Mutex
	seen  map[string]bool
	fresh map[string]fs.FileInfo // read since take; of a file what it was then
	many  bool                   // more than mostReads
	known map[string]string      // what the file of records says already
}

// watchReads begins a watch, which stop ends. known is what the file of records says already.
func watchReads(known map[string]string) (w *watch, stop func()) {
	w = &watch{seen: map[string]bool{}, fresh: map[string]fs.FileInfo{}, known: known}
	watches.mu.Lock()
	defer watches.mu.Unlock()
	watches.all = append(watches.all, w)
	watches.some.Store(true)
	return w, func() {
		watches.mu.Lock()
		defer watches.mu.Unlock()
		watches.all = slices.DeleteFunc(watches.all, func(o *watch) bool { return o == w })
		watches.some.Store(len(watches.all) > 0)
	}
}

// Getenv is told of a variable of the environment.
func (ReadLog) Getenv(name string) { sawRead(variablePrefix + name) }

// Open is told of a file.
func (ReadLog) Open(name string) { sawRead(filePrefix + name) }

// Stat is told of a file that is looked for, whose content may not matter.
func (ReadLog) Stat(name string) { sawRead(sizePrefix + name) }

// Chdir is told of a directory.
func (ReadLog) Chdir(string) {}

func sawRead(name string) {
	if !watches.some.Load() {
		return
	}
	watches.mu.Lock()
	all := slices.DeleteFunc(slices.Clone(watches.all), func(w *watch) bool { return w.has(name) })
	watches.mu.Unlock()
	if len(all) == 0 || !replicationReads() {
		return
	}
	var was fs.FileInfo
	if file, ok := fileOf(name); ok {
		// A file that is not there yet is the replication's own.
		was, _ = os.Stat(file)
	}
	for _, w := range all {
		w.note(name, was)
	}
}

func (w *watch) has(name string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.seen[name] || w.many
}

func (w *watch) note(name string, was fs.FileInfo) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.seen[name] {
		return
	}
	w.many = len(w.seen) >= mostReads
	w.seen[name] = true
	if strings.HasPrefix(name, variablePrefix) || was != nil && was.Mode().IsRegular() {
		w.fresh[name] = was
	}
}

// take returns what was read since it was last called. A file that has changed meanwhile is written by the replication itself.
func (w *watch) take() map[string]string {
	w.mu.Lock()
	fresh := w.fresh
	if len(fresh) > 0 {
		w.fresh = map[string]fs.FileInfo{}
	}
	w.mu.Unlock()
	if len(fresh) == 0 {
		return nil
	}
	out := map[string]string{}
	for name, was := range fresh {
		if file, ok := fileOf(name); ok {
			now, err := os.Stat(file)
			if err != nil || now.Size() != was.Size() || !now.ModTime().Equal(was.ModTime()) || !os.SameFile(now, was) {
				continue
			}
		}
		name = portableName(name)
		if now := valueNow(name); now != w.known[name] {
			out[name] = now
		}
	}
	return out
}

// portableName makes the name of a file below the working directory relative to that, so that records may move along with it.
func portableName(name string) string {
	file, ok := fileOf(name)
	if !ok || !filepath.IsAbs(file) {
		return name
	}
	if dir, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
			return strings.TrimSuffix(name, file) + filepath.ToSlash(rel)
		}
	}
	return name
}

// replicating has the numbers of the goroutines on which replications run, as texts.
var replicating sync.Map

// replicates says that replications run on this goroutine until end is called.
func replicates() (end func()) {
	var buf [64]byte
	text, _ := strings.CutPrefix(string(buf[:runtime.Stack(buf[:], false)]), "goroutine ")
	number, _, _ := strings.Cut(text, " ")
	replicating.Store(number, nil)
	return func() { replicating.Delete(number) }
}

// startedByReplication reports whether a replication started this goroutine. The trace of a stack ends in who started it.
func startedByReplication() bool {
	buf := make([]byte, 1<<12)
	n := runtime.Stack(buf, false)
	for n == len(buf) {
		buf = make([]byte, 2*len(buf))
		n = runtime.Stack(buf, false)
	}
	text := string(buf[:n])
	text = text[strings.LastIndex(text, "\ncreated by ")+1:]
	line, _, _ := strings.Cut(text, "\n")
	_, number, _ := strings.Cut(line, " in goroutine ")
	_, ok := replicating.Load(number)
	return ok
}

// replicationReads reports whether the caller of package os is a replication, or a goroutine that it started, and not the standard
// library for purposes of its own.
func replicationReads() bool {
	pcs := make([]uintptr, 512)
	pcs = pcs[:runtime.Callers(3, pcs)]
	frames := runtime.CallersFrames(pcs)
	here := reflect.TypeFor[Study]().PkgPath()
	asked, below := false, false // package os, and what is below it
	for {
		f, more := frames.Next()
		pkg := packageOf(f.Function)
		switch {
		case f.Function == here+".(*Study).one":
			return true
		case asked && !below && pkg == here: // the log itself
			return false
		case below || pkg == "internal/testlog" || pkg == here:
		case pkg == "os":
			asked = true
			if name := strings.TrimPrefix(f.Function, "os."); name == "TempDir" || strings.HasPrefix(name, "User") {
				return false
			}
		case pkg == "net" || pkg == "mime" || pkg == "time" || strings.HasPrefix(pkg, "os/") || strings.HasPrefix(pkg, "crypto/") || strings.HasPrefix(pkg, "internal/"):
			return false
		default:
			below = true
		}
		if !more {
			return len(pcs) == cap(pcs) || startedByReplication()
		}
	}
}

// packageOf is the path of the package of a function, as the runtime names that.
func packageOf(function string) string {
	slash := strings.LastIndexByte(function, '/') + 1
	base, _, _ := strings.Cut(function[slash:], ".")
	return function[:slash] + base
}

// valueNow is the hash of what a name of a readsLine has now; "" for a variable that is not set and a file that cannot be read.
func valueNow(name string) string {
	if file, ok := strings.CutPrefix(name, filePrefix); ok {
		return fileHash(filepath.FromSlash(file))
	}
	if file, ok := strings.CutPrefix(name, sizePrefix); ok {
		info, err := os.Stat(filepath.FromSlash(file))
		if err != nil || !info.Mode().IsRegular() {
			return ""
		}
		return strconv.FormatInt(info.Size(), 10)
	}
	value, ok := os.LookupEnv(strings.TrimPrefix(name, variablePrefix))
	if !ok {
		return ""
	}
	sum := sha256.Sum256([]byte(value))
	return hex.EncodeToString(sum[:10])
}

// fileHashes keeps those of large files.
var fileHashes sync.Map // of hashedFile to string

type hashedFile struct {
	name  string
	size  int64
	mtime time.Time
}

// fileHash is a hash of a file's content.
func fileHash(name string) string {
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	key := hashedFile{name, info.Size(), info.ModTime()}
	if info.Size() >= 1<<20 {
		if hash, ok := fileHashes.Load(key); ok {
			return hash.(string)
		}
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	hash := hex.EncodeToString(h.Sum(nil)[:10])
	fileHashes.Store(key, hash)
	return hash
}

// appendReads appends a line.
func appendReads(lines []byte, reads map[string]string) []byte {
	if len(reads) == 0 {
		return lines
	}
	js, err := json.Marshal(readsLine{reads})
	if err != nil {
		panic(err) // a map of texts
	}
	return append(append(lines, js...), '\n')
}

func parseReads(line []byte) (r readsLine, err error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	return r, d.Decode(&r)
}

// tookElsewhere takes what replications in another process read. What is the same here can be looked at when the records are read
// again; of the rest, and where such processes read different things, the reader of the results is told. The lock is held.
func (b *Book) tookElsewhere(reads map[string]string) {
	if b.elsewhere == nil {
		b.elsewhere = map[string]string{}
	}
	kept := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(reads)) {
		was, ok := b.elsewhere[name]
		if !ok && len(b.elsewhere) >= mostReads {
			continue
		}
		b.elsewhere[name] = reads[name]
		switch here := valueNow(name); {
		case ok && was == reads[name]:
		case ok:
			b.note(fmt.Sprintf("workers read different things as %s, so the records may be of different data; Fresh runs them all again", name))
		case here == reads[name]:
			kept[name] = here
		default:
			b.note(fmt.Sprintf("workers read %s, which is another where the records are, or missing: a change of it will not be seen", name))
		}
	}
	if b.log != nil {
		b.pending = appendReads(b.pending, kept)
	}
}

func (b *Book) note(text string) {
	if !slices.Contains(b.Notes, text) {
		b.Notes = append(b.Notes, text)
	}
}

// takeReads takes a line of what the records below depend on.
func (l *logged) takeReads(line []byte) error {
	r, err := parseReads(line)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(r.Reads)) {
		now, ok := l.reads[name]
		if !ok {
			now = valueNow(name)
			l.reads[name] = now
		}
		l.known[name] = now
		if now != r.Reads[name] {
			l.stale = name
		}
	}
	return nil
}

// staleNote says for how many records what Replicate read has changed.
func (l *logged) staleNote() string {
	return fmt.Sprintf("%d records stay in the file and are not used, since what Replicate read has changed: %s", l.staleRecords, strings.Join(slices.Sorted(maps.Keys(l.changed)), ", "))
}
