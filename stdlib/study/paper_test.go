package study

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestPaper has more points than a cell shows.
func TestPaper(t *testing.T) {
	points := make([]int, 60)
	for i := range points {
		points[i] = i
	}
	s := &Study{Name: "p", Points: Grid(Values("n_1", points)), Replications: 2, Replicate: func(_ context.Context, p Point, _ *rand.Rand) (Record, error) {
		return Record{"v": 2 * p.Int("n_1")}, nil
	}}
	res, err := s.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, head, row string }{
		{res.Markdown(), "| n_1 | replications | v | median |\n", "| %d | 2 | %d ± 0 | %d |\n"},
		{res.LaTeX(), "n\\_1 & replications & v & median \\\\\n", "\n%d & 2 & %d $\\pm$ 0 & %d \\\\\n"},
	} {
		for _, n := range []int{0, 59} {
			if row := fmt.Sprintf(c.row, n, 2*n, 2*n); !strings.Contains(c.text, c.head) || !strings.Contains(c.text, row) {
				t.Errorf("%s\nlacks %s or %s", c.text, c.head, row)
			}
		}
	}
}
