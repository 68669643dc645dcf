package compiled

import (
	"flag"
	"go/format"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gaucho/interp/check"
	"gaucho/interp/engine"
	"gaucho/interp/goldentest"
	"gaucho/interp/kit"
	"gaucho/interp/rt/run"
)

var update = flag.Bool("update", false, "write testdata/golden again")

var directive = regexp.MustCompile(`(?m)^//line .*\n|/\*line [^*]*\*/`)

// TestGolden compares the packages that are made of cells with the transcripts of testdata/golden. The text is formatted, and
// shown without the directives that give lines their places in cells, save in a cell whose ">>>" says "with places". Where a
// package's path has a hash, the transcript has the number of the package in the session.
// go test ./interp/compiled -run Golden -update writes the transcripts again.
func TestGolden(t *testing.T) {
	var packages []string
	open := func(*check.Library) engine.Engine {
		packages = nil
		return newSession(&Builder{kit: &kit.Kit{ID: "golden"}}, func(cell int) string { return "cell" + strconv.Itoa(cell) + ".go" })
	}
	goldentest.Run(t, *update, open, func(u *engine.Unit, note string) string {
		text := u.Text
		if !strings.Contains(note, "with places") {
			formatted, err := format.Source([]byte(directive.ReplaceAllString(text, "")))
			if err != nil {
				t.Fatalf("the text is no Go: %v\n%s", err, text)
			}
			text = string(formatted)
		}
		packages = append(packages, u.Package)
		for i, path := range packages {
			text = strings.ReplaceAll(text, path, run.CellPath+strconv.Itoa(i+1))
		}
		return text
	})
}
