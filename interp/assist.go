package interp

import (
	"context"
	"fmt"
	"go/types"
	"strconv"
	"strings"

	"gaucho/interp/api"
	"gaucho/interp/assist"
)

// view is what questions about cells are answered from.
func (f *front) view() *assist.View {
	f.Lock()
	defer f.Unlock()
	return &assist.View{Lock: f, Checker: f.checker, Scope: f.scope, History: &f.history.History, Library: f.library, Docs: f.moduleDocs, Dir: f.opts.Dir}
}

// Complete lists what can be at the cursor (a byte offset). It answers while a cell runs.
func (s *Session) Complete(source string, cursor int) (out api.Completion) {
	defer survive(&s.opts, "completion failed", source)
	v := s.front.view()
	v.Keys = s.keys
	return v.Complete(source, cursor)
}

// keys are the keys of a map of strings, or the names of a table's columns, of the first hundred of a variable's parts.
func (s *Session) keys(variable string) (keys []string) {
	parts, _ := s.Parts(context.Background(), variable, nil)
	for _, p := range parts {
		if key, err := strconv.Unquote(strings.Trim(p.Name, "[]")); err == nil {
			keys = append(keys, key)
		}
	}
	return keys
}

// Inspect describes what is at the cursor (a byte offset), or the function whose call is open there: signature and
// doc comment, with detail 1 or more also examples and, for what cells declared, the source. The bundle has text/plain
// and text/markdown. Of a variable it has the value in short, the length and the size. It answers while a cell runs.
func (s *Session) Inspect(source string, cursor, detail int) (bundle map[string]any, found bool) {
	defer survive(&s.opts, "inspection failed", source)
	bundle, name := s.front.view().Inspect(source, cursor, detail)
	if name != "" {
		if text := s.valueText(name); text != "" {
			bundle["text/plain"] = fmt.Sprintf("%s\n%s", bundle["text/plain"], text)
			bundle["text/markdown"] = fmt.Sprintf("%s\n```\n%s```\n", bundle["text/markdown"], text)
		}
	}
	return bundle, bundle != nil
}

// valueText is what a variable holds, in short, with its length and size.
func (s *Session) valueText(name string) string {
	for _, v := range s.Variables(context.Background()) {
		if v.Name != name || v.Value == "" && v.Old {
			continue
		}
		text := "Value:  " + v.Value
		if v.Old {
			text += " (before the cell that runs)"
		}
		if obj := s.front.variables()[name]; obj != nil && v.Parts > 0 {
			switch obj.Type().Underlying().(type) {
			case *types.Slice, *types.Array, *types.Map:
				text += fmt.Sprintf("\nLength: %d", v.Parts)
			}
		}
		size := sizeText(v.Size)
		if v.More {
			size = "more than " + size
		}
		return text + "\nSize:   " + size + "\n"
	}
	return ""
}

// IsComplete reports whether a console should run what was typed ("complete"), ask for another line ("incomplete",
// with the indentation it should begin with), or whether it can become no cell any more ("invalid").
func (s *Session) IsComplete(source string) (status, indent string) { return assist.IsComplete(source) }
