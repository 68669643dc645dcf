package kit

import (
	"errors"
	"io/fs"
	"os"
	"testing"
	"time"
)

// TestVerdict: a verdict stays, one for a day goes after it, and one process tests a kit at a time.
func TestVerdict(t *testing.T) {
	k := &Kit{Dir: t.TempDir()}
	wants := func(text string, none bool) {
		t.Helper()
		got, err := k.Verdict()
		if got != text || errors.Is(err, fs.ErrNotExist) != none || err != nil && !none {
			t.Errorf("verdict %q, error %v, want %q", got, err, text)
		}
	}
	wants("", true)
	if err := k.SetVerdictForDay("slow"); err != nil {
		t.Fatal(err)
	}
	wants("slow", false)
	file, err := k.ofProgram("day")
	if err != nil {
		t.Fatal(err)
	}
	yesterday := time.Now().Add(-25 * time.Hour)
	if err := os.Chtimes(file, yesterday, yesterday); err != nil {
		t.Fatal(err)
	}
	wants("", true)
	if err := k.SetVerdict("broken"); err != nil {
		t.Fatal(err)
	}
	wants("broken", false)
	if err := k.SetVerdict(""); err != nil {
		t.Fatal(err)
	}
	wants("", false)
	release, alone := k.Alone()
	if !alone {
		t.Fatal("another process tests a new kit")
	}
	if _, alone := k.Alone(); alone {
		t.Error("two test a kit at once")
	}
	release()
	if release, alone = k.Alone(); !alone {
		t.Error("nobody can test the kit any more")
	} else {
		release()
	}
}
