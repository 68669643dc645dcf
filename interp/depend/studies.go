package depend

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"gaucho/interp/check"
)

// A study (gaucho/stdlib/study) keeps its records under the source of its function Replicate. In a cell that is the
// function with every declaration that it reaches, as they are when the study runs, which only the front end knows. So
// each literal of a study.Study that sets Replicate gets a Source, the name of that function, and a cell that runs takes
// along what the hash of each such source is now.

// A Studies holds the studies of a session by Study.Source, the oldest first.
type Studies struct {
	Funcs map[string]*check.StudyFunc
	order []string
}

// NewStudies returns the studies of a session in which no cell has run.
func NewStudies() Studies { return Studies{Funcs: map[string]*check.StudyFunc{}} }

// A reach is what a function is made of: the declarations of the session that it reaches.
type reach struct {
	names map[string]*check.Entity
	older map[string]bool // what is no longer what its name means, as go/types writes it
}

// reachOf follows uses through the scope.
func reachOf(sc *check.Scope, uses map[types.Object]bool) *reach {
	r := &reach{names: map[string]*check.Entity{}, older: map[string]bool{}}
	var follow func(map[types.Object]bool)
	follow = func(uses map[types.Object]bool) {
		for obj := range uses {
			e := sc.Names[obj.Name()]
			if e == nil || !sameMeaning(e.Obj, obj) {
				r.older[types.ObjectString(obj, nil)] = true
				continue
			}
			if r.names[obj.Name()] == nil {
				r.names[obj.Name()] = e
				follow(e.Uses)
				for _, m := range e.MethodUses {
					follow(m)
				}
			}
		}
	}
	follow(uses)
	return r
}

// sameMeaning reports whether a use of the old object now means the live one.
func sameMeaning(live, old types.Object) bool {
	if live == old {
		return true
	}
	switch l := live.(type) {
	case *types.Const:
		o, ok := old.(*types.Const)
		return ok && types.Identical(l.Type(), o.Type()) && constant.Compare(l.Val(), token.EQL, o.Val())
	case *types.Func:
		_, ok := old.(*types.Func)
		return ok && types.Identical(live.Type(), old.Type())
	case *types.Var:
		_, ok := old.(*types.Var)
		return ok && types.Identical(live.Type(), old.Type())
	}
	return false
}

// sourceHash identifies the source of a study's function as it is now.
func sourceHash(sc *check.Scope, l *Tracker, f *check.StudyFunc) string {
	r := reachOf(sc, f.Uses)
	h := sha256.New()
	add := func(text string) { fmt.Fprintf(h, "%d %s\n", len(text), text) }
	add(f.Text)
	add(importsOf(sc, f.Text))
	seen := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(r.names)) {
		e := r.names[name]
		texts := []string{e.Text}
		if c, ok := l.changes[name]; ok && !c.declared { // a variable that a later cell assigned to
			texts = append(texts, c.by.Cell.Source)
		}
		for _, m := range slices.Sorted(maps.Keys(e.Methods)) {
			texts = append(texts, e.Methods[m].Text)
		}
		for _, text := range texts {
			if !seen[text] {
				seen[text] = true
				form := formattedText(text)
				add(form)
				add(importsOf(sc, form))
			}
		}
	}
	for _, text := range slices.Sorted(maps.Keys(r.older)) {
		add(text)
	}
	return hex.EncodeToString(h.Sum(nil)[:10])
}

// formattedText is the source of a declaration or statement in gofmt's form, without comments, as far as it can be
// parsed.
func formattedText(text string) string {
	fset := token.NewFileSet()
	if f, err := parser.ParseFile(fset, "", "package p\n"+text, parser.SkipObjectResolution); err == nil {
		return check.Formatted(f)
	}
	if f, err := parser.ParseFile(fset, "", "package p\nfunc _() {\n"+text+"\n}", parser.SkipObjectResolution); err == nil {
		return check.Formatted(f)
	}
	return text
}

// importsOf lists the paths of the imports that a text mentions, since the same name may mean another package.
func importsOf(sc *check.Scope, text string) string {
	var list []string
	for local, path := range sc.Imports {
		if bytes.Contains([]byte(text), []byte(local+".")) {
			list = append(list, local+" "+path)
		}
	}
	slices.Sort(list)
	return fmt.Sprint(list)
}

// keptStudies is how many studies are kept in step with their declarations, so that a cell which is run over and over does
// not make all cells slow. What an older one records nobody reads again.
const keptStudies = 20

// Keep takes over the studies of a stage.
func (l *Studies) Keep(studies map[string]*check.StudyFunc) {
	for _, id := range slices.Sorted(maps.Keys(studies)) {
		l.Funcs[id] = studies[id]
		if l.order = append(l.order, id); len(l.order) > keptStudies {
			delete(l.Funcs, l.order[0])
			l.order = l.order[1:]
		}
	}
}

// Hashes are those of the sources of all studies, as they are with the given scope.
func (l *Studies) Hashes(sc *check.Scope, changes *Tracker) map[string]string {
	if len(l.Funcs) == 0 {
		return nil
	}
	out := map[string]string{}
	for id, f := range l.Funcs {
		out[id] = sourceHash(sc, changes, f)
	}
	return out
}
