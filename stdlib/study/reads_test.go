package study

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// readLogged does what package os does where it has a ReadLog.
func readLogged(name string) ([]byte, error) {
	ReadLog{}.Open(name)
	return os.ReadFile(name)
}

func getenvLogged(name string) string {
	ReadLog{}.Getenv(name)
	return os.Getenv(name)
}

// reader is a study whose records hold what a file and a variable of the environment hold.
func reader(read func() string) *Study {
	return &Study{Name: "r", Points: Grid(Values("n", 1, 2)), Replications: 20, Seed: 1,
		Replicate: func(context.Context, Point, *rand.Rand) (Record, error) {
			return Record{"file": read(), "variable": getenvLogged("GAUCHO_READS")}, nil
		}}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func plain() string {
	text, err := readLogged("data.csv")
	if err != nil {
		panic(err)
	}
	return string(text)
}

// TestReadsChange changes one thing that Replicate reads between two runs, and then brings it back.
func TestReadsChange(t *testing.T) {
	for _, c := range []struct {
		name         string
		change, back func()
	}{
		{"file", func() { write(t, "data.csv", "2") }, func() { write(t, "data.csv", "1") }},
		{"variable", func() { os.Setenv("GAUCHO_READS", "b") }, func() { os.Setenv("GAUCHO_READS", "a") }},
		{"unset", func() { os.Unsetenv("GAUCHO_READS") }, func() { os.Setenv("GAUCHO_READS", "a") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			t.Setenv("GAUCHO_READS", "a")
			write(t, "data.csv", "1")
			run := func() *Results {
				t.Helper()
				res, err := reader(plain).Run(context.Background(), &Settings{Dir: "studies", Workers: 3})
				if err != nil {
					t.Fatal(err)
				}
				for i := range res.Len() {
					if _, _, rec := res.Row(i); rec["file"] != plain() || rec["variable"] != os.Getenv("GAUCHO_READS") {
						t.Fatalf("record %d is %v, the file holds %q, the variable %q", i, rec, plain(), os.Getenv("GAUCHO_READS"))
					}
				}
				return res
			}
			run()
			count := recordsInFile(t)
			if run(); recordsInFile(t) != count {
				t.Error("an unchanged study ran again")
			}
			c.change()
			if res := run(); len(res.Notes) != 1 || !strings.Contains(res.Notes[0], "40 records stay in the file and are not used") {
				t.Errorf("after the change, notes are %q", res.Notes)
			}
			count = recordsInFile(t)
			run()
			c.back()
			if run(); recordsInFile(t) != count {
				t.Error("with everything as it was, the study ran again")
			}
		})
	}
}

func recordsInFile(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("studies", "r.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(text), `"record":`)
}

// TestReadsOnce has a function that reads its file once a process, which may be when a record is run anew.
func TestReadsOnce(t *testing.T) {
	t.Chdir(t.TempDir())
	process := func(stop bool) *Results {
		t.Helper()
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		s := reader(sync.OnceValue(plain))
		s.Replications = 1000
		res, err := s.Run(ctx, &Settings{Dir: "studies", Workers: 1, Progress: func(done, _ int) {
			if stop && done > 0 {
				cancel()
			}
		}})
		if (err != nil) != stop {
			t.Fatal(err)
		}
		return res
	}
	write(t, "data.csv", "1")
	process(true)
	if res := process(false); len(res.Notes) > 0 {
		t.Errorf("resumed, notes are %q", res.Notes)
	}
	write(t, "data.csv", "2")
	process(true)
	res := process(false)
	for i := range res.Len() {
		if _, _, rec := res.Row(i); rec["file"] != "2" {
			t.Fatalf("record %d is %v after the file was changed", i, rec)
		}
	}
}

// TestReadsOwn has a Replicate that writes files: its own are no reason to run anew.
func TestReadsOwn(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "data.csv", "1")
	write(t, "log.txt", "")
	s := reader(func() string {
		ReadLog{}.Open("log.txt")
		f, err := os.OpenFile("log.txt", os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			panic(err)
		}
		defer f.Close()
		if _, err := f.WriteString("a replication\n"); err != nil {
			panic(err)
		}
		ReadLog{}.Open("scratch")
		if err := os.WriteFile("scratch", []byte("x"), 0o666); err != nil {
			panic(err)
		}
		return plain()
	})
	for range 2 {
		if res, err := s.Run(context.Background(), &Settings{Dir: "studies", Workers: 1}); err != nil || len(res.Notes) > 0 {
			t.Fatalf("notes %q, %v", res.Notes, err)
		}
	}
	records, err := os.ReadFile("studies/r.jsonl")
	if text := string(records); err != nil || strings.Contains(text, "log.txt") || strings.Contains(text, "scratch") || strings.Count(text, `"file data.csv"`) != 1 {
		t.Errorf("the file of records says of reads %.400s, %v", text, err)
	}
}

// TestReadsMerge merges shards that were run with different data.
func TestReadsMerge(t *testing.T) {
	t.Chdir(t.TempDir())
	shard := func(i int, data string) {
		write(t, "data.csv", data)
		if _, err := reader(plain).Run(context.Background(), &Settings{Dir: "studies", Shard: i, Shards: 2}); err != nil {
			t.Fatal(err)
		}
	}
	shard(1, "1")
	shard(2, "2")
	if _, err := reader(plain).Merge("studies"); err == nil || !strings.Contains(err.Error(), "shard-1-of-2.jsonl was made when what Replicate reads was another, file data.csv") {
		t.Errorf("shards of different data: %v", err)
	}
	shard(1, "2")
	if res, err := reader(plain).Merge("studies"); err != nil || res.Missing > 0 {
		t.Fatal(err)
	}
	write(t, "data.csv", "3")
	if res, err := reader(plain).Load("studies/r.jsonl"); err != nil || res.Len() != 0 {
		t.Errorf("merged records after the data was changed: %d, %v", res.Len(), err)
	}
}

// TestReadsElsewhere: what other code reads while a study runs is nothing to it.
func TestReadsElsewhere(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "other", "1")
	s := constant(new(float64), nil)
	s.Replicate = func(context.Context, Point, *rand.Rand) (Record, error) { return Record{"v": 1}, nil }
	read := func(int, int) {
		if _, err := readLogged("other"); err != nil {
			t.Error(err)
		}
	}
	if _, err := s.Run(context.Background(), &Settings{Dir: "studies", Progress: read}); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile("studies/c.jsonl"); err != nil || strings.Contains(string(text), readsPrefix) {
		t.Errorf("the file of records is %.300s, %v", text, err)
	}
}

// TestReadsGoroutine has a goroutine that Replicate starts read the file.
func TestReadsGoroutine(t *testing.T) {
	t.Chdir(t.TempDir())
	s := reader(func() (text string) {
		var wg sync.WaitGroup
		wg.Go(func() { text = plain() })
		wg.Wait()
		return text
	})
	run := func(want string) {
		t.Helper()
		res, err := s.Run(context.Background(), &Settings{Dir: "studies", Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		for i := range res.Len() {
			if _, _, rec := res.Row(i); rec["file"] != want {
				t.Fatalf("record %d is %v, the file holds %s", i, rec, want)
			}
		}
	}
	write(t, "data.csv", "1")
	run("1")
	run("1")
	if n := recordsInFile(t); n != 40 {
		t.Errorf("an unchanged study has %d records in its file, want 40", n)
	}
	write(t, "data.csv", "2")
	run("2")
}

// TestReadsSize has a Replicate that only looks how large a file is, and whether it is there.
func TestReadsSize(t *testing.T) {
	t.Chdir(t.TempDir())
	size := func() int {
		ReadLog{}.Stat("data.csv")
		info, err := os.Stat("data.csv")
		if err != nil {
			return -1
		}
		return int(info.Size())
	}
	s := constant(new(float64), nil)
	s.Replicate = func(context.Context, Point, *rand.Rand) (Record, error) { return Record{"v": size()}, nil }
	for _, change := range []func(){func() { write(t, "data.csv", "1") }, func() { write(t, "data.csv", "12") }, func() { os.Remove("data.csv") }} {
		change()
		res, err := s.Run(context.Background(), &Settings{Dir: "studies"})
		if err != nil {
			t.Fatal(err)
		}
		if sum, err := res.Summary(res.Points()[0], "v"); err != nil || sum.Min != float64(size()) || sum.Max != float64(size()) {
			t.Errorf("the records are from %v to %v, the size is %d, %v", sum.Min, sum.Max, size(), err)
		}
	}
}

// TestReadsInOtherProcesses enters what workers of a pool send. What they read that is the same here belongs to the records; of the
// rest there is a note.
func TestReadsInOtherProcesses(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("GAUCHO_READS", "a")
	write(t, "data.csv", "1")
	s := reader(plain)
	worker, err := s.Open(nil)
	if err != nil {
		t.Fatal(err)
	}
	serve := func(after func(lines []byte) []byte) (*Book, []Job) {
		t.Helper()
		b, err := s.Open(&Settings{Dir: "studies"})
		if err != nil {
			t.Fatal(err)
		}
		missing := b.Missing()
		lines, err := worker.RunJobs(context.Background(), missing, 2)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Enter(after(lines)); err != nil {
			t.Fatal(err)
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		return b, missing
	}
	same := func(lines []byte) []byte { return lines }
	if b, _ := serve(same); len(b.Notes) > 0 {
		t.Errorf("notes are %q", b.Notes)
	}
	if _, missing := serve(same); len(missing) > 0 {
		t.Errorf("%d replications of a finished study are missing", len(missing))
	}
	write(t, "data.csv", "2")
	if b, missing := serve(same); len(missing) != 40 || len(b.Notes) != 1 || b.Results().Missing > 0 {
		t.Errorf("after the data was changed %d replications are missing, notes are %q", len(missing), b.Notes)
	}
	write(t, "data.csv", "3")
	b, _ := serve(func(lines []byte) []byte {
		write(t, "data.csv", "4") // a server with other data
		return lines
	})
	if len(b.Notes) != 2 || !strings.Contains(b.Notes[1], "workers read file data.csv, which is another where the records are") {
		t.Errorf("workers with other data: notes are %q", b.Notes)
	}
	if _, err := b.Enter([]byte(`{"reads":{"file data.csv":"0"}}` + "\n")); err != nil || len(b.Notes) != 3 || !strings.Contains(b.Notes[2], "workers read different things as file data.csv") {
		t.Errorf("workers with different data: %v, notes are %q", err, b.Notes)
	}
	if _, err := b.Enter([]byte(`{"reads":1}` + "\n")); err == nil {
		t.Error("a line that is none is taken")
	}
}
