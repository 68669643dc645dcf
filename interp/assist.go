package interp

import (
	"runtime/debug"

	"gaucho/interp/assist"
)

// view is what questions about cells are answered from.
func (s *Session) view() *assist.View {
	s.front.Lock()
	defer s.front.Unlock()
	return &assist.View{Lock: &s.front, Checker: s.checker, Scope: s.scope, History: &s.history.History, Library: s.library, Docs: s.moduleDocs, Dir: s.opts.Dir}
}

// Complete lists what can be at the cursor (a byte offset). It answers while a cell runs.
func (s *Session) Complete(source string, cursor int) (out assist.Completion) {
	defer s.survive("completion", source)
	return s.view().Complete(source, cursor)
}

// Inspect describes what is at the cursor (a byte offset), or the function whose call is open there: signature and
// doc comment, with detail 1 or more also examples and, for what cells declared, the source. The bundle has text/plain
// and text/markdown. It answers while a cell runs.
func (s *Session) Inspect(source string, cursor, detail int) (bundle map[string]any, found bool) {
	defer s.survive("inspection", source)
	return s.view().Inspect(source, cursor, detail)
}

// IsComplete reports whether a console should run what was typed ("complete"), ask for another line ("incomplete",
// with the indentation it should begin with), or whether it can become no cell any more ("invalid").
func (s *Session) IsComplete(source string) (status, indent string) { return assist.IsComplete(source) }

// survive has a half-typed cell that confuses the front end cost an answer, not the kernel.
func (s *Session) survive(what, source string) {
	if r := recover(); r != nil {
		s.opts.Log.Error(what+" failed", "panic", r, "cell", source, "stack", string(debug.Stack()))
	}
}
