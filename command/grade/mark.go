package grade

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"gaucho/command/grade/fence"
	"gaucho/command/notebook"
	"gaucho/stdlib/check"
)

// Options say how submissions are marked. The zero value is not sensible; see [DefaultOptions].
type Options struct {
	Limits   Limits
	Unfenced bool // run students' code without a fence, where there is none
	Parallel int  // submissions at a time
	Fresh    bool // Grade marks all again, also those that it has marked as they are
	// Engine runs the cells: yaegi, also if empty, or native, which the fence does not go with.
	Engine string
	// Done is called with each submission as it is marked, in no order, by one goroutine at a time; it may be nil.
	Done func(*Report)

	// Warn is called with each weakness of the assignment's tests; it may be nil.
	Warn func(string)

	after func(*Report) // is called after Done, by several goroutines at a time; it may be nil
}

// DefaultOptions returns the default limits, the fence, and half as many submissions at a time as there are processors.
func DefaultOptions() *Options {
	return &Options{Limits: defaultLimits(), Parallel: max(1, runtime.NumCPU()/2)}
}

// A Report is what a submission got.
type Report struct {
	Student string
	Marks   []Mark
	Points  float64  // that tests gave
	End     string   // why the submission did not run to its end; empty if it did
	Ended   string   // what the student hears of End
	Refused string   // what the interpreter does not run of it, which need not be wrong; empty for nothing
	Why     []string // what may explain the marks

	cells    []*notebook.Cell // that the page shows; each says in its metadata of which part it is
	hand     byHand           // what a person gave
	unmarked bool             // it is yet to come
	again    bool             // it had not the time or the room that it may have
	shown    *held            // the run for the page, if another need not be made
}

// A Mark is what a test cell gave: all its points if all of its tests hold, else none, as nbgrader has it.
type Mark struct {
	ID      string
	Points  float64
	Of      float64
	Manual  bool // a person must mark it
	Empty   bool // there is nothing that a person could mark
	Results []Result
}

// A Result is how one test went.
type Result struct {
	Test    string // as the source has it
	Hidden  bool
	Problem string // empty if it holds
	// Shown is what the student hears of the problem. It comes from a run without hidden tests, since a program can keep
	// what it was called with and bring it up in the answer to another test.
	Shown string
}

// Run marks submissions, in their order. An error is the assignment's, or ctx's: whatever a submission does, it gets a
// report. The source's own solution is marked first and must get all points; the notebook that students are given is marked
// next, and a test cell that it passes is an error, unless it has the tag passes-as-released.
//
// What a clock ended while it waited for a processor, and what found no room on the disk, is marked once more at the end,
// alone.
func (a *Assignment) Run(ctx context.Context, all []Submission, o *Options) ([]*Report, error) {
	if o == nil {
		o = DefaultOptions()
	}
	if err := o.fenced(); err != nil {
		return nil, err
	}
	removeLeftovers()
	wanted, err := a.verify(ctx, o)
	if err != nil {
		return nil, err
	}
	reports := make([]*Report, len(all))
	var group sync.WaitGroup
	var done sync.Mutex
	finish := func(i int, r *Report) {
		done.Lock()
		reports[i] = r
		if o.Done != nil && ctx.Err() == nil {
			o.Done(r)
		}
		done.Unlock()
		if o.after != nil && ctx.Err() == nil {
			o.after(r)
		}
		r.shown = nil
	}
	places := newPlaces(o.Parallel)
	for i, sub := range all {
		place := <-places
		group.Go(func() {
			defer func() { places <- place }()
			if r := a.mark(ctx, sub, wanted, place, o, nil); r.again {
				reports[i] = r
			} else {
				finish(i, r)
			}
		})
	}
	group.Wait()
	for i, sub := range all {
		if reports[i].again && ctx.Err() == nil {
			finish(i, a.mark(ctx, sub, wanted, nil, o, reports[i]))
		}
	}
	return reports, ctx.Err()
}

// fenced returns an error if the options ask for a fence that cannot be had.
func (o *Options) fenced() error {
	if o.Engine == "native" && !o.Unfenced {
		return errors.New("grade: the fence keeps out what the native engine needs, a compiler and code that is made while the program runs; " +
			"add --unfenced, and put walls around the whole (a container for each submission)")
	}
	if err := fence.Available(); err != nil && !o.Unfenced {
		return fmt.Errorf("grade: %w; --unfenced runs what students wrote without one", err)
	}
	return nil
}

// newPlaces returns the processors for each of n submissions at a time: as large a share as all others have, and the same
// ones only if there are more submissions than processors.
func newPlaces(n int) chan []int {
	n = max(1, n)
	all := processors()
	places := make(chan []int, n)
	for i := range n {
		var mine []int
		for j := i; j < len(all) && n <= len(all); j += n {
			mine = append(mine, all[j])
		}
		if n > len(all) && len(all) > 0 {
			mine = []int{all[i%len(all)]}
		}
		places <- mine
	}
	return places
}

// hold holds an exam in a directory of its own.
func (s *sitting) hold(ctx context.Context, a *Assignment, processors []int, o *Options) ([]answer, string, error) {
	from, err := filepath.Abs(a.notebook.Dir)
	if err != nil {
		return nil, "", fmt.Errorf("grade: %w", err)
	}
	dir, err := os.MkdirTemp("", temporary())
	if err != nil {
		return nil, "", fmt.Errorf("grade: %w", err)
	}
	defer os.RemoveAll(dir)
	defer claim(dir)()
	s.Dir, s.Limits, s.Fenced, s.Processors = dir, o.Limits, !o.Unfenced, processors
	s.Engine = o.Engine
	s.From, s.Files, s.Mount = from, a.files, !o.Unfenced && canMount()
	return s.exam.hold(ctx)
}

// canMount reports whether examiners can have a file system of their own here.
var canMount = sync.OnceValue(func() bool {
	dir, err := os.MkdirTemp("", temporary())
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	x := exam{Dir: dir, Mount: true, Limits: defaultLimits()}
	cmd, err := x.command(context.Background(), &strings.Builder{})
	if err != nil {
		return false
	}
	cmd.Stdin.(*sealed).release()
	return cmd.Run() == nil
})

// A held is a sitting that took place.
type held struct {
	*sitting
	answers []answer
	end     string
}

// mark runs a submission and marks it: without the hidden tests for what the student is shown, and if some are hidden then once
// more with all for the marks. The first run ends before the other begins, so that nothing which the other learns gets to
// the page, by whatever way. A second try, after a report that says again, gets the report of the first.
func (a *Assignment) mark(ctx context.Context, sub Submission, wanted expected, processors []int, o *Options, first *Report) *Report {
	r := &Report{Student: sub.Student}
	nb, err := a.read(sub)
	if err != nil {
		r.End, r.Ended = err.Error(), err.Error()
		nb = &notebook.Notebook{} // all tests fail, and each is in the table
		r.fill(a, nb, held{sitting: a.sit(nb, false)}, wanted)
		for i := range r.Marks {
			r.Marks[i].Empty = r.Marks[i].Manual
		}
		r.show(a, held{sitting: a.sit(nb, true)}, wanted)
		return r
	}
	var page held
	if first != nil && first.shown != nil {
		page, r.Refused = *first.shown, first.Refused
	} else {
		page = r.hold(ctx, a.sit(nb, true), a, processors, o)
	}
	full := page
	switch {
	case r.again && first == nil:
		return r
	case a.hides:
		r.shown = &page
		full = r.hold(ctx, a.sit(nb, false), a, processors, o)
	}
	if r.again && first == nil {
		return r
	}
	r.End, r.Ended = full.end, page.end
	r.fill(a, nb, full, wanted)
	if r.show(a, page, wanted); r.End != "" && r.Ended == "" {
		r.Ended = "the hidden tests ended it"
	}
	return r
}

// hold is a sitting's, of which no failure is an error: others are marked all the same.
func (r *Report) hold(ctx context.Context, s *sitting, a *Assignment, processors []int, o *Options) held {
	answers, end, err := s.hold(ctx, a, processors, o)
	if err != nil {
		r.again = true
		return held{s, nil, "it could not be run: " + strings.TrimPrefix(err.Error(), "grade: ")}
	}
	for _, ans := range answers {
		r.again = r.again || ans.Short
		r.Refused = cmp.Or(r.Refused, ans.refused())
	}
	return held{s, answers, end}
}

// maxNotebook is how large a notebook may be that a student hands in.
const maxNotebook = 32 << 20

// maxSource is how much code a notebook may have: it is checked in a process that serves the cells, before they run.
const maxSource = 1 << 20

func (a *Assignment) read(sub Submission) (*notebook.Notebook, error) {
	data, err := sub.content()
	if err != nil {
		return nil, err
	}
	nb, err := notebook.Decode(data)
	if err != nil {
		return nil, err
	}
	if nb.Language() != "go" {
		return nil, fmt.Errorf("the notebook's language is %q, must be go", nb.Language())
	}
	code := 0
	for _, c := range nb.Cells {
		if c.Type == "code" {
			code += len(c.Source)
		}
	}
	if code > maxSource {
		return nil, fmt.Errorf("the notebook has %s of code, and may have %s", size(int64(code)), size(maxSource))
	}
	return nb, nil
}

// fill works out the marks from the answers.
func (r *Report) fill(a *Assignment, nb *notebook.Notebook, h held, wanted expected) {
	for _, p := range a.marked() {
		m := a.markOf(p, h, wanted)
		m.Empty = m.Manual && a.unanswered(p, nb)
		r.Points += m.Points
		r.Marks = append(r.Marks, m)
	}
}

// unanswered reports whether a cell that a person must mark is as it was released.
func (a *Assignment) unanswered(p *part, nb *notebook.Notebook) bool {
	if p.task {
		return false
	}
	changed := func(c *notebook.Cell) bool {
		return strings.TrimSpace(c.Source) != strings.TrimSpace(a.releasedSource(p))
	}
	found := false
	for _, c := range nb.Cells {
		if id, _ := nbgraderOf(c)["grade_id"].(string); id == p.id {
			if changed(c) {
				return false
			}
			found = true
		}
	}
	return found
}

// markOf is the mark of one part.
func (a *Assignment) markOf(p *part, h held, wanted expected) Mark {
	m := Mark{ID: p.id, Of: p.points, Manual: p.isManual()}
	for i, piece := range h.pieces {
		if piece.part != p || piece.step == nil || piece.step.test == "" {
			continue
		}
		var ans *answer
		if i < len(h.answers) {
			ans = &h.answers[i]
		}
		want := wanted[piece.step]
		if h.open {
			want = wanted[p.wanted(piece.step)]
		}
		m.Results = append(m.Results, judge(piece.step, ans, h.end, want))
	}
	if !m.Manual && m.holds() {
		m.Points = p.points
	}
	return m
}

// show makes the cells of the page from a sitting without hidden tests, and the words on the tests that students see.
func (r *Report) show(a *Assignment, h held, wanted expected) {
	for i, p := range h.pieces {
		if i < len(h.answers) {
			p.cell.Outputs = append(p.cell.Outputs, h.answers[i].outputs()...)
		}
	}
	for k, p := range a.marked() {
		m := &r.Marks[k]
		shown := a.markOf(p, h, wanted).Results
		for i := range m.Results {
			if m.Results[i].Hidden || len(shown) == 0 {
				continue
			}
			if m.Results[i].Problem != "" {
				m.Results[i].Shown = shown[0].Problem
			}
			shown = shown[1:]
		}
	}
	for _, c := range h.sitting.shown {
		if c.part != nil {
			c.Metadata = map[string]any{partKey: c.part.id}
		}
		r.cells = append(r.cells, c.Cell)
	}
	r.Why = r.reasons(a, h)
}

// partKey is where a cell of a page says in its metadata of which part of the source it is.
const partKey = "part"

// holds reports whether all tests hold.
func (m *Mark) holds() bool {
	for _, r := range m.Results {
		if r.Problem != "" {
			return false
		}
	}
	return len(m.Results) > 0
}

// judge does one test.
func judge(s *step, ans *answer, end string, want []*check.Value) Result {
	r := Result{Test: s.String(), Hidden: s.hidden}
	if ans == nil || len(ans.Values) != 1 {
		if r.Problem = end; end == "" {
			r.Problem = "no answer came"
		}
		return r
	}
	got, err := ans.Values[0].read()
	if err == nil {
		err = check.Judge(s.test, got, want)
	}
	if f, ok := err.(*check.Failure); ok {
		f.Hint = s.hint
	}
	if err != nil {
		r.Problem = err.Error()
	}
	return r
}

// outputs are what a cell showed and what it failed with.
func (a *answer) outputs() []*notebook.Output {
	for _, o := range a.Outputs {
		if o == nil {
			return nil // no output is null: somebody made this up
		}
	}
	return a.Outputs
}
