package table

import (
	"strings"
	"testing"
)

// TestLive: text is no markup, neither in the table nor in the script's data; the output is the same each time; a table that
// is too large is shown without a script.
func TestLive(t *testing.T) {
	load := func(text string) *Table {
		out, err := Parse(strings.NewReader(text), "t.csv")
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	small := load("<b>,x\n</script><script>alert(1),1\nb,\nc,0.5\n")
	page := small.HTML()
	if strings.Count(page, "<script>") != 1 || strings.Count(page, "</script>") != 1 || strings.Contains(page, "<b>") {
		t.Errorf("markup from the data: %s", page)
	}
	if page != load("<b>,x\n</script><script>alert(1),1\nb,\nc,0.5\n").HTML() {
		t.Error("the same table gives another page")
	}
	if want := `"orders":[[0,1,2],[0,1,2],[2,0,1]],"missing":[0,0,1]`; !strings.Contains(page, want) {
		t.Errorf("%s is not in %s", want, page)
	}
	for rows, script := range map[int]bool{0: false, 1: false, 2: true, 1000: true, 1001: false} {
		if got := strings.Contains(load("a\n"+strings.Repeat("x\n", rows)).HTML(), "<script>"); got != script {
			t.Errorf("%d rows: a script is %v", rows, got)
		}
	}
	if strings.Contains(load("a\n"+strings.Repeat(strings.Repeat("ä", 59)+"\n", 2)+strings.Repeat(strings.Repeat("<", 59)+"\n", 900)).HTML(), "<script>") {
		t.Error("a script of more than 200 kB")
	}
}
