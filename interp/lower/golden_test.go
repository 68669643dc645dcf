package lower

import (
	"flag"
	"go/format"
	"regexp"
	"strings"
	"testing"

	"gaucho/interp/check"
	"gaucho/interp/engine"
	"gaucho/interp/goldentest"
)

var update = flag.Bool("update", false, "write testdata/golden again")

var directive = regexp.MustCompile(`(?m)^//line .*\n|/\*line [^*]*\*/`)

// TestGolden compares what cells are lowered to with the transcripts of testdata/golden. The text is formatted, and shown
// without the directives that give lines their places in cells, save in a cell whose ">>>" says "with places".
// go test ./interp/lower -run Golden -update writes the transcripts again.
func TestGolden(t *testing.T) {
	open := func(lib *check.Library) engine.Engine { return New(lib) }
	goldentest.Run(t, *update, open, func(u *engine.Unit, note string) string {
		if strings.Contains(note, "with places") {
			return u.Text
		}
		formatted, err := format.Source([]byte(directive.ReplaceAllString(u.Text, "")))
		if err != nil {
			t.Fatalf("the lowered text is no Go: %v\n%s", err, u.Text)
		}
		return string(formatted)
	})
}
