package interp

import (
	"context"
	"strings"
	"testing"
)

// TestForbidden: a package that the session's options forbid is to be had neither by an import nor without one, whatever
// it is called.
func TestForbidden(t *testing.T) {
	s := newSession(t, Options{Sink: &transcript{}, NoShell: true, Forbidden: []string{"os/exec", "net/", "net"}})
	for _, c := range []struct{ source, want string }{
		{`import "os/exec"`, "package os/exec may not be imported here"},
		{`import x "net/http"; x.Get("")`, "package net/http may not be imported here"},
		{`import . "net"`, "package net may not be imported here"},
		{`exec.Command("ls")`, "undefined: exec"},
		{`http.Get("")`, "undefined: http"},
		{`strings.ToUpper("a")`, ""},
	} {
		res := s.Execute(context.Background(), Cell{ID: "1", Number: 1, Source: c.source})
		got := ""
		if res.Err != nil {
			got = res.Err.Name + ": " + res.Err.Value
		}
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.source, got, c.want)
		}
	}
}
