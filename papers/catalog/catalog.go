// Package catalog lists the studies of the papers' figures by name.
package catalog

import (
	"fmt"
	"slices"
	"strings"

	"gaucho/papers"
	"gaucho/papers/boosting"
	"gaucho/papers/distributions"
	"gaucho/papers/dynamics"
	"gaucho/papers/em"
	"gaucho/papers/functions"
	"gaucho/papers/herding"
	"gaucho/papers/mabfdr"
	"gaucho/papers/sbeed"
	"gaucho/stdlib/study"
)

// makers make the studies by name.
var makers = map[string]func(papers.Size) *study.Study{
	// Lacoste-Julien, Lindsten and Bach 2015.
	"herding-mixture":           herding.Mixture,
	"herding-mixture-dims":      herding.MixtureDims,
	"herding-filters-lgss3":     herding.Filters("lgss3"),
	"herding-filters-lgss15":    herding.Filters("lgss15"),
	"herding-filters-jmls":      herding.Filters("jmls"),
	"herding-filters-nonlinear": herding.Filters("nonlinear"),
	"herding-localisation":      herding.Localisation,
	"herding-flight":            herding.Flight,

	// Khanna, Hodgkinson and Mahoney 2021.
	"herding-distributed": herding.Distributed,
	"herding-summaries":   herding.Summaries,

	// Yang 2018, chapter 2.
	"em-convergence": em.Convergence,
	"em-landscape":   em.Landscape,
	"em-memory":      em.Memory,
	"em-rates":       em.Rates,
	"em-signal":      em.Signal,

	// Chapter 3.
	"boosting-overfit": boosting.Overfit,
	"boosting-rules":   boosting.Rules,

	// Chapter 4.
	"mabfdr-power":             mabfdr.Power,
	"mabfdr-samples":           mabfdr.Samples,
	"mabfdr-bernoulli-power":   mabfdr.BernoulliPower,
	"mabfdr-bernoulli-samples": mabfdr.BernoulliSamples,
	"mabfdr-captions":          mabfdr.Captions,
	"mabfdr-control":           mabfdr.Control,

	// Dai 2018, chapter 3.
	"functions-rate":      functions.Rate,
	"functions-ridge":     functions.Ridge,
	"functions-process":   functions.Process,
	"functions-svm":       functions.SVM,
	"functions-classes":   functions.Classes,
	"functions-molecules": functions.Molecules,

	// Chapter 4.
	"distributions-mixture":  distributions.Mixture,
	"distributions-logistic": distributions.Logistic,
	"distributions-process":  distributions.Process,
	"distributions-topics":   distributions.Topics,

	// Chapter 5.
	"dynamics-toy":          dynamics.Toy,
	"dynamics-measurements": dynamics.Measurements,
	"dynamics-molecules":    dynamics.Molecules,
	"dynamics-policy":       dynamics.Policy,
	"dynamics-features":     dynamics.Features,

	// Chapter 6.
	"sbeed-tabular":         sbeed.Tabular,
	"sbeed-baselines":       sbeed.Baselines,
	"sbeed-search":          sbeed.Search,
	"sbeed-search-onpolicy": sbeed.SearchOnPolicy,
	"sbeed-comparison":      sbeed.Comparison,
	"sbeed-onpolicy":        sbeed.OnPolicy,
	"sbeed-ablation":        sbeed.Ablation,
}

// All returns every study at the given size, sorted by name.
func All(size papers.Size) []*study.Study {
	var out []*study.Study
	for _, newStudy := range makers {
		out = append(out, newStudy(size))
	}
	slices.SortFunc(out, func(a, b *study.Study) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Get returns the study with the given name and size.
func Get(name string, size papers.Size) (*study.Study, error) {
	if !slices.Contains(papers.Sizes, size) {
		return nil, fmt.Errorf("papers: size is %q, must be small, default or paper", size)
	}
	newStudy := makers[name]
	if newStudy == nil {
		return nil, fmt.Errorf("papers: there is no study %q; gaucho study list shows those that there are", name)
	}
	return newStudy(size), nil
}
