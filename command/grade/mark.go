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
}

// DefaultOptions returns the default limits, the fence, and half as many submissions at a time as there are processors.
func DefaultOptions() *Options {
	return &Options{Limits: defaultLimits(), Parallel: max(1, runtime.NumCPU()/2)}
}

// A Report is what a submission got.
type Report struct {
	Student string
	Marks   []Mark
	Points  float64
	End     string // why the submission did not run to its end; empty if it did
	Refused string // what the interpreter does not run of it, which need not be wrong; empty for nothing

	cells    []*notebook.Cell // of the page, each mark's results after its cell
	unmarked bool             // it is yet to come
	ended    string           // what the student hears of End
	again    bool             // it had not the time or the room that it may have
}

// A Mark is what a test cell gave: all its points if all of its tests hold, else none, as nbgrader has it.
type Mark struct {
	ID      string
	Points  float64
	Of      float64
	Manual  bool // a person must mark it
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
	if o.Engine == "native" && !o.Unfenced {
		return nil, errors.New("grade: the fence keeps out what the native engine needs, a compiler and code that is made while the program runs; " +
			"add --unfenced, and put walls around the whole (a container for each submission)")
	}
	if err := fence.Available(); err != nil && !o.Unfenced {
		return nil, fmt.Errorf("grade: %w; --unfenced runs what students wrote without one", err)
	}
	wanted, err := a.expect(ctx, o)
	if err == nil {
		err = a.refuseFreePoints(ctx, wanted, o)
	}
	if err != nil {
		return nil, err
	}
	reports := make([]*Report, len(all))
	var group sync.WaitGroup
	var done sync.Mutex
	finish := func(i int, r *Report) {
		done.Lock()
		defer done.Unlock()
		reports[i] = r
		if o.Done != nil && ctx.Err() == nil {
			o.Done(r)
		}
	}
	places := newPlaces(o.Parallel)
	for i, sub := range all {
		place := <-places
		group.Go(func() {
			defer func() { places <- place }()
			if r := a.mark(ctx, sub, wanted, place, o); r.again {
				reports[i] = r
			} else {
				finish(i, r)
			}
		})
	}
	group.Wait()
	for i, sub := range all {
		if reports[i].again && ctx.Err() == nil {
			finish(i, a.mark(ctx, sub, wanted, nil, o))
		}
	}
	return reports, ctx.Err()
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
	dir, err := os.MkdirTemp("", "gaucho-grade-")
	if err != nil {
		return nil, "", fmt.Errorf("grade: %w", err)
	}
	defer os.RemoveAll(dir)
	s.Dir, s.Limits, s.Fenced, s.Processors = dir, o.Limits, !o.Unfenced, processors
	s.Engine = o.Engine
	s.From, s.Files, s.Mount = from, a.files, !o.Unfenced && canMount()
	return s.exam.hold(ctx)
}

// canMount reports whether examiners can have a file system of their own here.
var canMount = sync.OnceValue(func() bool {
	dir, err := os.MkdirTemp("", "gaucho-grade-")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	x := exam{Dir: dir, Mount: true, Limits: defaultLimits()}
	cmd, err := x.command(context.Background(), &strings.Builder{})
	if err != nil {
		return false
	}
	cmd.Stdin.(*held).release()
	return cmd.Run() == nil
})

// expected are the values that tests compare with.
type expected map[*step][]*check.Value

// expect runs the source and marks its own solution.
func (a *Assignment) expect(ctx context.Context, o *Options) (expected, error) {
	s := a.key()
	answers, end, err := s.hold(ctx, a, nil, o)
	if err != nil {
		return nil, err
	}
	wanted := expected{}
	for i, ans := range answers {
		p := s.pieces[i]
		if ans.Error != nil {
			return nil, fmt.Errorf("grade: the source's own cell%s fails: %s: %s", named(p.part.cell), ans.Error.Name, ans.Error.Value)
		}
		if p.step == nil || p.step.test == "" {
			continue
		}
		var values []*check.Value
		for _, h := range ans.Values {
			v, err := h.read()
			if err != nil {
				return nil, fmt.Errorf("grade: the source's own %s: %w", p.step, err)
			}
			values = append(values, v)
		}
		if err := check.Judge(p.step.test, values[0], values[1:]); err != nil {
			return nil, fmt.Errorf("grade: the source's own solution fails %s: %w", p.step, err)
		}
		wanted[p.step] = values[1:]
	}
	if end != "" {
		return nil, fmt.Errorf("grade: the source did not run to its end: %s", end)
	}
	return wanted, nil
}

// passesAsReleased is the tag of a test cell that is meant to give its points to whoever hands in the notebook as it was
// given out.
const passesAsReleased = "passes-as-released"

// refuseFreePoints marks the notebook that students get. A test that it passes tests nothing.
func (a *Assignment) refuseFreePoints(ctx context.Context, wanted expected, o *Options) error {
	nb, err := a.Release()
	if err != nil {
		return fmt.Errorf("grade: %w", err)
	}
	s := a.sit(nb, false)
	answers, end, err := s.hold(ctx, a, nil, o)
	if err != nil {
		return err
	}
	var free []string
	for _, p := range a.parts {
		m := a.marked(p, s, answers, end, wanted)
		if m.Points > 0 && !p.cell.HasTag(passesAsReleased) {
			free = append(free, fmt.Sprintf("%s (%s points)", p.id, number(m.Points)))
		}
	}
	if len(free) > 0 {
		return fmt.Errorf("grade: the notebook as students are given it passes %s: their tests do not look at what students write; "+
			"fix them, or give the cell the tag %s if that is intended", strings.Join(free, ", "), passesAsReleased)
	}
	return nil
}

// mark runs a submission and marks it: with all tests for the marks, and if some are hidden then once more without them for
// what the student is shown.
func (a *Assignment) mark(ctx context.Context, sub Submission, wanted expected, processors []int, o *Options) *Report {
	r := &Report{Student: sub.Student}
	nb, err := a.read(sub)
	if err != nil {
		r.End, r.ended = err.Error(), err.Error()
		nb = &notebook.Notebook{} // all tests fail, and each is in the table
		s := a.sit(nb, true)
		r.fill(a, a.sit(nb, false), nil, wanted)
		r.show(a, s, nil, wanted)
		return r
	}
	s := a.sit(nb, !a.hides)
	answers, end := r.hold(ctx, s, a, processors, o)
	r.End, r.ended = end, end
	r.fill(a, s, answers, wanted)
	if !a.hides {
		r.show(a, s, answers, wanted)
		return r
	}
	s = a.sit(nb, true)
	answers, r.ended = r.hold(ctx, s, a, processors, o)
	if r.show(a, s, answers, wanted); r.End != "" && r.ended == "" {
		r.ended = "the hidden tests ended it"
	}
	return r
}

// hold is a sitting's, of which no failure is an error: others are marked all the same.
func (r *Report) hold(ctx context.Context, s *sitting, a *Assignment, processors []int, o *Options) ([]answer, string) {
	answers, end, err := s.hold(ctx, a, processors, o)
	if err != nil {
		r.again = true
		return nil, "it could not be run: " + strings.TrimPrefix(err.Error(), "grade: ")
	}
	for _, ans := range answers {
		r.again = r.again || ans.Short
		r.Refused = cmp.Or(r.Refused, ans.refused())
	}
	return answers, end
}

// maxNotebook is how large a notebook may be that a student hands in.
const maxNotebook = 32 << 20

func (a *Assignment) read(sub Submission) (*notebook.Notebook, error) {
	if sub.Problem != "" {
		return nil, errors.New(sub.Problem)
	}
	st, err := os.Lstat(sub.Path)
	switch {
	case err != nil:
		return nil, errors.New("it cannot be read")
	case !st.Mode().IsRegular():
		return nil, errors.New("it is not a file")
	case st.Size() > maxNotebook:
		return nil, fmt.Errorf("the notebook has %s, and may have %s", size(st.Size()), size(maxNotebook))
	}
	nb, err := notebook.ReadFile(sub.Path)
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), sub.Path+": ")) // where it lies is not the student's concern
	}
	if nb.Language() != "go" {
		return nil, fmt.Errorf("the notebook's language is %s, must be go", nb.Language())
	}
	return nb, nil
}

// fill works out the marks from the answers.
func (r *Report) fill(a *Assignment, s *sitting, answers []answer, wanted expected) {
	for _, p := range a.parts {
		if p.grade {
			m := a.marked(p, s, answers, r.End, wanted)
			r.Points += m.Points
			r.Marks = append(r.Marks, m)
		}
	}
}

// marked is the mark of one part.
func (a *Assignment) marked(p *part, s *sitting, answers []answer, end string, wanted expected) Mark {
	m := Mark{ID: p.id, Of: p.points, Manual: p.solution}
	for i, piece := range s.pieces {
		if piece.part != p || piece.step == nil || piece.step.test == "" {
			continue
		}
		var ans *answer
		if i < len(answers) {
			ans = &answers[i]
		}
		want := wanted[piece.step]
		if s.open {
			want = wanted[p.wanted(piece.step)]
		}
		m.Results = append(m.Results, judge(piece.step, ans, end, want))
	}
	if !m.Manual && m.holds() {
		m.Points = p.points
	}
	return m
}

// show makes the cells of the page from a sitting without hidden tests, and the words on the tests that students see.
func (r *Report) show(a *Assignment, s *sitting, answers []answer, wanted expected) {
	for i, p := range s.pieces {
		if i < len(answers) {
			p.cell.Outputs = append(p.cell.Outputs, answers[i].outputs()...)
		}
	}
	marks := map[*part]Mark{}
	k := 0
	for _, p := range a.parts {
		if !p.grade {
			continue
		}
		m := &r.Marks[k]
		k++
		shown := a.marked(p, s, answers, r.ended, wanted).Results
		for i := range m.Results {
			if m.Results[i].Hidden || len(shown) == 0 {
				continue
			}
			if m.Results[i].Problem != "" {
				m.Results[i].Shown = shown[0].Problem
			}
			shown = shown[1:]
		}
		marks[p] = *m
	}
	for _, c := range s.shown {
		r.cells = append(r.cells, c.Cell)
		if m, ok := marks[c.part]; ok && !m.Manual {
			r.cells = append(r.cells, m.cell())
		}
	}
}

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
