package study

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
)

// A Study is an experiment: a function that is run many times at every point of a grid.
type Study struct {
	// Name names the study and its file of records: letters, digits, '-', '_' and '.'.
	Name string
	// About says in a line what the study shows.
	About string
	// Version is the author's: records of another version are not mixed in. Change it when Replicate computes something else.
	Version string
	// Points are the settings, usually from Grid. No two may be equal.
	Points []Point
	// Replications is the number of runs at every point.
	Replications int
	// Seed is where all randomness comes from; Stream, if set, takes the place of Name in the random streams, so that
	// two studies can see the same data.
	Seed   uint64
	Stream string
	// Paired names the parameters that do not enter the random stream: settings that differ only in them see the same
	// data. Methods that are compared are paired.
	Paired []string
	// Replicate does one replication. Its random stream depends on Seed, the stream's name, the point and the
	// replication alone. It may be called by many goroutines at a time.
	Replicate func(ctx context.Context, p Point, rng *rand.Rand) (Record, error)
	// AnyNumber allows NaN and infinities in records.
	AnyNumber bool
	// Seconds is the time that one replication takes, roughly, for those who plan. 0 if not known.
	Seconds float64
	// Source identifies the source of Replicate: records made by another are not mixed in. A notebook fills it in; in a
	// program Version is enough, or it is the program's text, which go:embed has.
	Source string
	// Reads returns the variables that Replicate reads besides its arguments, by name. Their values when the study is run are a
	// part of the source: numbers by their bits, maps, pointers and interfaces by what they hold. A value of which that cannot be
	// known, such as a channel, a file or a function value that holds variables, is an error where records are kept. A notebook
	// fills it in.
	Reads func() map[string]any
}

// source is the hash that stands for Source and Reads in the file of records.
func (s *Study) source() (hash string, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("study: records of %s cannot be kept: %w", s.Name, err)
		}
	}()
	c := cells.Load()
	if c == nil {
		return s.programSource()
	}
	src, err := c.source(s.Source)
	switch {
	case err != nil:
		return "", err
	case src == nil && s.Source == "" && s.Version == "":
		return "", errors.New("nothing says what Replicate is made of: set it in the study's composite literal, or set Source to a text that you change with it")
	case src == nil:
		return s.Source, nil
	}
	var all, reads map[string]any
	if s.Reads != nil {
		all = s.Reads()
	}
	reads = map[string]any{}
	for name, v := range all {
		if strings.HasPrefix(name, "local ") || slices.Contains(src.Reads, name) {
			reads[name] = v
		}
	}
	for _, name := range src.Reads {
		if _, ok := reads[name]; !ok {
			return "", fmt.Errorf("its function reads %s, of which the study does not know: run the cell that makes the study again", name)
		}
	}
	text := src.Text
	if !src.Interpreted {
		name, err := src.Function(reflect.ValueOf(s.Replicate).Pointer())
		if err != nil {
			return "", fmt.Errorf("its function Replicate is %w; or write a function literal that calls it into the study's composite literal", err)
		}
		text += " " + name
	}
	return hashReads(text, reads, src.Function)
}

// shownSource is how long a Source is at most that is in the file of records as it is.
const shownSource = 60

// programSource is the hash in a program: of Source, which may be the program's text, of the modules that it is built with if
// that is so, and of the values that Replicate reads.
func (s *Study) programSource() (string, error) {
	text := s.Source
	var reads map[string]any
	if s.Reads != nil {
		reads = s.Reads()
	}
	if len(text) > shownSource {
		if info, ok := debug.ReadBuildInfo(); ok {
			for _, m := range info.Deps {
				text += fmt.Sprintf("\n%s %s %s", m.Path, m.Version, m.Sum)
			}
		}
	} else if s.Reads == nil {
		return text, nil
	}
	return hashReads(text, reads, codeName)
}

// A Source is what a program that runs cells knows of the function of a study.
type Source struct {
	Text        string                           // a hash of its text, and of all that it reaches
	Reads       []string                         // the variables of the session that it reads
	Function    func(pc uintptr) (string, error) // names function values
	Interpreted bool                             // Replicate is not compiled
}

// cells is set in a process that runs cells.
var cells atomic.Pointer[cellRunner]

type cellRunner struct {
	engine string
	source func(string) (*Source, error)
}

// SetCells is for the program that runs cells: it says which engine does so, which is noted with the records, and what is
// known of a Study.Source now, nil for one that is not of a cell. A function that a cell declares can be changed by another
// cell after the study was made.
func SetCells(engine string, source func(string) (*Source, error)) {
	cells.Store(&cellRunner{engine, source})
}

// A Runner runs a study in place of Run, which it gets as run.
type Runner func(ctx context.Context, s *Study, o *Settings, run func(context.Context, *Settings) (*Results, error)) (*Results, error)

var runner atomic.Pointer[Runner]

// SetRunner is for the program that runs cells, when it wants a notebook's study for a purpose of its own: from now on
// Run calls r.
func SetRunner(r Runner) { runner.Store(&r) }

var goodName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// check says what is wrong with a study.
func (s *Study) check() error {
	switch {
	case !goodName.MatchString(s.Name):
		return fmt.Errorf("study: name is %q, must be letters, digits, '-', '_' and '.'", s.Name)
	case s.Replicate == nil:
		return fmt.Errorf("study: %s has no Replicate function", s.Name)
	case len(s.Points) == 0:
		return fmt.Errorf("study: %s has an empty grid", s.Name)
	case s.Replications <= 0:
		return fmt.Errorf("study: %s has %d replications, must be positive", s.Name, s.Replications)
	}
	seen := map[string]bool{}
	for _, p := range s.Points {
		key := p.Key()
		if seen[key] {
			return fmt.Errorf("study: %s has the point %v twice", s.Name, p)
		}
		seen[key] = true
	}
	for _, name := range s.Paired {
		if _, ok := s.Points[0].Value(name); !ok {
			return fmt.Errorf("study: %s pairs %q, which is no parameter", s.Name, name)
		}
	}
	return nil
}

// Rand returns the random stream of a replication.
func (s *Study) Rand(p Point, replication int) *rand.Rand {
	return (&seeder{buf: s.stream(p)}).draw(replication)
}

// stream is what the random streams of a point's replications are made of: all but the number of the replication.
func (s *Study) stream(p Point) []byte {
	name := s.Stream
	if name == "" {
		name = s.Name
	}
	b := binary.LittleEndian.AppendUint64(nil, s.Seed)
	return fmt.Appendf(b, "%q %s ", name, p.Key(s.Paired...))
}

// A seeder makes random streams without allocating anything but them.
type seeder struct {
	streams [][]byte
	buf     []byte
}

func (s *seeder) rand(j Job) *rand.Rand {
	s.buf = append(s.buf[:0], s.streams[j.Point]...)
	return s.draw(j.Rep)
}

func (s *seeder) draw(replication int) *rand.Rand {
	s.buf = strconv.AppendInt(s.buf, int64(replication), 10)
	sum := sha256.Sum256(s.buf)
	return rand.New(rand.NewPCG(binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:])))
}

// A Failure is a replication that ended with an error or a panic.
type Failure struct {
	Study       string
	Point       Point
	Replication int
	Seed        uint64
	Err         string
	Stack       string // of a panic
}

func (f *Failure) Error() string {
	return fmt.Sprintf("study %s: %v, replication %d, seed %d: %s", f.Study, f.Point, f.Replication, f.Seed, f.Err)
}

// One runs one replication again, alone, for those who look for what went wrong. Its error is a *Failure.
func (s *Study) One(ctx context.Context, p Point, replication int) (Record, error) {
	p, err := p.normal()
	if err != nil {
		return nil, err
	}
	i, err := find(s.Name, s.Points, p)
	if err != nil {
		return nil, err
	}
	p = s.Points[i]
	r, f := s.one(ctx, p, replication, s.Rand(p, replication))
	if f != nil {
		return nil, f
	}
	return r, nil
}

func (s *Study) one(ctx context.Context, p Point, replication int, rng *rand.Rand) (rec Record, fail *Failure) {
	defer func() {
		if r := recover(); r != nil {
			rec, fail = nil, s.failure(p, replication, fmt.Sprint("panic: ", r))
			fail.Stack = string(debug.Stack())
		}
	}()
	r, err := s.Replicate(ctx, p, rng)
	if err == nil {
		r, err = r.normal(s.AnyNumber)
	}
	if err != nil {
		return nil, s.failure(p, replication, cmp.Or(err.Error(), fmt.Sprintf("a %T without a text", err)))
	}
	return r, nil
}

func (s *Study) failure(p Point, replication int, text string) *Failure {
	return &Failure{Study: s.Name, Point: p, Replication: replication, Seed: s.Seed, Err: text}
}
