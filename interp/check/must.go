package check

import (
	"fmt"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"

	"gaucho/internal/words"
	"gaucho/interp/cell"
)

// Every cell can call must0, must, must2 and must3 with the results of a call that returns 0 to 3 values and an error. They
// are ordinary generic functions, declared by the first cell that mentions one, unless its author uses the name already.

// Musts are their declarations, by the number of values.
var Musts = [...]struct{ Name, doc, text string }{
	{"must0", "must0 panics if err is not nil.\n", `func must0(err error) {
	if err != nil {
		panic(err)
	}
}`},
	{"must", "must returns x, and panics if err is not nil: x := must(f()).\n", `func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}`},
	{"must2", "must2 returns x and y, and panics if err is not nil: x, y := must2(f()).\n", `func must2[T, U any](x T, y U, err error) (T, U) {
	if err != nil {
		panic(err)
	}
	return x, y
}`},
	{"must3", "must3 returns x, y and z, and panics if err is not nil: x, y, z := must3(f()).\n", `func must3[T, U, V any](x T, y U, z V, err error) (T, U, V) {
	if err != nil {
		panic(err)
	}
	return x, y, z
}`},
}

// noCell is the number of a cell that nobody wrote: no traceback shows a place in it.
const noCell = 0

// AddMusts puts the declarations of those must functions before a cell that the cell mentions and that do not exist yet. It
// returns what it has put there.
func AddMusts(fset *token.FileSet, parsed *cell.Cell, sc *Scope) []*cell.Piece {
	used, declared := map[string]bool{}, map[string]bool{}
	for _, p := range parsed.Pieces {
		maps.Copy(used, p.Names.Used)
		for _, n := range p.Declares() {
			declared[n] = true
		}
	}
	var out []*cell.Piece
	for _, m := range Musts {
		if !used[m.Name] || declared[m.Name] || sc.Live(m.Name) || sc.Imports[m.Name] != "" {
			continue
		}
		p := &cell.Piece{Text: m.text, Doc: m.doc, Kind: cell.FuncChunk, Line: 1, Ours: true}
		if p.Parse(fset, cell.LineDirective(noCell, 1, 1), "", false) == nil {
			p.Names = cell.NamesOf(p)
			out = append(out, p)
		}
	}
	parsed.Pieces = slices.Concat(out, parsed.Pieces)
	return out
}

// isMust reports whether a name means one of our must functions in a scope, or would in the next cell.
func isMust(sc *Scope, name string) bool {
	e := sc.Names[name]
	for _, m := range Musts {
		if m.Name == name {
			return e == nil && sc.Imports[name] == "" || e != nil && e.Text == m.text
		}
	}
	return false
}

var wrongMust = regexp.MustCompile(`^(?:too many|not enough) arguments in call to (must[023]?)\n\thave \((.*)\)`)

// mustHint says which of the functions takes the results that were given to another one of them.
func mustHint(sc *Scope, msg string) string {
	m := wrongMust.FindStringSubmatch(msg)
	if m == nil || !isMust(sc, m[1]) {
		return ""
	}
	results, isError := strings.CutSuffix(m[2], "error")
	if !isError || results != "" && !strings.HasSuffix(results, ", ") {
		return "The last value must be an error."
	}
	n := countTop(results)
	if n >= len(Musts) {
		return fmt.Sprintf("must3 takes at most 3 values and an error, and these are %d: check err yourself.", n)
	}
	if n == 0 {
		return "must0 is for a call that returns an error alone."
	}
	return fmt.Sprintf("%s is for a call that returns %s and an error.", Musts[n].Name, words.Count(n, "value"))
}

// countTop counts the types in a list, each followed by a comma, without those inside brackets.
func countTop(list string) int {
	n, depth := 0, 0
	for _, r := range list {
		switch {
		case strings.ContainsRune("([{", r):
			depth++
		case strings.ContainsRune(")]}", r):
			depth--
		case r == ',' && depth == 0:
			n++
		}
	}
	return n
}
