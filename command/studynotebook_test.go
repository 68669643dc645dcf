package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gaucho/stdlib/reproduction"
)

const coinStudy = `coins := &study.Study{
	Name: "coins", Points: study.Grid(study.Values("n", 10, 20)), Replications: 3, Seed: 1,
	Replicate: func(_ context.Context, at study.Point, rng *rand.Rand) (study.Record, error) {
		heads := 0
		for range at.Int("n") * scale {
			heads += rng.IntN(2)
		}
		return study.Record{"heads": heads}, nil
	},
}
results, err := coins.Run(ctx, nil)
if err != nil {
	panic(err)
}
results.Len()`

// TestNotebookStudy: a study that a notebook makes is run, resumed and read from the command line, with its records beside
// the notebook, and nothing of the notebook after it runs.
func TestNotebookStudy(t *testing.T) {
	dir := t.TempDir()
	notebookFile(t, dir, "coins.ipynb", "parameters:scale := 1", coinStudy, `os.WriteFile("after", nil, 0o644)`)
	for range 2 {
		out, errs, status := gaucho(t, dir, "study", "run", "coins.ipynb:coins")
		if status != 0 || out != "coins: 6 records, 0 failed, 0 missing\n" {
			t.Fatalf("status %d, %q, %q", status, out, errs)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "after")); err == nil {
		t.Error("the notebook went on after its study")
	}
	records, err := os.ReadFile(filepath.Join(dir, "studies", "coins.jsonl"))
	if err != nil || strings.Count(string(records), `"heads"`) != 6 {
		t.Errorf("records are %s, error %v", records, err)
	}
	out, _, status := gaucho(t, dir, "study", "export", "coins.ipynb:coins")
	if status != 0 || !strings.HasPrefix(out, "n,replication,heads\n10,0,") || strings.Count(out, "\n") != 7 {
		t.Errorf("export: status %d, %q", status, out)
	}
	if out, _, _ := gaucho(t, dir, "study", "status", "coins.ipynb:coins"); out != "coins: 6 of 6 replications, 0 failed\n" {
		t.Errorf("status says %q", out)
	}
	// With another parameter the function is another, and has records of its own.
	before, _, _ := gaucho(t, dir, "study", "export", "coins.ipynb:coins")
	gaucho(t, dir, "study", "run", "-p", "scale=50", "coins.ipynb:coins")
	if out, errs, status := gaucho(t, dir, "study", "run", "-p", "scael=1000", "coins.ipynb:coins"); status == 0 || !strings.Contains(errs, "no cell tagged parameters declares scael") {
		t.Errorf("a parameter that is misspelled: status %d, %q, %q", status, out, errs)
	}
	after, _, _ := gaucho(t, dir, "study", "export", "-p", "scale=50", "coins.ipynb:coins")
	if before == after || strings.Count(after, "\n") != 7 {
		t.Errorf("with another parameter: %q, before %q", after, before)
	}
}

func TestNotebookStudyBadInput(t *testing.T) {
	dir := t.TempDir()
	notebookFile(t, dir, "coins.ipynb", "scale := 1", coinStudy)
	notebookFile(t, dir, "broken.ipynb", `scale := func() int { panic("before") }()`, coinStudy)
	notebookFile(t, dir, "none.ipynb", "1")
	for _, c := range []struct{ action, study, want string }{
		{"run", "coins.ipynb:dice", "runs no study called dice; it runs coins"},
		{"run", "none.ipynb:dice", "the notebook runs no studies"},
		{"run", "broken.ipynb:coins", "before"},
		{"submit", "coins.ipynb:coins", "--slurm or --kubernetes"},
		{"run", "coins.ipynb", "coins.ipynb:NAME says it"},
		{"report", "coins.ipynb:coins", "coins.jsonl"},
		{"show", "coins.ipynb:coins", "coins.jsonl"},
		{"run", "missing.ipynb:coins", "missing.ipynb"},
	} {
		if out, errs, status := gaucho(t, dir, "study", c.action, c.study); status == 0 || !strings.Contains(errs, c.want) {
			t.Errorf("%s %s: status %d, %q, %q, want %s", c.action, c.study, status, out, errs, c.want)
		}
	}
}

// TestNotebookStudyToTheEnd: a study of a notebook has all that those of the papers have, by its bare name too.
func TestNotebookStudyToTheEnd(t *testing.T) {
	dir := t.TempDir()
	notebookFile(t, dir, "coins.ipynb", "parameters:scale := 1", coinStudy)
	notebookFile(t, dir, "other.ipynb", "\"coins\"")
	say := func(want string, args ...string) string {
		t.Helper()
		out, errs, status := gaucho(t, dir, append([]string{"study"}, args...)...)
		if status != 0 || !strings.Contains(out, want) {
			t.Fatalf("%v: status %d, %q, %q, want %q", args, status, out, errs, want)
		}
		return out
	}
	say("coins: not started", "status", "coins")
	say("6 records, 0 failed, 0 missing", "run", "coins")
	say("6 of 6", "status", "coins")
	say("reproduction/coins.json", "compact", "coins")
	claims := reproduction.Claims{{Source: "Bernoulli 1713", Statement: "half are heads", Verdict: "agrees", Found: "0.5", From: "coins"}, {Statement: "of dice", From: "dice"}}
	if err := claims.Save(filepath.Join(dir, "reproduction", "claims.json")); err != nil {
		t.Fatal(err)
	}
	say("coins.md", "report", "coins")
	page, err := os.ReadFile(filepath.Join(dir, "coins.md"))
	for _, want := range []string{"# coins", "2 points × 3 replications, seed 1; 6 records, 0 failed, 0 missing. Made by go", "| Bernoulli 1713 | half are heads | 0.5 | agrees |", "| 20 | 3 | "} {
		if err != nil || !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %q: %s, %v", want, page, err)
		}
	}
	if strings.Contains(string(page), "dice") {
		t.Errorf("the page has the claims of another study: %s", page)
	}
	job := say("study run coins.ipynb:coins -p 'scale=1 + 1' --shard \"${SLURM_ARRAY_TASK_ID}/2\"", "submit", "--slurm", "--shards", "2", "-p", "scale=1 + 1", "coins")
	say("exec gaucho study run coins.ipynb:coins -p scale=2 --dir /records --shard", "submit", "--kubernetes", "-p", "scale=2", "coins")
	// What the job runs is a command.
	for part := range 2 {
		_, command, _ := strings.Cut(job, "exec gaucho study ")
		command = strings.NewReplacer("${SLURM_ARRAY_TASK_ID}", fmt.Sprint(part+1), "\"", "", "'scale=1 + 1'", "scale=2").Replace(command)
		say("0 failed", strings.Fields(command)...)
	}
	say("6 records", "merge", "-p", "scale=2", "coins")
	notebookFile(t, dir, "again.ipynb", coinStudy)
	if _, errs, status := gaucho(t, dir, "study", "run", "coins"); status != 1 || !strings.Contains(errs, "which notebook's study? again.ipynb:coins, coins.ipynb:coins") {
		t.Errorf("two notebooks: status %d, %s", status, errs)
	}
}

// TestStudyFlags: an action refuses a flag that is another's, and one that its study has no use for.
func TestStudyFlags(t *testing.T) {
	dir := t.TempDir()
	notebookFile(t, dir, "coins.ipynb", "parameters:scale := 1", coinStudy)
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"run --slurm em-rates", 2, "-slurm"},
		{"status --fresh em-rates", 2, "-fresh"},
		{"list --shard 1/2", 2, "-shard"},
		{"export --workers 2 em-rates", 2, "-workers"},
		{"merge --shard 1/2 em-rates", 2, "-shard"},
		{"serve --idle 1m em-rates", 2, "-idle"},
		{"work --listen :0", 2, "-listen"},
		{"work --nats nats://127.0.0.1:1 em-rates", 2, "unexpected argument"},
		{"run -p plays=1 em-rates", 1, "--p is for a notebook's study only"},
		{"run --size small coins.ipynb:coins", 1, "--size is for studies of the papers only"},
		{"report --size small", 1, "--size is for one study"},
		{"--size small run em-rates", 2, "the action comes before its flags"},
		{"list em-rates", 2, "unexpected argument"},
	} {
		out, errs, status := gaucho(t, dir, append([]string{"study"}, strings.Fields(c.args)...)...)
		if status != c.status || !strings.Contains(errs, c.want) {
			t.Errorf("study %s: status %d, %q, %q, want %s", c.args, status, out, errs, c.want)
		}
	}
	for _, a := range studyActions {
		out, _, status := gaucho(t, dir, "study", a.name, "-h")
		if status != 0 || !strings.Contains(out, "usage: gaucho study "+a.name) || strings.Contains(out, "-slurm") != (a.name == "submit") {
			t.Errorf("help of %s: status %d, %s", a.name, status, out)
		}
	}
}

// flips is a study of that name whose records hold the value of an expression.
func flips(variable, name, value string) string {
	return variable + ` := &study.Study{Name: "` + name + `", Points: study.Grid(study.Values("n", 1)), Replications: 40, Seed: 1,
	Replicate: func(_ context.Context, at study.Point, rng *rand.Rand) (study.Record, error) {
		return study.Record{"v": float64(` + value + `)}, nil
	}}`
}

func runs(variable, study string) string {
	return variable + " := must(" + study + ".Run(ctx, &study.Settings{Dir: \"studies\"}))"
}

// TestSecondStudy: a study is run with what it needs of the notebook, and no other; and what it needs is what it finds when the whole
// notebook runs.
func TestSecondStudy(t *testing.T) {
	first := flips("a", "first", "rng.Float64()*scale")
	grown := strings.Replace(flips("b", "second", "at.Int(\"n\")"), "1))", "best))", 1)
	for _, c := range []struct {
		name  string
		cells []string
		runs  bool // the first study
		v     string
	}{
		{"alone", []string{"scale := 2.0", "shared := 3\n" + first + "\n" + runs("ra", "a") + "\nfmt.Println(ra.Len())", flips("b", "second", "shared"), runs("rb", "b")}, false, "3"},
		{"a table of both", []string{"scale := 2.0\ntable := map[string]float64{\"x\": 2}\ntable[\"y\"] = 5", flips("a", "first", "table[\"x\"]"), runs("ra", "a"), "ra.Len()", flips("b", "second", "table[\"y\"]"), runs("rb", "b")}, false, "5"},
		{"by its result", []string{"scale := 2.0", first, runs("ra", "a"), "best := ra.Len()", grown, runs("rb", "b")}, true, "40"},
		{"by an assignment", []string{"scale := 2.0\nbest := 1", first, runs("ra", "a") + "\nbest = ra.Len()", flips("b", "second", "best"), runs("rb", "b")}, true, "40"},
		{"by a function", []string{"scale := 2.0\nbest := 1\nfunc keep(n int) { best = n }", first, runs("ra", "a") + "\nkeep(ra.Len())", flips("b", "second", "best"), runs("rb", "b")}, true, "40"},
		{"by a function of a slice", []string{"scale := 2.0\nbest := []int{1}\nfunc keep(to []int, n int) { to[0] = n }", first, runs("ra", "a") + "\nkeep(best, ra.Len())", flips("b", "second", "best[0]"), runs("rb", "b")}, true, "40"},
		{"by a method", []string{"scale := 2.0\ntype box struct{ n int }\nfunc (b *box) keep(n int) { b.n = n }\nbest := &box{}", first, runs("ra", "a") + "\nbest.keep(ra.Len())", flips("b", "second", "best.n"), runs("rb", "b")}, true, "40"},
		{"by a file", []string{"scale := 2.0", first, runs("ra", "a") + "\nmust0(os.WriteFile(\"n\", []byte(fmt.Sprint(ra.Len())), 0o666))", "best := must(strconv.Atoi(string(must(os.ReadFile(\"n\")))))", flips("b", "second", "best"), runs("rb", "b")}, true, "40"},
		{"by an alias", []string{"scale := 2.0\nbest := []int{1}\nother := best", first, runs("ra", "a") + "\nother[0] = ra.Len()", flips("b", "second", "best[0]"), runs("rb", "b")}, true, "40"},
		{"under a name that is computed", []string{"scale := 2.0", first, runs("ra", "a"), strings.Replace(flips("b", "", "7"), `Name: ""`, `Name: "sec" + "ond"`, 1), runs("rb", "b")}, true, "7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			notebookFile(t, dir, "two.ipynb", c.cells...)
			if out, errs, status := gaucho(t, dir, "study", "run", "two.ipynb:second"); status != 0 || out != "second: 40 records, 0 failed, 0 missing\n" {
				t.Fatalf("status %d, %q, %q", status, out, errs)
			}
			records, err := os.ReadFile(filepath.Join(dir, "studies", "second.jsonl"))
			if err != nil || strings.Count(string(records), `{"v":`+c.v+".0}") != 40 {
				t.Errorf("records are %.400s, %v, want v %s", records, err, c.v)
			}
			if _, err := os.Stat(filepath.Join(dir, "studies", "first.jsonl")); (err == nil) != c.runs {
				t.Errorf("the first study: %v, want it to run: %v", err, c.runs)
			}
		})
	}
}

// TestShardsAtOnce runs two shards of a study that needs another.
func TestShardsAtOnce(t *testing.T) {
	dir := t.TempDir()
	notebookFile(t, dir, "two.ipynb", "scale := 2.0", strings.Replace(flips("a", "first", "rng.Float64()*scale"), "return", "time.Sleep(20*time.Millisecond)\n\t\treturn", 1), runs("ra", "a"),
		"best := ra.Len()", strings.Replace(flips("b", "second", "at.Int(\"n\")"), "1))", "best))", 1), runs("rb", "b"))
	var shards sync.WaitGroup
	for i := range 2 {
		shards.Go(func() {
			if out, errs, status := gaucho(t, dir, "study", "run", "two.ipynb:second", "--shard", fmt.Sprintf("%d/2", i+1)); status != 0 {
				t.Errorf("shard %d: status %d, %q, %q", i+1, status, out, errs)
			}
		})
	}
	shards.Wait()
	if out, errs, status := gaucho(t, dir, "study", "merge", "two.ipynb:second"); status != 0 || !strings.Contains(out, "second: 40 records, 0 failed, 0 missing") {
		t.Errorf("merge: status %d, %q, %q", status, out, errs)
	}
}
