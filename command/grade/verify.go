package grade

import (
	"context"
	"fmt"
	"strings"

	"gaucho/stdlib/check"
)

// verify runs the source and the notebook that students get, before anything of theirs is marked: the source's own solution must
// get all points, and the released notebook none. It warns of tests that wrong answers may pass, and returns what tests expect.
func (a *Assignment) verify(ctx context.Context, o *Options) (expected, error) {
	wanted, own, err := a.expect(ctx, o)
	if err == nil {
		err = a.refuseFreePoints(ctx, wanted, o)
	}
	if err == nil && o.Warn != nil {
		for _, w := range a.weaknesses(own, wanted) {
			o.Warn(w)
		}
	}
	return wanted, err
}

// expected are the values that tests compare with.
type expected map[*step][]*check.Value

// expect runs the source and marks its own solution. It returns what tests expect, and what its own solution gave them.
func (a *Assignment) expect(ctx context.Context, o *Options) (wanted expected, own map[*step]*check.Value, err error) {
	s := a.key()
	answers, end, err := s.hold(ctx, a, nil, o)
	if err != nil {
		return nil, nil, err
	}
	wanted, own = expected{}, map[*step]*check.Value{}
	for i, ans := range answers {
		p := s.pieces[i]
		if ans.Error != nil {
			return nil, nil, fmt.Errorf("grade: the source's own cell%s fails: %s: %s", named(p.part.cell), ans.Error.Name, ans.Error.Value)
		}
		if p.step == nil || p.step.test == "" {
			continue
		}
		var values []*check.Value
		for _, h := range ans.Values {
			v, err := h.read()
			if err != nil {
				return nil, nil, fmt.Errorf("grade: the source's own %s: %w", p.step, err)
			}
			values = append(values, v)
		}
		if err := check.Judge(p.step.test, values[0], values[1:]); err != nil {
			return nil, nil, fmt.Errorf("grade: the source's own solution fails %s: %w", p.step, err)
		}
		wanted[p.step], own[p.step] = values[1:], values[0]
	}
	if end != "" {
		return nil, nil, fmt.Errorf("grade: the source did not run to its end: %s", end)
	}
	return wanted, own, nil
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
	for _, p := range a.marked() {
		m := a.markOf(p, held{s, answers, end}, wanted)
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
