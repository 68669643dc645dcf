package reproduction

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func ExampleRead() {
	record, err := Read("herding-mixture")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range record.Points("method", "FCFW") {
		last, err := record.Summary(p, "lastMMD")
		fmt.Println(p.Int("N"), last.N, last.Median < 0.01, err)
	}
	// Output: 200 30 true <nil>
}

// TestEveryRecordIsRead checks that each record in the program draws its numbers.
func TestEveryRecordIsRead(t *testing.T) {
	t.Chdir(t.TempDir())
	if len(Names()) == 0 {
		t.Fatal("no records are in the program")
	}
	for _, name := range Names() {
		c, err := Read(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if c.Study != name || len(c.Kept) == 0 || !strings.HasPrefix(c.String(), name+" at its ") {
			t.Errorf("%s is a record of %s with %d points: %s", name, c.Study, len(c.Kept), c)
		}
		for _, p := range c.Kept {
			for field := range p.Numbers {
				if _, err := c.Summary(p.Point, field); err != nil {
					t.Error(err)
				}
			}
			for field, path := range p.Paths {
				if len(path.Places) != len(path.Median) || len(path.Mean) != len(path.Median) {
					t.Errorf("%s, %v: the path %s has %d places and %d medians", name, p.Point, field, len(path.Places), len(path.Median))
				}
			}
		}
	}
}

// TestFolderComesFirst checks that a record in the directory of a notebook, or above it, is taken before the one in the program.
func TestFolderComesFirst(t *testing.T) {
	root := t.TempDir()
	below := filepath.Join(root, "notebooks", "papers")
	for _, dir := range []string{below, filepath.Join(root, "reproduction")} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(root, "reproduction", name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("herding-mixture.json", `{"study": "herding-mixture", "version": "beside", "points": []}`)
	t.Chdir(below)
	if c, err := Read("herding-mixture"); err != nil || c.Version != "beside" {
		t.Errorf("read %v, %v, want the one beside the notebook", c, err)
	}
	if c, err := Read("em-rates"); err != nil || c.Study != "em-rates" {
		t.Errorf("read %v, %v, want the one in the program", c, err)
	}
	write("em-rates.json", "{")
	if _, err := Read("em-rates"); err == nil || !strings.Contains(err.Error(), "em-rates.json") {
		t.Errorf("half a record gives %v", err)
	}
	write("claims.json", "{")
	if _, err := Section("em", ""); err == nil || !strings.Contains(err.Error(), "claims.json") {
		t.Errorf("half a file of claims gives %v", err)
	}
}

func TestSection(t *testing.T) {
	claims, err := Section("em", "Figure 2.3: two errors")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range claims {
		if c.Notebook != "em#Figure 2.3: two errors" || c.Statement == "" || c.Verdict == "" || c.From == "" {
			t.Errorf("%+v", c)
		}
	}
	all, err := Section("em", "")
	if err != nil || len(all) <= len(claims) {
		t.Errorf("%d claims of the section, %d of the notebook, %v", len(claims), len(all), err)
	}
	for _, want := range []string{"<table", claims[0].Place} {
		if !strings.Contains(claims.HTML(), want) {
			t.Errorf("as HTML: %s", claims.HTML())
		}
	}
	if s := claims.String(); !strings.Contains(s, claims[0].Statement) {
		t.Error(s)
	}
	escaped := Claims{{Place: "a<b", Verdict: "does not", Tried: "x & y"}}.HTML()
	if !strings.Contains(escaped, "a&lt;b") || !strings.Contains(escaped, "x &amp; y") {
		t.Error(escaped)
	}
	if _, err := Section("em", "Nowhere"); err == nil {
		t.Error("a section that does not exist has claims")
	}
	if _, err := Read("nothing"); err == nil || !strings.Contains(err.Error(), "gaucho study run nothing") {
		t.Errorf("no record gives %v", err)
	}
}
