package fdr

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
)

// A Decision is what became of one hypothesis.
type Decision struct {
	P      float64 `json:"p"`      // its p-value
	Level  float64 `json:"level"`  // the level it was tested at
	Reject bool    `json:"reject"` // whether it is a discovery
}

// A Stream tests p-values as they come and remembers what it decided. [Run] says what a p-value costs on average.
type Stream struct {
	method    Method
	alpha     float64
	settings  Settings
	rule      Rule
	decisions []Decision
	rejected  int
}

// NewStream returns a stream that has tested nothing. nil settings are the
// defaults; errors are those of NewRule.
func NewStream(method Method, alpha float64, settings *Settings) (*Stream, error) {
	rule, err := NewRule(method, alpha, settings)
	if err != nil {
		return nil, err
	}
	settings = settings.WithDefaults(method, alpha)
	s := &Stream{method: method, alpha: alpha, settings: *settings, rule: rule}
	s.settings.Gamma.Values = append([]float64(nil), settings.Gamma.Values...)
	return s, nil
}

// Test tests the next hypothesis: it is a discovery if p is at most the level. An
// error (p outside [0, 1]) changes nothing.
func (s *Stream) Test(p float64) (Decision, error) { return s.decide(p, p <= s.Level()) }

// decide enters a p-value and the decision on it.
func (s *Stream) decide(p float64, reject bool) (Decision, error) {
	d := Decision{P: p, Level: s.Level(), Reject: reject}
	if err := s.rule.Observe(p, reject); err != nil {
		return Decision{}, err
	}
	s.decisions = append(s.decisions, d)
	if reject {
		s.rejected++
	}
	return d, nil
}

// Level returns the level of the next hypothesis.
func (s *Stream) Level() float64 { return s.rule.Level() }

// Wealth returns what the rule may still spend before its next discovery.
func (s *Stream) Wealth() float64 { return s.rule.Wealth() }

// FDPEstimate returns the rule's estimate of the false discovery proportion.
func (s *Stream) FDPEstimate() float64 { return s.rule.FDPEstimate() }

// Method returns the rule's name.
func (s *Stream) Method() Method { return s.method }

// Alpha returns the level that the rule keeps.
func (s *Stream) Alpha() float64 { return s.alpha }

// Len returns the number of hypotheses tested.
func (s *Stream) Len() int { return len(s.decisions) }

// Rejected returns the number of discoveries.
func (s *Stream) Rejected() int { return s.rejected }

// Decisions returns what was decided, in order. The slice is the stream's own:
// do not change it.
func (s *Stream) Decisions() []Decision { return s.decisions }

// saved is a stream in a file.
type saved struct {
	Format    string     `json:"format"`
	Method    Method     `json:"method"`
	Alpha     float64    `json:"alpha"`
	Settings  Settings   `json:"settings"`
	Decisions []Decision `json:"decisions"`
}

const streamFormat = "gaucho fdr stream 1"

func (s *Stream) saved() saved {
	return saved{streamFormat, s.method, s.alpha, s.settings, s.decisions}
}

// Save writes the stream as JSON, every number with all its digits.
func (s *Stream) Save(w io.Writer) error { return json.NewEncoder(w).Encode(s.saved()) }

// Resume reads what Save wrote and returns the stream where it stopped. The
// decisions are made again one by one, so that wealth cannot be lost or forged:
// a level that differs from the saved one by more than the rounding of another release or processor, 1e-10 of it, is an error.
func Resume(r io.Reader) (*Stream, error) {
	if r == nil {
		return nil, fmt.Errorf("fdr: cannot read the saved stream: the reader is nil")
	}
	var f saved
	if err := json.NewDecoder(r).Decode(&f); err != nil {
		return nil, fmt.Errorf("fdr: cannot read the saved stream: %w", err)
	}
	return f.replay()
}

func (f *saved) replay() (*Stream, error) {
	if f.Format != streamFormat {
		return nil, fmt.Errorf("fdr: format of the saved stream is %q, must be %q", f.Format, streamFormat)
	}
	s, err := NewStream(f.Method, f.Alpha, &f.Settings)
	if err != nil {
		return nil, err
	}
	for j, d := range f.Decisions {
		if math.Abs(d.Level-s.Level()) > 1e-10*s.Level() {
			return nil, fmt.Errorf("fdr: level of saved hypothesis %d is %v, must be %v", j+1, d.Level, s.Level())
		}
		if _, err := s.decide(d.P, d.Reject); err != nil {
			return nil, fmt.Errorf("%w (saved hypothesis %d)", err, j+1)
		}
	}
	return s, nil
}

// Run tests p-values in their order and returns the decisions: what a stream
// would have decided. Errors are those of NewRule, and a p-value outside [0, 1]. n p-values cost O(n log n) at most, but
// O(n R) for R discoveries with SAFFRON, ADDIS, Investing, LORD++ or D-LORD and weights that are not smooth: the "values"
// form, where R is at most the number of values, and a "power" above 4.
func Run(method Method, alpha float64, settings *Settings, p []float64) ([]Decision, error) {
	if err := checkAll(p); err != nil {
		return nil, err
	}
	s, err := NewStream(method, alpha, settings)
	if err != nil {
		return nil, err
	}
	s.decisions = make([]Decision, 0, len(p))
	for _, x := range p {
		if _, err := s.Test(x); err != nil {
			return nil, err
		}
	}
	return s.decisions, nil
}

func checkAll(p []float64) error {
	for i, x := range p {
		if err := checkP(x); err != nil {
			return fmt.Errorf("%w (hypothesis %d)", err, i+1)
		}
	}
	return nil
}
