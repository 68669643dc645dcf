package studies

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gaucho/stdlib/study"
)

// TestReportIsCurrent checks that REPRODUCTION.md and claims.json are what the committed records give.
func TestReportIsCurrent(t *testing.T) {
	var page bytes.Buffer
	if err := Report(&page, "../../stdlib/reproduction"); err != nil {
		t.Fatal(err)
	}
	old, err := os.ReadFile("../../REPRODUCTION.md")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(old, page.Bytes()) {
		t.Error("REPRODUCTION.md is not what the records in reproduction give: go run . study report")
	}
	claims, err := ReportClaims("../../stdlib/reproduction")
	if err != nil {
		t.Fatal(err)
	}
	if old, err := os.ReadFile("../../stdlib/reproduction/claims.json"); err != nil || !bytes.Equal(old, claims) {
		t.Errorf("claims.json is not what the records in reproduction give: go run . study report; %v", err)
	}
}

// TestClaimsAreDecidable checks that what claims name exists: studies, tests, headings of notebooks.
func TestClaimsAreDecidable(t *testing.T) {
	ids := map[string]bool{}
	for _, c := range Claims() {
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
			if makers[c.Study] == nil || c.Judge == nil || c.Test != "" {
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

// TestRecordsAreOfStudies checks that committed records are those of registered studies, small, and written as Marshal does.
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
		c, err := ReadCompact("../../stdlib/reproduction", name)
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

// compactStudy has a number, a number that need not be finite, and paths of different lengths.
func compactStudy() *study.Study {
	return &study.Study{
		Name: "compact.default", Version: "3", Seed: 5, Replications: 5, AnyNumber: true,
		Points: study.Grid(study.Values("m", "a", "b"), study.Values("x", 0.5)),
		Replicate: func(_ context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
			path := make([]float64, 120+rng.IntN(3))
			for i := range path {
				path[i] = float64(i)
			}
			r := study.Record{"n": rng.IntN(100), "f": rng.Float64(), "path": path, "text": "no number"}
			if p.Text("m") == "b" {
				r["f"] = math.Inf(1)
			}
			return r, nil
		},
	}
}

func TestCompact(t *testing.T) {
	s, dir := compactStudy(), t.TempDir()
	if _, err := s.Run(context.Background(), &study.Settings{Workers: 3, Dir: dir}); err != nil {
		t.Fatal(err)
	}
	res, err := s.Load(filepath.Join(dir, "compact.default.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewCompact(res, Small); err == nil {
		t.Error("the small size is taken")
	}
	c, err := NewCompact(res, Default)
	if err != nil {
		t.Fatal(err)
	}
	if c.Study != "compact" || c.Seed != 5 || c.Version != "3" || len(c.Made) != 1 || len(c.Kept) != 2 || c.Missing != 0 {
		t.Errorf("the record is %+v", c)
	}
	want, err := res.Summary(s.Points[0], "n")
	if err != nil {
		t.Fatal(err)
	}
	if n := c.Kept[0].Numbers["n"]; n.N != 5 || float64(n.Median) != want.Median || float64(n.Q3) != want.Q3 || float64(n.Max) != want.Max {
		t.Errorf("n is %+v, want %+v", n, want)
	}
	path := c.Kept[0].Paths["path"]
	if n := len(path.Places); n > 50 || path.Places[0] != 0 || path.Places[1] != 1 || path.Places[n-1] < 119 || float64(path.Median[7]) != float64(path.Places[7]) {
		t.Errorf("the path is %v", path)
	}
	if len(c.Kept[0].Numbers) != 2 {
		t.Errorf("the numbers are %v", c.Kept[0].Numbers)
	}
}

func TestCompactRoundTrip(t *testing.T) {
	res, err := compactStudy().Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewCompact(res, Default)
	if err != nil {
		t.Fatal(err)
	}
	c.Made = []string{"go1.0 on none"}
	dir := filepath.Join(t.TempDir(), "new")
	if _, err := ReadCompact(dir, "compact"); !os.IsNotExist(err) {
		t.Errorf("error %v for no record, want %v", err, fs.ErrNotExist)
	}
	if _, err := WriteCompact(dir, c); err != nil {
		t.Fatal(err)
	}
	first, err := c.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	back, err := ReadCompact(dir, "compact")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := back.Marshal(); err != nil || !bytes.Equal(first, again) {
		t.Errorf("reading and writing gives\n%s, %v, not\n%s", again, err, first)
	}
	if f := back.Kept[1].Numbers["f"].Min; !math.IsInf(float64(f), 1) {
		t.Errorf("an infinity came back as %v", f)
	}
	back.Size = string(Paper)
	if _, err := WriteCompact(dir, back); err != nil {
		t.Fatal(err)
	}
	if _, err := WriteCompact(dir, c); err == nil {
		t.Error("a record of the paper's size was replaced by a smaller one")
	}
	if err := os.WriteFile(filepath.Join(dir, "broken.json"), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadCompact(dir, "broken"); err == nil {
		t.Error("half a record was read")
	}
	if _, err := ReadCompact(dir, "other"); !os.IsNotExist(err) {
		t.Error(err)
	}
}

// TestVerdicts checks what becomes of a claim with and without what it needs.
func TestVerdicts(t *testing.T) {
	dir := t.TempDir()
	c := &study.Compact{Study: "em-convergence", Size: string(Paper), Version: "2", Kept: []study.CompactPoint{
		{Point: study.NewPoint("eta", 1.5, "n", 1000, "d", 10), Numbers: map[string]study.CompactNumber{"apart": {N: 3, Median: 2}}},
	}}
	if _, err := WriteCompact(dir, c); err != nil {
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
		"a wrong point": {Claim{Study: "em-convergence", Judge: func(e *Evidence) (string, bool) { return "", e.at("apart", "d", 11).N == 0 }}, NotRun},
	} {
		if _, got, _, err := x.claim.Decide(dir); err != nil || got != x.want {
			t.Errorf("%s: %s, %v, want %s", name, got, err, x.want)
		}
	}
	c.Version = "0"
	if _, err := WriteCompact(dir, c); err != nil {
		t.Fatal(err)
	}
	if found, got, _, err := (&Claim{Study: "em-convergence", Judge: more("apart")}).Decide(dir); err != nil || got != NotRun || !strings.Contains(found, "version 0") {
		t.Errorf("with records of another version: %s %s, %v", found, got, err)
	}
}
