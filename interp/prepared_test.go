package interp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gaucho/interp/kit"
)

// TestPrepared: while another process makes the kit, a session interprets; a cell that runs when it is made says to restart.
func TestPrepared(t *testing.T) {
	if raceDetector {
		t.Skip("no kit is made for the race detector")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	kit.Sources = os.DirFS("..")
	defer func() { kit.Sources = nil }()
	k, err := kit.Find()
	if err != nil || !k.Missing() {
		t.Fatalf("a kit is there already, or none can be: %v", err)
	}
	r := &transcript{}
	s := newSession(t, Options{Engine: "yaegi", Sink: r, Dir: t.TempDir()})
	made := make(chan bool)
	why := prepare(k, func(text string) { s.front.announce(text); close(made) })
	if !strings.Contains(why, "it is being made") {
		t.Errorf("the session says %q", why)
	}
	select {
	case <-made:
	case <-time.After(time.Minute):
		t.Fatal("nothing is announced")
	}
	first, second := runCell(s, r, 1, `fmt.Println("a")`), runCell(s, r, 2, `fmt.Println("b")`)
	if want := "Note: the compiler is made; restart the kernel, and its cells are compiled\na\n"; first != want || second != "b\n" {
		t.Errorf("cells say\n%s\n%s\nwant %s", first, second, want)
	}
}

// makeKit is the process that makes the kit in TestPrepared: an empty one, that is whole.
func makeKit() {
	kit.Sources = os.DirFS("..")
	k, err := kit.Find()
	if err == nil {
		err = os.MkdirAll(k.Dir, 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(k.Dir, "complete"), nil, 0o600)
	}
	if err != nil {
		panic(err)
	}
}
