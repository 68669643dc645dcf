package assist

import (
	"strings"
	"testing"
)

// In a string stand keys where it is an index of a map, columns where it is given to a table's method, else files.
func TestCompleteKeys(t *testing.T) {
	v := frontEnd(t, `import "gaucho/stdlib/table"
var plants *table.Table
var ages map[string]int
var byNumber map[int]string`)
	v.Keys = func(variable string) []string {
		return map[string][]string{"plants": {"height", "plot", `a "quoted" one`}, "ages": {"Ann", "Zoë"}}[variable]
	}
	for src, want := range map[string]string{
		`ages["|`:                     "Ann Zoë",
		`if ages["Z|`:                 "Zoë",
		`plants.GroupBy("|`:           "height plot",
		`plants.SortBy("height", "p|`: "plot",
		`plants.Head(3).Floats("|`:    "height plot",
		`mean(plants.Floats("h|`:      "height",
		`plants.Where(func(r table.Row) bool { r.Float("|`: "height plot",
		`plotting.Facet(plants, "|`:                        "height plot",
		`plants.WriteCSV("|`:                               "",
		`table.ReadCSV("|`:                                 "",
		`byNumber["|`:                                      "",
		`fmt.Println("|`:                                   "",
	} {
		src := strings.TrimSuffix(src, "|")
		c := v.Complete(src, len(src))
		var got []string
		for _, it := range c.Items {
			got = append(got, it.Text)
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s offers %q, want %q", src, text, want)
		}
		if quote := strings.LastIndexByte(src, '"'); c.Start != quote+1 || c.End != len(src) {
			t.Errorf("%s: what is offered stands for [%d:%d]", src, c.Start, c.End)
		}
	}
}
