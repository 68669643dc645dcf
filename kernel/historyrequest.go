package kernel

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// historyContent is what a request for the history says.
type historyContent struct {
	Output  bool   `json:"output"`
	Type    string `json:"hist_access_type"`
	Session int    `json:"session"` // 0 for this one, negative counted back from it
	Start   *int   `json:"start"`
	Stop    *int   `json:"stop"` // first cell that is not wanted
	N       *int   `json:"n"`
	Pattern string `json:"pattern"`
	Unique  bool   `json:"unique"`
}

// historyRequest answers with cells of this and earlier sessions, oldest first: the last n, a range of one session, or
// the last n that a pattern matches.
func (c *channel) historyRequest(r *request) (object, error) {
	var q historyContent
	if err := r.decode(&q); err != nil {
		return nil, err
	}
	all, session, err := c.k.history.entries()
	if err != nil {
		return failure("HistoryError", err.Error()), nil
	}
	found, err := q.choose(all, session)
	if err != nil {
		return nil, err
	}
	list := make([]any, len(found))
	for i, e := range found {
		if q.Output {
			list[i] = []any{e.session, e.number, []any{e.in, e.out}}
		} else {
			list[i] = []any{e.session, e.number, e.in}
		}
	}
	return object{"status": "ok", "history": list}, nil
}

func (q *historyContent) choose(all []entry, session int) ([]entry, error) {
	switch q.Type {
	case "tail":
		return last(all, q.N), nil
	case "range":
		if q.Session <= 0 {
			q.Session += session
		}
		return slices.DeleteFunc(all, func(e entry) bool {
			return e.session != q.Session || q.Start != nil && e.number < *q.Start || q.Stop != nil && e.number >= *q.Stop
		}), nil
	case "search":
		match := globPattern(q.Pattern)
		found := slices.DeleteFunc(all, func(e entry) bool { return !match.MatchString(e.in) })
		if q.Unique {
			found = newest(found)
		}
		return last(found, q.N), nil
	}
	return nil, fmt.Errorf("hist_access_type is %q, must be tail, range or search", q.Type)
}

// last is the last n entries, or all.
func last(all []entry, n *int) []entry {
	if n == nil || *n >= len(all) {
		return all
	}
	return all[len(all)-max(*n, 0):]
}

// newest leaves of entries with the same source the newest.
func newest(all []entry) []entry {
	seen := map[string]bool{}
	var kept []entry
	for _, e := range slices.Backward(all) {
		if !seen[e.in] {
			seen[e.in] = true
			kept = append(kept, e)
		}
	}
	slices.Reverse(kept)
	return kept
}

// globPattern turns a pattern with *, ? and [...] into a regular expression for whole texts. An empty one matches all.
func globPattern(glob string) *regexp.Regexp {
	if glob == "" {
		glob = "*"
	}
	var b strings.Builder
	b.WriteString(`(?s)\A`)
	for i := 0; i < len(glob); i++ {
		switch glob[i] {
		case '*':
			b.WriteString(".*")
		case '?':
			b.WriteString(".")
		case '[':
			end := strings.IndexByte(glob[i+1:], ']')
			if end > 0 {
				set := glob[i+1 : i+1+end]
				negated := ""
				if set[0] == '^' && len(set) > 1 {
					negated, set = "^", set[1:]
				}
				if class := "[" + negated + strings.NewReplacer(`\`, `\\`, `[`, `\[`, `^`, `\^`).Replace(set) + "]"; valid(class) {
					b.WriteString(class)
					i += 1 + end
					continue
				}
			}
			b.WriteString(`\[`)
		default:
			_, size := utf8.DecodeRuneInString(glob[i:])
			b.WriteString(regexp.QuoteMeta(glob[i : i+size]))
			i += size - 1
		}
	}
	b.WriteString(`\z`)
	re, err := regexp.Compile(b.String())
	if err != nil {
		return regexp.MustCompile(`\A` + regexp.QuoteMeta(glob) + `\z`)
	}
	return re
}

func valid(pattern string) bool {
	_, err := regexp.Compile(pattern)
	return err == nil
}
