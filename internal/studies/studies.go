// Package studies is the ground floor of the experiments of the figures of the papers that Gaucho reproduces: the sizes of a
// study, its compact record, and what several experiments need.
//
// The first word of a study's name is the package that it is in: boosting-overfit is in [gaucho/internal/studies/boosting].
// Package [gaucho/internal/studies/catalog] lists all of them, the command gaucho study runs them, and package
// [gaucho/internal/studies/claims] judges their records.
package studies

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

// Name returns the name of a study at a size. Studies of another size than the paper's carry it in their name, so that their
// records are in files of their own.
func Name(study string, size Size) string {
	if size == Paper {
		return study
	}
	return study + "." + string(size)
}
