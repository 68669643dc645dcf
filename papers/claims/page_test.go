package claims

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestReportIsCurrent checks that the pages and claims.json are what the committed records give, and that the summary is one that a
// reader takes in.
func TestReportIsCurrent(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	const records = "../../stdlib/reproduction"
	files, err := Pages(records)
	if err != nil {
		t.Fatal(err)
	}
	if words := len(bytes.Fields(files["REPRODUCTION.md"])); words > 1500 {
		t.Errorf("REPRODUCTION.md has %d words, 1,500 are a page", words)
	}
	if files["stdlib/reproduction/claims.json"], err = JSON(records); err != nil {
		t.Fatal(err)
	}
	for file, now := range files {
		if old, err := os.ReadFile(filepath.Join("../..", file)); err != nil || !bytes.Equal(old, now) {
			t.Errorf("%s is not what the records in reproduction give: go run . study report --compact stdlib/reproduction; %v", file, err)
		}
	}
}
