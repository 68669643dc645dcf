package fdr

import (
	"fmt"
	"gaucho/stdlib/internal/settings"
	"math"
	"slices"
)

// A Method names a rule.
type Method string

// The rules. Sources: LOND and LORD15, Javanmard & Montanari 2015; LORD3 and
// LORDDependent, the same 2018; LORD++, Ramdas, Yang, Wainwright & Jordan 2017;
// SAFFRON and Investing, Ramdas, Zrnic, Wainwright & Jordan 2018; ADDIS and
// LORDDiscard, Tian & Ramdas 2019; LONDPositive, Zrnic, Ramdas & Jordan 2021;
// FosterStine, Foster & Stine 2008; Fallback, Tian & Ramdas 2021; Bonferroni,
// Yang 2018, section 4.5.
const (
	LORD3         Method = "LORD 3"
	LORD15        Method = "LORD 15"
	LORDPlusPlus  Method = "LORD++"
	LORDDiscard   Method = "LORD discard"
	LORDDependent Method = "LORD dep"
	LOND          Method = "LOND"
	LONDPositive  Method = "LOND positive"
	LONDDependent Method = "LOND dep"
	FosterStine   Method = "Foster-Stine"
	Investing     Method = "alpha-investing"
	SAFFRON       Method = "SAFFRON"
	ADDIS         Method = "ADDIS"
	AlphaSpending Method = "alpha-spending"
	Fallback      Method = "fallback"
	Bonferroni    Method = "Bonferroni"
	Uncorrected   Method = "uncorrected"
)

// Methods lists all rules.
var Methods = []Method{LORD3, LORD15, LORDPlusPlus, LORDDiscard, LORDDependent, LOND, LONDPositive, LONDDependent,
	FosterStine, Investing, SAFFRON, ADDIS, AlphaSpending, Fallback, Bonferroni, Uncorrected}

// Settings are what a rule leaves open. Which fields count depends on the rule. Fields
// that are zero have the values of [DefaultSettings].
type Settings struct {
	// Wealth is W(0), what there is to spend before the first discovery:
	// 0 < Wealth < alpha (at most Tau alpha for LORDDiscard). The levels of
	// LOND, LORD15, AlphaSpending, Fallback, Bonferroni and Uncorrected do not
	// depend on it.
	Wealth float64 `json:"wealth"`
	// Gamma divides the wealth over hypotheses. FosterStine, Bonferroni and
	// Uncorrected do not use it.
	Gamma Gamma `json:"gamma"`
	// Lambda is the p-value up to which a hypothesis is a candidate and costs
	// nothing (SAFFRON, ADDIS); 0 < Lambda < Tau.
	Lambda float64 `json:"lambda"`
	// Tau is the p-value above which a hypothesis is discarded and not counted
	// (ADDIS, LORDDiscard); Lambda < Tau <= 1.
	Tau float64 `json:"tau"`
}

// DefaultSettings returns the settings that nil stands for. LORD, LOND,
// FosterStine and spending have W(0) = 0.05 alpha and gamma of the log form with
// C = 0.07 (Yang 2018, section 4.5, and its experiments); SAFFRON, ADDIS and
// Investing have W(0) = alpha/2 and gamma_j proportional to j^-1.6, Lambda is
// 1/2 for SAFFRON and 1/4 for ADDIS, Tau is 1/2 (their papers); LORDDependent has
// W(0) = 0.05 alpha and the cubic form.
func DefaultSettings(method Method, alpha float64) *Settings {
	s := &Settings{Wealth: 0.05 * alpha, Gamma: LogGamma(LogPaper), Lambda: 0.5, Tau: 1}
	switch method {
	case SAFFRON, Investing, ADDIS:
		s.Wealth, s.Gamma = alpha/2, PowerGamma(1.6)
		if method == ADDIS {
			s.Lambda, s.Tau = 0.25, 0.5
		}
	case LORDDiscard:
		s.Tau = 0.5
	case LORDDependent:
		s.Gamma = CubicGamma(0.139307)
	}
	return s
}

// WithDefaults returns a copy of s with the defaults of the method at alpha in fields
// that are zero; nil is all defaults.
func (s *Settings) WithDefaults(method Method, alpha float64) *Settings {
	return settings.Fill(s, DefaultSettings(method, alpha))
}

// OnlineFDRSettings returns the settings of the R package onlineFDR 2.19.1, for
// those who compare: W(0) = alpha/10 for LORD, gamma of the log form with C =
// 0.07720838 where gamma is of that form, and DefaultSettings else.
func OnlineFDRSettings(method Method, alpha float64) *Settings {
	s := DefaultSettings(method, alpha)
	if s.Gamma.Form == "log" {
		s.Gamma.C = LogOnlineFDR
	}
	switch method {
	case LORD3, LORDPlusPlus, LORDDiscard, LORDDependent:
		s.Wealth = alpha / 10
	}
	return s
}

// check says what is wrong with the settings of a rule.
func (s *Settings) check(method Method, alpha float64) error {
	if !slices.Contains(Methods, method) {
		return fmt.Errorf("fdr: method is %q, must be one of fdr.Methods", method)
	}
	if !(alpha > 0 && alpha < 1) {
		return fmt.Errorf("fdr: alpha is %v, must be between 0 and 1", alpha)
	}
	limit := alpha
	switch method {
	case SAFFRON, ADDIS, LORDDiscard:
		if method == SAFFRON && s.Tau != 1 {
			return fmt.Errorf("fdr: tau of SAFFRON is %v, must be 1 (ADDIS discards)", s.Tau)
		}
		if !(s.Tau > 0 && s.Tau <= 1) {
			return fmt.Errorf("fdr: tau is %v, must be above 0 and at most 1", s.Tau)
		}
		if method == LORDDiscard {
			limit = s.Tau * alpha
		} else if !(s.Lambda > 0 && s.Lambda < s.Tau) {
			return fmt.Errorf("fdr: lambda is %v, must be between 0 and tau = %v", s.Lambda, s.Tau)
		}
	}
	switch method {
	case LORD3, LORDPlusPlus, LORDDiscard, LORDDependent, FosterStine, Investing, SAFFRON, ADDIS:
		if !(s.Wealth > 0 && s.Wealth < limit) {
			return fmt.Errorf("fdr: wealth is %v, must be between 0 and %v", s.Wealth, limit)
		}
	}
	switch method {
	case FosterStine, Bonferroni, Uncorrected:
		return nil
	case LORDDependent:
		return s.Gamma.checkWeighted(alpha / (alpha - s.Wealth))
	}
	return s.Gamma.check(1)
}

// A Rule says at which level the next hypothesis is tested.
type Rule interface {
	// Level returns the level of the next hypothesis, in [0, 1]. It changes
	// nothing.
	Level() float64
	// Observe gives the rule the p-value of that hypothesis and whether it was
	// rejected. A p-value outside [0, 1], and a rejection of a p-value above
	// the level, are errors and change nothing. Not to reject is always allowed.
	Observe(p float64, reject bool) error
	// Wealth returns what the rule may still spend on levels before its next
	// discovery, never negative; +Inf for Uncorrected, which has no bound.
	Wealth() float64
	// FDPEstimate returns an estimate of the false discovery proportion: the
	// levels spent so far on what looks like nulls, over max(R, 1). Rules that
	// control FDR keep it at most alpha.
	FDPEstimate() float64
}

// NewRule returns a rule at its start. nil settings are the defaults. Errors:
// a method that is not known, alpha outside (0, 1), settings out of range.
func NewRule(method Method, alpha float64, settings *Settings) (Rule, error) {
	s := settings.WithDefaults(method, alpha)
	if err := s.check(method, alpha); err != nil {
		return nil, err
	}
	switch method {
	case LORD3:
		return newRecent(s.Gamma, s.Wealth, alpha-s.Wealth, false), nil
	case LORDDependent:
		r := newRecent(s.Gamma, s.Wealth, alpha-s.Wealth, false)
		r.absolute = true
		return r, nil
	case LORD15:
		return newRecent(s.Gamma, alpha, alpha, true), nil
	case LORDPlusPlus:
		return newConvolved(s, alpha, s.Wealth, convolved{lambda: 0, tau: 1, scale: 1, ceiling: 1}), nil
	case LORDDiscard:
		return newConvolved(s, s.Tau*alpha, s.Wealth, convolved{lambda: 0, tau: s.Tau, scale: 1, ceiling: s.Tau}), nil
	case SAFFRON, ADDIS:
		return newConvolved(s, alpha, s.Wealth, convolved{lambda: s.Lambda, tau: s.Tau, scale: s.Tau - s.Lambda, ceiling: s.Lambda}), nil
	case Investing:
		return newConvolved(s, alpha, s.Wealth, convolved{tau: 1, scale: 1, ceiling: 1, investing: true}), nil
	case FosterStine:
		return newFosterStine(alpha, s.Wealth), nil
	case Bonferroni:
		return &counted{budget: alpha, table: gammaTable{gamma: Gamma{Form: "power", C: 6 / (math.Pi * math.Pi), Power: 2}}}, nil
	case Uncorrected:
		return &uncorrected{alpha: alpha}, nil
	}
	return &counted{method: method, budget: alpha, table: gammaTable{gamma: s.Gamma}}, nil
}

// observed says what is wrong with what Observe was given.
func observed(p float64, reject bool, level float64) error {
	if err := checkP(p); err != nil {
		return err
	}
	if reject && p > level {
		return fmt.Errorf("fdr: rejected a p-value of %v, must be at most the level %v", p, level)
	}
	return nil
}

func checkP(p float64) error {
	if !(p >= 0 && p <= 1) {
		return fmt.Errorf("fdr: p-value is %v, must be in [0, 1]", p)
	}
	return nil
}
