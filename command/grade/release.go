package grade

import (
	"fmt"
	"maps"
	"strings"

	"gaucho/command/notebook"
)

const beginSolution, endSolution = "BEGIN SOLUTION", "END SOLUTION"

// stub is what students find where a solution was.
const stub = "// YOUR CODE HERE\npanic(\"not implemented\")"

// Release returns the notebook that students get: without solutions, hidden tests and outputs. nbgrader's "generate" makes
// the same of the same source.
func (a *Assignment) Release() (*notebook.Notebook, error) {
	out := *a.notebook
	out.Metadata = maps.Clone(a.notebook.Metadata)
	out.Cells = nil
	for i, c := range a.notebook.Cells {
		copied := *c
		copied.Outputs, copied.Count = nil, 0
		m := nbgraderOf(c)
		solution, _ := m["solution"].(bool)
		grade, _ := m["grade"].(bool)
		var err error
		switch {
		case solution && c.Type == "code":
			copied.Source, err = withoutSolution(c.Source, stub)
		case solution && c.Type == "markdown":
			copied.Source, err = withoutSolution(c.Source, "YOUR ANSWER HERE")
		case grade:
			copied.Source = withoutHidden(c.Source)
		}
		if err != nil {
			return nil, fmt.Errorf("cell %d%s: %w", i+1, named(c), err)
		}
		out.Cells = append(out.Cells, &copied)
	}
	return &out, nil
}

// withoutSolution puts the stub in place of what is between the marks, or of everything if there are none.
func withoutSolution(source, stub string) (string, error) {
	var b strings.Builder
	inside, found := false, false
	for line := range strings.Lines(source) {
		switch {
		case strings.Contains(line, beginSolution):
			if inside {
				return "", fmt.Errorf("BEGIN SOLUTION inside a solution")
			}
			inside, found = true, true
			indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
			for s := range strings.SplitSeq(stub, "\n") {
				b.WriteString(indent + s + "\n")
			}
		case strings.Contains(line, endSolution):
			if !inside {
				return "", fmt.Errorf("END SOLUTION has no BEGIN SOLUTION")
			}
			inside = false
		case !inside:
			b.WriteString(line)
		}
	}
	if inside {
		return "", fmt.Errorf("BEGIN SOLUTION has no END SOLUTION")
	}
	if !found {
		return stub, nil
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// withoutHidden takes hidden tests out of a test cell.
func withoutHidden(source string) string {
	hidden := hiddenRanges(source)
	for i := len(hidden) - 1; i >= 0; i-- {
		source = source[:hidden[i][0]] + source[hidden[i][1]:]
	}
	return strings.TrimSuffix(source, "\n")
}
