package interp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"gaucho/interp/wire"
)

// whos lists the variables with their types, sizes and values, the largest first.
func (s *Session) whos(ctx context.Context, c Cell, _ string) *wire.Error {
	s.variableView.change()
	s.refresh(ctx, 0) // the cell is this magic alone, so none of its code runs
	vars := s.listVariables(false)
	if len(vars) == 0 {
		s.opts.Sink.Stream(c.ID, "stdout", "There are no variables.\n")
		return nil
	}
	slices.SortStableFunc(vars, func(a, b Variable) int { return cmp.Compare(b.Size, a.Size) })
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "Variable\tType\tSize\tValue")
	for _, v := range vars {
		size := sizeText(v.Size)
		if v.More {
			size = "> " + size
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", v.Name, v.Type, size, strings.ReplaceAll(v.Value, "\n", " "))
	}
	w.Flush()
	s.opts.Sink.Stream(c.ID, "stdout", b.String())
	return nil
}

// sizeText is a number of bytes for people.
func sizeText(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d B", n)
}
