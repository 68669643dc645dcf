package fdr

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"

	"gaucho/stdlib/bandit"
	"gaucho/stdlib/internal/settings"
)

// An Experiment is what became of one hypothesis of a Process.
type Experiment struct {
	Decision
	Best    int  `json:"best"`    // the arm named best, 0 for the control
	Pulls   int  `json:"pulls"`   // of all arms
	Stopped bool `json:"stopped"` // the sampler stopped by itself, not by its budget
}

// ProcessSettings are what MAB-FDR leaves open. Fields that are zero have the values of
// [DefaultProcessSettings].
type ProcessSettings struct {
	// Rule are the settings of the rule, nil for its defaults.
	Rule *Settings `json:"rule"`
	// Bandit are the settings of each experiment, nil for the defaults of bandit.
	Bandit *bandit.Settings `json:"bandit"`
	// RequireStop rejects only if the sampler stopped by its own test. False by
	// default: an experiment that used up its budget is judged by its p-value.
	// It hardly matters for adaptive sampling, and decides the power of uniform
	// sampling.
	RequireStop bool `json:"requireStop"`
	// AllowControl rejects by the p-value alone, as procedure 2 is printed. False
	// by default: where the control is the empirical best, nothing is rejected
	// (procedure 1).
	AllowControl bool `json:"allowControl"`
	// FixedLevel, if positive, is the confidence at which experiments run in
	// place of the rule's level. MAB-IND, the Uncorrected rule, runs at alpha
	// either way.
	FixedLevel float64 `json:"fixedLevel"`
}

// DefaultProcessSettings returns the settings that nil stands for.
func DefaultProcessSettings() *ProcessSettings { return &ProcessSettings{} }

// WithDefaults returns a copy of s with the defaults in fields that are zero; nil is
// all defaults.
func (s *ProcessSettings) WithDefaults() *ProcessSettings {
	return settings.Fill(s, DefaultProcessSettings())
}

// A Process is MAB-FDR: a sequence of best-arm experiments, each at the level
// that a rule gives, that keeps the false discovery rate of all of them (Yang
// 2018, procedures 1 and 2; theorems 4 and 5).
//
// Experiment j runs algorithm 1 at confidence alpha_j, or until its budget is
// used up, and rejects "no arm beats the control by epsilon" in favour of the
// empirical best if its always-valid p-value is at most alpha_j. LORD3 gives
// mFDR <= alpha, LORD15 mFDR and FDR, whatever the budget. Experiments must have
// independent rewards; the p-values depend on each other through the levels,
// which the theorems cover. With a budget a little too small nothing is rejected,
// levels fall, experiments need more pulls, and power stays at 0: the best-arm
// discovery rate is nearly a step in the budget.
type Process struct {
	stream      *Stream
	settings    ProcessSettings
	experiments []Experiment
	pulls       int
}

// NewProcess returns a process that has run nothing. nil settings are the
// defaults. Errors: those of NewRule, and settings of bandit out of range.
func NewProcess(method Method, alpha float64, settings *ProcessSettings) (*Process, error) {
	settings = settings.WithDefaults()
	stream, err := NewStream(method, alpha, settings.Rule)
	if err != nil {
		return nil, err
	}
	if err := settings.Bandit.Check(2); err != nil {
		return nil, fmt.Errorf("fdr: settings of the experiments: %w", err)
	}
	if !(settings.FixedLevel >= 0 && settings.FixedLevel < 1) {
		return nil, fmt.Errorf("fdr: fixed level is %v, must be at least 0 and below 1", settings.FixedLevel)
	}
	p := &Process{stream: stream, settings: *settings}
	if settings.Bandit != nil {
		b := *settings.Bandit
		p.settings.Bandit = &b
	}
	p.settings.Rule = &p.stream.settings
	return p, nil
}

// Run runs the next experiment and decides. An error (arms without a model, a
// cancelled context) changes nothing: the level can be used again.
func (p *Process) Run(ctx context.Context, arms bandit.Arms, rng *rand.Rand) (Experiment, error) {
	level := p.stream.Level()
	delta := level
	if p.settings.FixedLevel > 0 {
		delta = p.settings.FixedLevel
	}
	// A level of 0 rejects nothing; the experiment runs at the smallest confidence that there is.
	res, err := bandit.BestArm(ctx, arms, max(delta, 1e-300), p.settings.Bandit, rng)
	if err != nil {
		return Experiment{}, err
	}
	reject := res.P <= level && (res.Best != 0 || p.settings.AllowControl) && (res.Stopped || !p.settings.RequireStop)
	return p.enter(res.P, reject, res.Best, res.Total, res.Stopped)
}

// Enter takes in the p-value of an experiment that was done elsewhere, and
// rejects if it is at most the level.
func (p *Process) Enter(pvalue float64) (Experiment, error) {
	return p.enter(pvalue, pvalue <= p.stream.Level(), 0, 0, true)
}

func (p *Process) enter(pvalue float64, reject bool, best, pulls int, stopped bool) (Experiment, error) {
	d, err := p.stream.decide(pvalue, reject)
	if err != nil {
		return Experiment{}, err
	}
	e := Experiment{Decision: d, Best: best, Pulls: pulls, Stopped: stopped}
	p.experiments = append(p.experiments, e)
	p.pulls += pulls
	return e, nil
}

// Stream returns the rule's side of the process, to look at: levels, wealth,
// decisions.
func (p *Process) Stream() *Stream { return p.stream }

// Experiments returns what was done, in order; the slice is the process's own.
func (p *Process) Experiments() []Experiment { return p.experiments }

// Pulls returns the number of pulls so far.
func (p *Process) Pulls() int { return p.pulls }

// Count counts what the process did, given the means of each experiment's arms,
// the control first, for a slack epsilon (Yang 2018, eqs. 4.8 and 4.9): an
// experiment is null if no mean exceeds the control's by more than epsilon, and
// best counts rejections whose arm is at most epsilon below the best and at
// least epsilon above the control.
func (p *Process) Count(means [][]float64, epsilon float64) (Counts, error) {
	if len(means) != len(p.experiments) {
		return Counts{}, fmt.Errorf("fdr: means of %d experiments for %d", len(means), len(p.experiments))
	}
	c := Counts{Tested: len(means), Samples: p.pulls}
	for j, e := range p.experiments {
		if len(means[j]) < 2 || e.Best >= len(means[j]) {
			return Counts{}, fmt.Errorf("fdr: experiment %d has %d means, must be one for each arm", j+1, len(means[j]))
		}
		null := bandit.IsNull(means[j], epsilon)
		if !null {
			c.Alternatives++
		}
		if !e.Reject {
			continue
		}
		c.Rejected++
		if null {
			c.False++
			continue
		}
		top := means[j][0]
		for _, m := range means[j] {
			top = max(top, m)
		}
		if m := means[j][e.Best]; m >= top-epsilon && m >= means[j][0]+epsilon {
			c.Best++
		}
	}
	return c, nil
}

// savedProcess is a process in a file.
type savedProcess struct {
	Format      string          `json:"format"`
	Settings    ProcessSettings `json:"settings"`
	Stream      saved           `json:"stream"`
	Experiments []Experiment    `json:"experiments"`
}

const processFormat = "gaucho mab-fdr process 1"

// Save writes the process as JSON, every number with all its digits.
func (p *Process) Save(w io.Writer) error {
	settings, stream := p.settings, p.stream.saved()
	settings.Rule, stream.Decisions = nil, nil // the stream has the first, the experiments the second
	return json.NewEncoder(w).Encode(savedProcess{processFormat, settings, stream, p.experiments})
}

// ResumeProcess reads what Save wrote and returns the process where it stopped,
// between two experiments. As Resume does, it makes the decisions again and
// refuses a file whose levels do not follow from them.
func ResumeProcess(r io.Reader) (*Process, error) {
	if r == nil {
		return nil, fmt.Errorf("fdr: cannot read the saved process: the reader is nil")
	}
	var f savedProcess
	if err := json.NewDecoder(r).Decode(&f); err != nil {
		return nil, fmt.Errorf("fdr: cannot read the saved process: %w", err)
	}
	if f.Format != processFormat {
		return nil, fmt.Errorf("fdr: format of the saved process is %q, must be %q", f.Format, processFormat)
	}
	f.Settings.Rule = &f.Stream.Settings
	p, err := NewProcess(f.Stream.Method, f.Stream.Alpha, &f.Settings)
	if err != nil {
		return nil, err
	}
	for _, e := range f.Experiments {
		f.Stream.Decisions = append(f.Stream.Decisions, e.Decision)
		p.pulls += e.Pulls
	}
	if p.stream, err = f.Stream.replay(); err != nil {
		return nil, err
	}
	p.settings.Rule, p.experiments = &p.stream.settings, f.Experiments
	return p, nil
}
