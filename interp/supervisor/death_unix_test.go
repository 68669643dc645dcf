//go:build unix

package supervisor

import (
	"context"
	"log/slog"
	"testing"

	"gaucho/interp/wire"
)

// TestMutedAndEnded: a worker whose messages have ended, and whose end is seen only after the patience with it is over, ended for
// its own reason if it ended by itself.
func TestMutedAndEnded(t *testing.T) {
	for end, want := range map[string]wire.Error{
		"exit 3":     {Name: "Exit", Code: 3},
		"kill -9 $$": {Name: "Killed"},
		"printf 'fatal error: out of memory\\n\\ngoroutine 1 [running]:\\n' >&2; exit 2": {Name: "out of memory"},
	} {
		p := &Process{log: slog.New(slog.DiscardHandler), out: newGather(nil)}
		p.opts.Command = []string{"/bin/sh", "-c", "head -c 1 <&3 >/dev/null; " + end} // 3 has the requests
		c, err := startChild(p)
		if err != nil {
			t.Fatal(err)
		}
		muted := &wire.Error{Name: "Killed", Value: "muted"}
		c.mu.Lock()
		c.muted = muted
		c.mu.Unlock()
		done, err := c.run(context.Background(), &wire.Run{Cell: 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if e := done.Error; e.Name != want.Name || e.Code != want.Code || (e.Value == muted.Value) != (want.Name == "Killed") {
			t.Errorf("%s: the worker ended as %+v, want %s", end, *e, want.Name)
		}
	}
}
