package depend

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gaucho/interp/check"
	"gaucho/interp/engine"
)

// A study (gaucho/stdlib/study) keeps its records under the source of its function Replicate. In a cell that is the
// function with every declaration that it reaches, as they are when the study runs, which only the front end knows, and with
// the values of the variables that these read, which only the worker knows. So each literal of a study.Study that sets
// Replicate gets a Source, the name of that function, and a function Reads, and a cell that runs takes along what is known of
// each such source now.

// A Studies holds the studies of a session by Study.Source, the oldest first.
type Studies struct {
	Funcs map[string]*check.StudyFunc
	order []string
	forms map[string]string // formattedText of what was asked for
	// Assigned is set once a cell has assigned to the field Replicate of a study.
	Assigned bool
}

// NewStudies returns the studies of a session in which no cell has run.
func NewStudies() Studies {
	return Studies{Funcs: map[string]*check.StudyFunc{}, forms: map[string]string{}}
}

// A Session is what sources are made of.
type Session struct {
	Scope   *check.Scope
	Tracker *Tracker
	Ctx     *types.Var
	Number  int    // of the run of the cell that is about to run
	Source  string // and its text
	// Content is a hash of a package that is not of the standard library, with all that it imports.
	Content func(path string) string
	// Interpreted says that cells are interpreted: nothing is known of the values of functions.
	Interpreted bool
}

func (ss *Session) isFunction(name string, e *check.Entity) bool {
	return ss.Tracker.isFunction(name, e, ss.Number, ss.Source)
}

// source is what is known of the source of a study's function now.
func (l *Studies) source(ss *Session, f *check.StudyFunc) engine.Source {
	r := check.ReachOf(ss.Scope, nil, f, ss.Ctx)
	src := engine.Source{Unknown: l.unknown(ss, f, r)}
	h := sha256.New()
	add := func(text string) { fmt.Fprintf(h, "%d %s\n", len(text), text) }
	paths := map[string]bool{}
	seen := map[string]bool{}
	text := func(text string) {
		if !seen[text] {
			seen[text] = true
			form := l.formatted(text)
			add(form)
			add(importsOf(ss.Scope, form, paths))
		}
	}
	text(f.Text)
	if f.Literal != nil {
		src.Functions = append(src.Functions, function("Replicate", *f.Literal))
	}
	for _, name := range slices.Sorted(maps.Keys(r.Names)) {
		e := r.Names[name]
		text(e.Text)
		for _, m := range slices.Sorted(maps.Keys(e.Methods)) {
			text(e.Methods[m].Text)
		}
		for i, lit := range e.Literals {
			src.Functions = append(src.Functions, function(name+" "+strconv.Itoa(i), lit))
		}
		switch obj := e.Obj.(type) {
		case *types.Const:
			add(obj.Val().ExactString())
		case *types.Func:
			src.Functions = append(src.Functions, engine.Function{Name: name})
		case *types.Var:
			if !ss.isFunction(name, e) {
				src.Reads = append(src.Reads, name)
			}
		}
	}
	for _, text := range slices.Sorted(maps.Keys(r.Older)) {
		add(text)
	}
	for _, path := range slices.Sorted(maps.Keys(paths)) {
		add(path + " " + ss.Content(path))
	}
	src.Hash = hex.EncodeToString(h.Sum(nil)[:10])
	return src
}

func function(name string, l check.Literal) engine.Function {
	return engine.Function{Name: name, Cell: l.Cell, Line: l.Line, End: l.End}
}

// unknown says why a source cannot be known, with the cure; it is empty if it can.
func (l *Studies) unknown(ss *Session, f *check.StudyFunc, r *check.Reach) string {
	for _, text := range slices.Sorted(maps.Keys(r.Older)) {
		if _, ok := r.Older[text].(*types.Const); !ok {
			return fmt.Sprintf("it uses what was declared again since (%s): run the cell that uses it again", text)
		}
	}
	var late []string
	for name, e := range r.Names {
		if _, ok := e.Obj.(*types.Var); ok && !f.Reads[name] && !ss.isFunction(name, e) {
			late = append(late, name)
		}
	}
	if len(late) > 0 {
		slices.Sort(late)
		return fmt.Sprintf("it reads %s since a function was declared again: run the cell that makes the study again", strings.Join(late, ", "))
	}
	if ss.Interpreted && (l.Assigned || !f.Plain) {
		return "Replicate is not set to a function literal or a declared function in the study's literal: do that, and let it call the other"
	}
	return ""
}

// formatted is formattedText, which is asked for again with every cell.
func (l *Studies) formatted(text string) string {
	form, ok := l.forms[text]
	if !ok {
		form = formattedText(text)
		l.forms[text] = form
	}
	return form
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

// importsOf lists the paths of the imports that a text mentions, since the same name may mean another package. Those that are
// not of the standard library go to paths.
func importsOf(sc *check.Scope, text string, paths map[string]bool) string {
	var list []string
	for local, path := range sc.Imports {
		if bytes.Contains([]byte(text), []byte(local+".")) || local == "." {
			list = append(list, local+" "+path)
			if first, _, _ := strings.Cut(path, "/"); first == "gaucho" || strings.Contains(path, ".") {
				paths[path] = true
			}
		}
	}
	slices.Sort(list)
	return fmt.Sprint(list)
}

// keptStudies is how many studies are kept in step with their declarations, so that a cell which is run over and over does
// not make all cells slow. An older one keeps no records until its cell is run again.
const keptStudies = 500

// Keep takes over the studies of a stage.
func (l *Studies) Keep(stage *check.Checked) {
	l.Assigned = l.Assigned || stage.Studies.Assigns
	for _, id := range slices.Sorted(maps.Keys(stage.Studies.Funcs)) {
		l.Funcs[id] = stage.Studies.Funcs[id]
		if l.order = append(l.order, id); len(l.order) > keptStudies {
			delete(l.Funcs, l.order[0])
			l.order = l.order[1:]
		}
	}
}

// Sources are those of all studies, as they are now.
func (l *Studies) Sources(ss *Session) map[string]engine.Source {
	if len(l.Funcs) == 0 {
		return nil
	}
	out := map[string]engine.Source{}
	for id, f := range l.Funcs {
		out[id] = l.source(ss, f)
	}
	return out
}
