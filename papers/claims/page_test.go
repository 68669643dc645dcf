package claims

import (
	"bytes"
	"os"
	"testing"
)

// TestReportIsCurrent checks that REPRODUCTION.md and claims.json are what the committed records give.
func TestReportIsCurrent(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	for file, write := range map[string]func(dir string) ([]byte, error){
		"../../REPRODUCTION.md":                 Page,
		"../../stdlib/reproduction/claims.json": JSON,
	} {
		now, err := write("../../stdlib/reproduction")
		if err != nil {
			t.Fatal(err)
		}
		if old, err := os.ReadFile(file); err != nil || !bytes.Equal(old, now) {
			t.Errorf("%s is not what the records in reproduction give: go run . study report --compact stdlib/reproduction; %v", file, err)
		}
	}
}
