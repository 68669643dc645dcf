package kernel

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func kept(t *testing.T, h *history) (string, int) {
	t.Helper()
	all, session, err := h.entries()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range all {
		fmt.Fprintf(&b, "%d/%d %s", e.session, e.number, e.in)
		if e.out != nil {
			b.WriteString(" = " + *e.out)
		}
		b.WriteString("; ")
	}
	return b.String(), session
}

func TestHistoryFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state", "history.jsonl")
	log := slog.New(slog.DiscardHandler)
	open := func() *history {
		h, err := openHistory(file, log)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	a, b := open(), open()
	a.input(1, "a1")
	kept(t, a) // all that was given is written now
	b.input(1, "b1\nsecond line")
	kept(t, b)
	a.input(2, "a2")
	a.output(2, "two")
	a.input(3, strings.Repeat("x", historyInput+1)) // too long
	want := "1/1 a1; 2/1 b1\nsecond line; 1/2 a2 = two; "
	if got, session := kept(t, a); got != want || session != 1 {
		t.Errorf("session %d, %q", session, got)
	}
	if got, session := kept(t, b); got != want || session != 2 {
		t.Errorf("session %d, %q", session, got)
	}
	a.close()
	b.close()
	b.input(2, "after the end") // is not kept and does no harm

	f, _ := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	f.WriteString("{broken\n\n[]\n{\"s\":\"nobody\",\"n\":1,\"in\":\"x\"}\n{\"s\":1}\n")
	f.Close()
	c := open()
	defer c.close()
	if got, session := kept(t, c); got != want || session != 3 {
		t.Errorf("session %d, %q", session, got)
	}
	c.input(1, "c1")
	if got, session := kept(t, c); got != want+"3/1 c1; " || session != 3 {
		t.Errorf("session %d, %q", session, got)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Error("others can read the history:", info.Mode(), err)
	}
	if info, err := os.Stat(filepath.Dir(file)); err != nil || info.Mode().Perm() != 0o700 {
		t.Error("others can look into the directory:", info.Mode(), err)
	}
}

func TestHistoryOfOthersIsClosed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history.jsonl")
	os.WriteFile(file, nil, 0o644)
	h, err := openHistory(file, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	h.close()
	if info, _ := os.Stat(file); info.Mode().Perm() != 0o600 {
		t.Error(info.Mode())
	}
}

// Where no file can be written, the history of the session is still there.
func TestHistoryInMemory(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	os.WriteFile(blocked, nil, 0o600)
	for _, file := range []string{"off", filepath.Join(blocked, "history.jsonl")} {
		h, err := openHistory(file, slog.New(slog.DiscardHandler))
		if (err != nil) != (file != "off") {
			t.Error(file, err)
		}
		h.input(1, "x")
		if got, session := kept(t, h); got != "1/1 x; " || session != 1 {
			t.Errorf("%s: %q", file, got)
		}
		h.close()
	}
}

func TestHistoryPlace(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", "/state")
	if file, err := historyFile(); err != nil || file != filepath.Join("/state", "gaucho", "history.jsonl") {
		t.Error(file, err)
	}
}

func TestHistoryChoice(t *testing.T) {
	n := func(i int) *int { return &i }
	for _, c := range []struct {
		q    historyContent
		want string
	}{
		{historyContent{Type: "tail"}, "1/1 1/2 1/3 2/1 3/1 3/2"},
		{historyContent{Type: "tail", N: n(2)}, "3/1 3/2"},
		{historyContent{Type: "tail", N: n(0)}, ""},
		{historyContent{Type: "tail", N: n(-1)}, ""},
		{historyContent{Type: "range"}, "3/1 3/2"},
		{historyContent{Type: "range", Start: n(2)}, "3/2"},
		{historyContent{Type: "range", Session: -1}, "2/1"},
		{historyContent{Type: "range", Session: 1, Start: n(1), Stop: n(3)}, "1/1 1/2"},
		{historyContent{Type: "range", Session: 9}, ""},
		{historyContent{Type: "search", Pattern: "x*"}, "1/1 2/1 3/2"},
		{historyContent{Type: "search", Pattern: "x*", N: n(2)}, "2/1 3/2"},
		{historyContent{Type: "search", Pattern: "x*", Unique: true}, "1/1 3/2"},
		{historyContent{Type: "search"}, "1/1 1/2 1/3 2/1 3/1 3/2"},
	} {
		all := []entry{{1, 1, "x := 1", nil}, {1, 2, "y", nil}, {1, 3, "z", nil}, {2, 1, "x", nil}, {3, 1, "zz", nil}, {3, 2, "x", nil}}
		found, err := c.q.choose(all, 3)
		var got []string
		for _, e := range found {
			got = append(got, fmt.Sprintf("%d/%d", e.session, e.number))
		}
		if strings.Join(got, " ") != c.want || err != nil {
			t.Errorf("%+v: %v, %v", c.q, got, err)
		}
	}
}

func TestGlob(t *testing.T) {
	for _, c := range []struct {
		glob, text string
		want       bool
	}{
		{"", "anything", true},
		{"abc", "abc", true},
		{"abc", "abcd", false},
		{"*b*", "a\nb\nc", true},
		{"a?c", "aéc", true},
		{"a.c", "abc", false},
		{"é*", "été", true},
		{"[ab]x", "bx", true},
		{"[^ab]x", "bx", false},
		{"[^ab]x", "cx", true},
		{"a[", "a[", true},
		{"[]", "[]", true},
		{"[z-a]", "[z-a]", true},
		{"x(", "x(", true},
		{`[\d]`, "d", true},
		{`[\d]`, "7", false},
		{"[[]", "[", true},
	} {
		if got := globPattern(c.glob).MatchString(c.text); got != c.want {
			t.Errorf("%q matches %q: %v", c.glob, c.text, got)
		}
	}
}
