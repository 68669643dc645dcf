// Package claims decides by the compact records of the studies which claims of the sources are reproduced: it lists the
// claims with what decides each, and writes the page and the file with the verdicts.
package claims

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"gaucho/papers"
	"gaucho/papers/catalog"
	"gaucho/stdlib/study"
)

// A Claim is something that a paper says or shows, and what decides whether it is reproduced here: a study, whose compact
// record Judge examines, or a test. A claim with neither is not reproduced, and Tried says why.
type Claim struct {
	ID        string // short, as yang-2.3-floor
	Source    Source
	Place     string   // a figure, a section, a theorem
	Items     []string // those of the source's numbered items that it is about, as in sourceItems
	Ours      bool     // the paper does not say it: it is asked here because of what the paper says
	Statement string   // what the paper says, in its strength; its own words are in quotation marks
	Measure   string   // what is measured, and the bound with its origin
	Departs   string   // where what is run departs from the source, whatever comes out
	Study     string
	Test      string // as em.TestForgetting: the package under stdlib and the test
	Bench     string // as herding -times: the directory under bench, and its flags, of a program that measures it
	Measured  string // what that program or test printed, and on which machine where that matters
	Notebook  string // as em#Figure 2.3: two errors: the file in notebooks/papers and a heading in it
	Judge     func(e *Evidence) (found string, agrees bool)
	Tried     string // what was tried, for when the claim does not come out; without study and test, what is missing
}

// A Source is one of the documents that Gaucho reproduces.
type Source string

const (
	lacosteJulien Source = "Lacoste-Julien, Lindsten and Bach, Sequential kernel herding: Frank-Wolfe optimization for particle filtering, 2015"
	khanna        Source = "Khanna, Hodgkinson and Mahoney, Geometric rates of convergence for kernel-based sampling algorithms, 2021"
	yang          Source = "Yang, Statistics meets optimization: computational guarantees for statistical learning algorithms, 2018"
	dai           Source = "Dai, Learning over functions, distributions and dynamics, 2018"
)

// sources lists the documents in the order of the page.
var sources = []Source{lacosteJulien, khanna, yang, dai}

// All returns all claims, those of each source in the order of the page.
func All() []Claim {
	return slices.Concat(mixtureClaims, filterClaims, weightedClaims, emClaims, boostingClaims, mabfdrClaims, functionsClaims, distributionClaims, dynamicsClaims, controlClaims)
}

// A Verdict is the outcome of a claim.
type Verdict string

// Agrees and Differs: a study was run, and its records confirm the claim or do not. Tested: a test of the library checks the
// claim. Timed: the claim is about time, which no record can decide, and Measured is what a benchmark found once. NotRun:
// nothing decides the claim yet.
const (
	Agrees  Verdict = "agrees"
	Differs Verdict = "does not"
	Tested  Verdict = "tested"
	Timed   Verdict = "timed"
	NotRun  Verdict = "not run"
)

// Decide judges the claim by the compact records in a directory. It returns the record that it used, if any.
func (c *Claim) Decide(dir string) (found string, v Verdict, from *study.Compact, err error) {
	switch {
	case c.Test != "":
		return c.Measured, Tested, nil, nil
	case c.Bench != "":
		return c.Measured, Timed, nil, nil
	case c.Study == "":
		return c.Tried, NotRun, nil, nil
	}
	from, err = papers.ReadCompact(dir, c.Study)
	if errors.Is(err, fs.ErrNotExist) {
		return "No records yet.", NotRun, nil, nil
	}
	if err != nil {
		return "", "", nil, err
	}
	s, err := catalog.Get(c.Study, papers.Size(from.Size))
	if err != nil {
		return "", "", nil, err
	}
	if s.Version != from.Version {
		return fmt.Sprintf("The records are of version %s of the study, which is now at %s.", from.Version, s.Version), NotRun, from, nil
	}
	e := &Evidence{compact: from, dir: dir}
	found, agrees := c.Judge(e)
	switch {
	case e.missing != "":
		return "The records at this size have no " + e.missing + ".", NotRun, from, nil
	case agrees:
		return found, Agrees, from, nil
	case strings.Contains(found, "NaN"): // a comparison with it is false, and says nothing about the claim
		return found + " (what is not a number decides nothing)", NotRun, from, nil
	}
	return found, Differs, from, nil
}

// A decided is a claim with what became of it.
type decided struct {
	Claim
	found   string
	verdict Verdict
	from    *study.Compact // nil where no record decides it
}

// decideAll decides every claim by the compact records in a directory.
func decideAll(dir string) ([]decided, error) {
	var out []decided
	for _, c := range All() {
		found, verdict, from, err := c.Decide(dir)
		if err != nil {
			return nil, err
		}
		out = append(out, decided{c, found, verdict, from})
	}
	return out, nil
}
