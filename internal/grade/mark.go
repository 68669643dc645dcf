package grade

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"

	"gaucho/internal/grade/fence"
	"gaucho/internal/headless"
	"gaucho/stdlib/check"
)

// Options say how submissions are marked. The zero value is not sensible; see [DefaultOptions].
type Options struct {
	Limits   Limits
	Unfenced bool // run students' code without a fence, where there is none
	Parallel int  // submissions at a time
	// Done is told of each submission as it is marked, in no order; it may be nil.
	Done func(*Report)
}

// DefaultOptions returns the default limits, the fence, and half as many submissions at a time as there are processors.
func DefaultOptions() *Options {
	return &Options{Limits: DefaultLimits(), Parallel: max(1, runtime.NumCPU()/2)}
}

// A Report is what a submission got.
type Report struct {
	Student string
	Marks   []Mark
	Points  float64
	End     string // why the submission did not run to its end; empty if it did

	cells []*headless.Cell // of the page, each mark's results behind its cell
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
}

// Run marks submissions, in their order. An error is the assignment's, or ctx's: whatever a submission does, it gets a
// report. The source's own solution is marked first and must get all points.
func (a *Assignment) Run(ctx context.Context, all []Submission, o *Options) ([]*Report, error) {
	if o == nil {
		o = DefaultOptions()
	}
	if err := fence.Available(); err != nil && !o.Unfenced {
		return nil, fmt.Errorf("grade: %w; --unfenced runs what students wrote without one", err)
	}
	wanted, err := a.expect(ctx, o)
	if err != nil {
		return nil, err
	}
	reports := make([]*Report, len(all))
	errs := make([]error, len(all))
	var group sync.WaitGroup
	turn := make(chan struct{}, max(1, o.Parallel))
	for i, sub := range all {
		turn <- struct{}{}
		group.Go(func() {
			defer func() { <-turn }()
			if errs[i] = ctx.Err(); errs[i] != nil {
				return
			}
			reports[i], errs[i] = a.mark(ctx, sub, wanted, o)
			if errs[i] == nil && o.Done != nil {
				o.Done(reports[i])
			}
		})
	}
	group.Wait()
	return reports, errors.Join(errs...)
}

// inFolder holds an exam in a folder of its own.
func (a *Assignment) inFolder(ctx context.Context, s *sitting, o *Options) ([]answer, string, error) {
	dir, err := os.MkdirTemp("", "gaucho-grade-")
	if err != nil {
		return nil, "", fmt.Errorf("grade: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := a.copyData(dir); err != nil {
		return nil, "", fmt.Errorf("grade: %w", err)
	}
	s.Dir, s.Limits, s.Fenced = dir, o.Limits, !o.Unfenced
	s.Limits.Disk += diskUse(dir) // what is given is not counted
	return s.hold(ctx)
}

// expected are the values that tests compare with.
type expected map[*step][]*check.Value

// expect runs the source and marks its own solution.
func (a *Assignment) expect(ctx context.Context, o *Options) (expected, error) {
	s := a.key()
	answers, end, err := a.inFolder(ctx, s, o)
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

// mark runs a submission and marks it.
func (a *Assignment) mark(ctx context.Context, sub Submission, wanted expected, o *Options) (*Report, error) {
	r := &Report{Student: sub.Student}
	s, err := a.read(sub)
	if err != nil {
		r.End = err.Error()
		s = a.sit(&headless.Notebook{}) // all tests fail, and each is in the table
		return r.fill(a, s, nil, wanted), nil
	}
	answers, end, err := a.inFolder(ctx, s, o)
	if err != nil {
		return nil, err
	}
	r.End = end
	return r.fill(a, s, answers, wanted), nil
}

// maxNotebook is how large a notebook may be that a student hands in.
const maxNotebook = 32 << 20

func (a *Assignment) read(sub Submission) (*sitting, error) {
	st, err := os.Lstat(sub.Path)
	switch {
	case err != nil:
		return nil, err
	case !st.Mode().IsRegular():
		return nil, errors.New("it is not a file")
	case st.Size() > maxNotebook:
		return nil, fmt.Errorf("the notebook has %s, and may have %s", size(st.Size()), size(maxNotebook))
	}
	nb, err := headless.ReadFile(sub.Path)
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), sub.Path+": ")) // where it lies is not the student's concern
	}
	if nb.Language() != "go" {
		return nil, fmt.Errorf("the notebook's language is %s, must be go", nb.Language())
	}
	return a.sit(nb), nil
}

// fill works out the marks from the answers.
func (r *Report) fill(a *Assignment, s *sitting, answers []answer, wanted expected) *Report {
	results := map[*part][]Result{}
	for i, p := range s.pieces {
		var ans *answer
		if i < len(answers) {
			ans = &answers[i]
			p.cell.Outputs = append(p.cell.Outputs, ans.outputs()...)
		}
		if p.step != nil && p.step.test != "" {
			results[p.part] = append(results[p.part], judge(p.step, ans, r.End, wanted[p.step]))
		}
	}
	marks := map[*headless.Cell]Mark{}
	for _, p := range a.parts {
		if !p.grade {
			continue
		}
		m := Mark{ID: p.id, Of: p.points, Manual: p.solution, Results: results[p]}
		if !m.Manual && m.holds() {
			m.Points = p.points
		}
		r.Points += m.Points
		r.Marks = append(r.Marks, m)
		for _, piece := range s.pieces {
			if piece.part == p {
				marks[piece.cell] = m
			}
		}
	}
	for _, c := range s.shown {
		r.cells = append(r.cells, c)
		if m, ok := marks[c]; ok && !m.Manual {
			r.cells = append(r.cells, m.cell())
		}
	}
	return r
}

// holds says that all tests hold.
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
func (a *answer) outputs() []*headless.Output {
	for _, o := range a.Outputs {
		if o == nil {
			return nil // no output is null: somebody made this up
		}
	}
	return a.Outputs
}
