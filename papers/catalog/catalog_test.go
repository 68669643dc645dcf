package catalog

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gaucho/papers"
	"gaucho/stdlib/study"
)

// TestNames checks that a study has the name that it is listed by, and is in the package of that name's first word.
func TestNames(t *testing.T) {
	for name, newStudy := range makers {
		if s := newStudy(papers.Default); s.Name != papers.Name(name, papers.Default) {
			t.Errorf("%s at the default size is called %s", name, s.Name)
		}
	}
	code, err := os.ReadFile("catalog.go")
	if err != nil {
		t.Fatal(err)
	}
	entries := regexp.MustCompile(`"(\w+)-[\w-]+": +(\w+)\.`).FindAllSubmatch(code, -1)
	if len(entries) != len(makers) {
		t.Errorf("%d entries are like others, of %d", len(entries), len(makers))
	}
	for _, e := range entries {
		if !bytes.Equal(e[1], e[2]) {
			t.Errorf("%s is in package %s", e[0], e[2])
		}
	}
}

// TestSmall runs every study at its smallest size.
func TestSmall(t *testing.T) {
	for i, s := range All(papers.Small) {
		if testing.Short() && i%6 > 0 {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			res, err := s.Run(context.Background(), &study.Settings{Workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			if n := len(s.Points) * s.Replications; res.Len() != n {
				t.Errorf("%d records, want %d", res.Len(), n)
			}
		})
	}
}

// TestRecordsAreOfStudies checks that committed records are those of studies, small, and written as Marshal does.
func TestRecordsAreOfStudies(t *testing.T) {
	files, err := filepath.Glob("../../stdlib/reproduction/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".json")
		if name == "claims" {
			continue
		}
		if makers[name] == nil {
			t.Errorf("%s is of no study", f)
			continue
		}
		c, err := papers.ReadCompact("../../stdlib/reproduction", name)
		if err != nil {
			t.Error(err)
			continue
		}
		js, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := c.Marshal(); err != nil || !bytes.Equal(js, again) {
			t.Errorf("%s is not written as Marshal does; %v", f, err)
		}
		if len(js) > 200_000 {
			t.Errorf("%s has %d bytes", f, len(js))
		}
	}
}
