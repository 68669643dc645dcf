package claims

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gaucho/papers"
	"gaucho/papers/catalog"
	"gaucho/stdlib/study"
)

// TestClaimsAreDecidable checks that what claims name exists: studies, tests, headings of notebooks.
func TestClaimsAreDecidable(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	ids := map[string]bool{}
	for _, c := range All() {
		if ids[c.ID] || c.ID == "" {
			t.Errorf("two claims have the name %q", c.ID)
		}
		ids[c.ID] = true
		if strings.Contains(strings.ReplaceAll(c.Place+c.Statement+c.Tried, "|mean|", ""), "|") {
			t.Errorf("%s: a bar ends a cell of the table", c.ID)
		}
		switch {
		case c.Statement == "" || c.Place == "":
			t.Errorf("%s says nothing or nowhere", c.ID)
		case c.Study != "":
			if _, err := catalog.Get(c.Study, papers.Paper); err != nil || c.Judge == nil || c.Test != "" {
				t.Errorf("%s: the study %s does not exist, or nothing judges it, or a test does", c.ID, c.Study)
			}
		case c.Test != "":
			if !testExists(t, c.Test) {
				t.Errorf("%s: there is no test %s", c.ID, c.Test)
			}
		case c.Bench != "":
			folder, _, _ := strings.Cut(c.Bench, " ")
			if _, err := os.Stat("../../bench/" + folder + "/main.go"); err != nil || c.Measured == "" {
				t.Errorf("%s: the benchmark %s does not exist, or nothing was measured", c.ID, c.Bench)
			}
		case c.Tried == "":
			t.Errorf("%s is decided by nothing and does not say why", c.ID)
		}
		if _, v, _, err := c.Decide("../../stdlib/reproduction"); err != nil || v == Differs && c.Tried == "" {
			t.Errorf("%s does not come out, and nothing says what was tried; %v", c.ID, err)
		}
		if c.Notebook != "" && !headingExists(t, c.Notebook) {
			t.Errorf("%s: there is no section %s", c.ID, c.Notebook)
		}
	}
}

func testExists(t *testing.T, test string) bool {
	pkg, name, _ := strings.Cut(test, ".")
	files, err := filepath.Glob("../../stdlib/" + pkg + "/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte("\nfunc "+name+"(t *testing.T)")) {
			return true
		}
	}
	return false
}

func headingExists(t *testing.T, place string) bool {
	file, heading, _ := strings.Cut(place, "#")
	js, err := os.ReadFile("../../notebooks/papers/" + file + ".ipynb")
	if err != nil {
		t.Error(err)
		return false
	}
	var notebook struct {
		Cells []struct {
			Source json.RawMessage `json:"source"`
		} `json:"cells"`
	}
	if err := json.Unmarshal(js, &notebook); err != nil {
		t.Fatal(err)
	}
	for _, c := range notebook.Cells {
		var lines []string
		if json.Unmarshal(c.Source, &lines) != nil {
			lines = []string{string(c.Source)}
		}
		if regexp.MustCompile(`(?m)^#+ ` + regexp.QuoteMeta(heading) + `$`).MatchString(strings.Join(lines, "")) {
			return true
		}
	}
	return false
}

// TestVerdicts checks what becomes of a claim with and without what it needs.
func TestVerdicts(t *testing.T) {
	dir := t.TempDir()
	c := &study.Compact{Study: "em-convergence", Size: string(papers.Paper), Version: "2", Kept: []study.CompactPoint{
		{Point: study.NewPoint("eta", 1.5, "n", 1000, "d", 10), Numbers: map[string]study.CompactNumber{"apart": {N: 3, Median: 2}}},
	}}
	if _, err := papers.WriteCompact(dir, c); err != nil {
		t.Fatal(err)
	}
	more := func(field string) func(e *Evidence) (string, bool) {
		return func(e *Evidence) (string, bool) { return "found", e.at(field, "d", 10).Median > 1 }
	}
	for name, x := range map[string]struct {
		claim Claim
		want  Verdict
	}{
		"a test":        {Claim{Test: "em.TestLong"}, Tested},
		"nothing":       {Claim{Tried: "no data"}, NotRun},
		"no records":    {Claim{Study: "em-rates", Judge: more("apart")}, NotRun},
		"no field":      {Claim{Study: "em-convergence", Judge: more("error")}, NotRun},
		"it holds":      {Claim{Study: "em-convergence", Judge: more("apart")}, Agrees},
		"it does not":   {Claim{Study: "em-convergence", Judge: func(e *Evidence) (string, bool) { return "", e.at("apart").Median > 2 }}, Differs},
		"no number":     {Claim{Study: "em-convergence", Judge: func(*Evidence) (string, bool) { t := tally{}; t.below("p", digit(math.NaN()), 1); return t.result() }}, NotRun},
		"a wrong point": {Claim{Study: "em-convergence", Judge: func(e *Evidence) (string, bool) { return "", e.at("apart", "d", 11).N == 0 }}, NotRun},
	} {
		if _, got, _, err := x.claim.Decide(dir); err != nil || got != x.want {
			t.Errorf("%s: %s, %v, want %s", name, got, err, x.want)
		}
	}
	c.Version = "0"
	if _, err := papers.WriteCompact(dir, c); err != nil {
		t.Fatal(err)
	}
	if found, got, _, err := (&Claim{Study: "em-convergence", Judge: more("apart")}).Decide(dir); err != nil || got != NotRun || !strings.Contains(found, "version 0") {
		t.Errorf("with records of another version: %s %s, %v", found, got, err)
	}
}
