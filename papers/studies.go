// Package papers defines what the experiments of the papers' figures have in common: sizes, names, compact records, and a
// memo for what replications share.
//
// The first word of a study's name is the package that the study is in: boosting-overfit is in
// [gaucho/papers/boosting]. Package [gaucho/papers/catalog] lists all of them, the command gaucho study
// runs them, and package [gaucho/papers/claims] judges their records.
package papers

// A Size is how large a study is.
type Size string

// Small takes seconds, Default minutes; Paper is what the paper reports on.
const (
	Small   Size = "small"
	Default Size = "default"
	Paper   Size = "paper"
)

// Sizes lists the sizes, smallest first.
var Sizes = []Size{Small, Default, Paper}

// Name returns the name of a study at a size. Only studies at the paper's size have their plain name; the others carry their
// size in it, so that their records go to files of their own.
func Name(study string, size Size) string {
	if size == Paper {
		return study
	}
	return study + "." + string(size)
}
