package interp

import (
	"context"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"gaucho/interp/cell"
	"gaucho/interp/check"
	"gaucho/interp/wire"
)

// testMagic runs the session's tests, benchmarks and examples whose names match.
func (s *Session) testMagic(ctx context.Context, c Cell, pattern string) *wire.Error {
	rest, short := strings.CutPrefix(pattern+" ", "-short ")
	pattern = strings.TrimSpace(rest)
	match, err := functionsIn(pattern)
	if err != nil {
		return &wire.Error{Name: "error", Value: err.Error()}
	}
	s.front.Lock()
	tests := testsIn(s.front.scope, match)
	s.front.Unlock()
	if len(tests) == 0 {
		return &wire.Error{Name: "TestFailure", Value: "there is no func TestX(t *testing.T), func BenchmarkX(b *testing.B) or func ExampleX() to run"}
	}
	var names []string
	for _, t := range tests {
		names = append(names, t.Name)
	}
	done := s.aside(ctx, c, strings.Join(names, ", "), func(r *wire.Run) { r.Tests, r.Match, r.Short = tests, pattern, short })
	return done.Error
}

// functionsIn is what a pattern of go test -run says of functions: alternatives are separated by |, and the names of functions and of subtests
// by slashes, outside of brackets.
func functionsIn(pattern string) (*regexp.Regexp, error) {
	var tops strings.Builder
	depth, within := 0, false
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch c {
		case '\\':
			i++
			if !within && i < len(pattern) {
				tops.WriteString(pattern[i-1 : i+1])
			}
			continue
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		}
		if depth == 0 && (c == '/' || c == '|') {
			within = c == '/'
		}
		if !within {
			tops.WriteByte(c)
		}
	}
	return regexp.Compile(tops.String())
}

// testsIn lists the tests, then the benchmarks, then the examples of the session, in the order of their cells.
func testsIn(sc *check.Scope, match *regexp.Regexp) []wire.Test {
	var out []wire.Test
	names := slices.SortedStableFunc(maps.Keys(sc.Names), func(a, b string) int {
		x, y := sc.Names[a].Obj, sc.Names[b].Obj
		if sc.Names[a].Cell != sc.Names[b].Cell {
			return sc.Names[a].Cell - sc.Names[b].Cell
		}
		return int(x.Pos() - y.Pos())
	})
	for _, kind := range []string{"Test", "Benchmark", "Example"} {
		for _, name := range names {
			f, ok := sc.Names[name].Obj.(*types.Func)
			if !ok || !isTest(name, kind) || !match.MatchString(name) || !takes(f, kind) {
				continue
			}
			t := wire.Test{Name: name}
			if kind == "Example" {
				t = exampleOf(name, sc.Names[name].Text)
			}
			out = append(out, t)
		}
	}
	return out
}

// isTest reports whether a name is that of a test, as go test says: what follows the word does not begin with a lower-case
// letter.
func isTest(name, kind string) bool {
	rest, ok := strings.CutPrefix(name, kind)
	return ok && (rest == "" || !strings.ContainsAny(rest[:1], "abcdefghijklmnopqrstuvwxyz"))
}

// takes reports whether a function has the parameter that its kind must have.
func takes(f *types.Func, kind string) bool {
	sig := f.Signature()
	if sig.Results().Len() > 0 || sig.TypeParams() != nil {
		return false
	}
	want := map[string]string{"Test": "*testing.T", "Benchmark": "*testing.B", "Example": ""}[kind]
	if want == "" {
		return sig.Params().Len() == 0
	}
	return sig.Params().Len() == 1 && types.TypeString(sig.Params().At(0).Type(), nil) == want
}

// exampleOf reads an example's Output comment.
func exampleOf(name, text string) wire.Test {
	t := wire.Test{Name: name, Compiles: true}
	f, err := parser.ParseFile(token.NewFileSet(), "example_test.go", "package main\n"+text, parser.ParseComments)
	if err != nil {
		return t
	}
	for _, e := range doc.Examples([]*ast.File{f}...) {
		t.Output, t.Unordered = e.Output, e.Unordered
		t.Compiles = e.Output == "" && !e.EmptyOutput
	}
	return t
}

// aside checks, lowers and runs code of ours for a magic, which must be alone in its cell. What it prints is the cell's.
func (s *Session) aside(ctx context.Context, c Cell, src string, how func(*wire.Run)) *wire.Done {
	x := s.begin(ctx, Cell{ID: c.ID, Number: c.Number, Stdin: c.Stdin}, s.runs.take)
	defer x.end()
	return x.aside(src, how)
}

// aside checks, lowers and runs code of ours.
func (x *execution) aside(src string, how func(*wire.Run)) *wire.Done {
	problems, failed := x.compile(cell.Read(src))
	if failed != nil {
		return &wire.Done{Error: failed}
	}
	if problems != nil {
		return &wire.Done{Error: &wire.Error{Name: "CompileError", Value: messages(problems[:1])}}
	}
	defer x.close()
	return x.run(0, len(x.prog.steps), how)
}
