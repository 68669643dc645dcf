package claims

import "testing"

// TestEveryItemHasARow compares the rows of the page with the lists of the sources' numbered items: each has a row, or a
// line that says why not, and rows are about items that exist. Every row of these sources says how it is judged.
func TestEveryItemHasARow(t *testing.T) {
	for source, items := range sourceItems {
		rows := map[string]int{}
		for _, c := range All() {
			if c.Source != source {
				continue
			}
			if c.Measure == "" {
				t.Errorf("%s does not say how it is judged", c.ID)
			}
			for _, name := range c.Items {
				rows[name]++
			}
		}
		for _, item := range items {
			switch n := rows[item.Name]; {
			case n == 0 && item.Why == "":
				t.Errorf("%s: %s has no row, and nothing says why", source, item.Name)
			case n > 0 && item.Why != "":
				t.Errorf("%s: %s has a row, and a line that says why not", source, item.Name)
			}
			delete(rows, item.Name)
		}
		for name := range rows {
			t.Errorf("%s: a row is about %s, which is not in the list of items", source, name)
		}
	}
}
