package command

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestStudyReport: the command line of README writes the pages of the records that come with Gaucho, and nothing else; a
// directory without a record is refused, and nothing is written.
func TestStudyReport(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	want, err := os.ReadFile("../REPRODUCTION.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, errs, status := gaucho(t, dir, "study", "report"); status != 0 {
		t.Fatal(status, errs)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 { // and docs
		t.Errorf("it made %v, %v, want REPRODUCTION.md and docs alone", entries, err)
	}
	for _, link := range regexp.MustCompile(`\]\((docs/[^)]*)\)`).FindAllStringSubmatch(string(want), -1) {
		if _, err := os.Stat(filepath.Join(dir, link[1])); err != nil {
			t.Error(err)
		}
	}
	if got, err := os.ReadFile(filepath.Join(dir, "REPRODUCTION.md")); err != nil || string(got) != string(want) {
		t.Errorf("the page has %d bytes, want the %d of the repository's (%v)", len(got), len(want), err)
	}
	for _, args := range [][]string{{"--compact", "none"}, {"--compact", "."}} {
		_, errs, status := gaucho(t, dir, append([]string{"study", "report", "-o", "other.md"}, args...)...)
		if status != 1 || !strings.Contains(errs, "no compact record") {
			t.Errorf("%v: status %d, %s", args, status, errs)
		}
	}
	for _, name := range []string{"none", "other.md", "claims.json"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s was made", name)
		}
	}
}
