package interp

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestCompleteWhileFetching: completion and inspection answer while a cell waits for a module.
func TestCompleteWhileFetching(t *testing.T) {
	asked, answered := make(chan bool), make(chan bool)
	first := sync.OnceFunc(func() { close(asked) })
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		first()
		<-answered
		http.Error(w, "no such module", http.StatusNotFound)
	}))
	defer proxy.Close()
	t.Setenv("GOPROXY", proxy.URL)
	r := &transcript{}
	s := startIn(t, "", t.TempDir(), r)
	runCell(s, r, 1, "func mine() int { return 1 }")
	got := make(chan string)
	go func() { got <- runCell(s, r, 2, "import \"example.org/slow\"\nslow.Do()") }()
	<-asked
	if c := s.Complete("min", 3); len(c.Items) == 0 || c.Items[0].Text != "mine" {
		t.Errorf("completions %v", c.Items)
	}
	if _, ok := s.Inspect("mine", 2, 0); !ok {
		t.Error("mine is not documented")
	}
	close(answered)
	if out := <-got; !strings.Contains(out, "Fetching the module of example.org/slow") || strings.Count(out, "Fetching") != 1 || !strings.Contains(out, "package example.org/slow cannot be had") {
		t.Errorf("the cell gave %s", out)
	}
}

// writeFiles writes files, by their paths, into a directory of their own.
func writeFiles(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestIgnored: that vendored packages are not used is said once, with the first module that a cell needs.
func TestIgnored(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	dir := writeFiles(t, map[string]string{
		"go.work": "go 1.26\nuse ./lab\n", "lab/go.mod": "module lab\n\ngo 1.26\n", "lab/vendor/modules.txt": "", "lab/stats/stats.go": "package stats\n\nfunc One() int { return 1 }\n",
	})
	r := &transcript{}
	s := startIn(t, "", filepath.Join(dir, "lab"), r)
	if got := runCell(s, r, 1, "strings.ToUpper(\"a\")"); got != "= \"A\"\n" {
		t.Errorf("a cell without modules gave %s", got)
	}
	got := runCell(s, r, 2, "import \"lab/stats\"\nstats.One()")
	for _, want := range []string{"The vendor directory of the notebook's module is not used", "= 1"} {
		if !strings.Contains(got, want) {
			t.Errorf("the cell gave %s, without %q", got, want)
		}
	}
	if got := runCell(s, r, 3, "import \"example.org/none\""); strings.Contains(got, "is not used") {
		t.Errorf("it is said again: %s", got)
	}
}
