// Package studies holds the experiments of the figures of the papers that Gaucho reproduces, one file a figure. The
// command gaucho study runs them; package claims judges what came out.
package studies

import (
	"fmt"
	"slices"
	"strings"

	"gaucho/stdlib/study"
)

// A Size says how large a study is run.
type Size string

// Small takes seconds, Default minutes; Paper is what the paper reports on.
const (
	Small   Size = "small"
	Default Size = "default"
	Paper   Size = "paper"
)

// Sizes lists the sizes, smallest first.
var Sizes = []Size{Small, Default, Paper}

// makers make the studies by name.
var makers = map[string]func(Size) *study.Study{}

// register makes a study known under its name; a file of the package calls it for its figure.
func register(name string, newStudy func(Size) *study.Study) { makers[name] = newStudy }

// All returns every study at a size, sorted by name.
func All(size Size) []*study.Study {
	var out []*study.Study
	for name := range makers {
		out = append(out, makers[name](size))
	}
	slices.SortFunc(out, func(a, b *study.Study) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Get returns the study of that name at a size. Studies of another size than the paper's carry it in their name, so that
// their records are in files of their own.
func Get(name string, size Size) (*study.Study, error) {
	if !slices.Contains(Sizes, size) {
		return nil, fmt.Errorf("studies: size is %q, must be small, default or paper", size)
	}
	make := makers[name]
	if make == nil {
		return nil, fmt.Errorf("studies: there is no study %q; gaucho study list shows those that there are", name)
	}
	return make(size), nil
}

// sized is the name of a study at a size.
func sized(name string, size Size) string {
	if size == Paper {
		return name
	}
	return name + "." + string(size)
}
