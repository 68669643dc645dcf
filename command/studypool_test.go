package command

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// A background is the command while it runs.
type background struct {
	*exec.Cmd
	out   bytes.Buffer
	mu    sync.Mutex
	errs  strings.Builder
	ended chan error
}

// begin starts the command in a directory. It is killed when the test ends.
func begin(t *testing.T, dir string, args ...string) *background {
	t.Helper()
	b := &background{Cmd: exec.Command(os.Args[0], args...), ended: make(chan error, 1)}
	b.Env = append(os.Environ(), "GAUCHO_TEST_COMMAND=1")
	b.Dir, b.Stdout = dir, &b.out
	errs, err := b.StderrPipe()
	if err == nil {
		err = b.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for lines := bufio.NewReader(errs); ; {
			line, err := lines.ReadString('\n')
			b.mu.Lock()
			b.errs.WriteString(line)
			b.mu.Unlock()
			if err != nil {
				b.ended <- b.Wait()
				return
			}
		}
	}()
	t.Cleanup(func() { b.Process.Kill() })
	return b
}

func (b *background) said() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.errs.String()
}

// says waits until the command has said something on its standard error, and returns what the pattern's group matched.
func (b *background) says(t *testing.T, pattern string) string {
	t.Helper()
	re := regexp.MustCompile(pattern)
	for range 600 {
		if m := re.FindStringSubmatch(b.said()); m != nil {
			return m[1]
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("it said %q, not %s", b.said(), pattern)
	return ""
}

// end waits for the command and returns what it printed.
func (b *background) end(t *testing.T) string {
	t.Helper()
	select {
	case err := <-b.ended:
		if err != nil {
			t.Fatalf("%v: %v, %s", b.Args[1:], err, b.said())
		}
	case <-time.After(30 * time.Second):
		t.Fatalf("%v does not end: %s", b.Args[1:], b.said())
	}
	return b.out.String()
}

// serveWithTwo serves a study, has two processes work on it, and returns what the server printed at the end.
func serveWithTwo(t *testing.T, dir string, args ...string) string {
	t.Helper()
	server := begin(t, dir, append([]string{"study", "serve", "--listen", "127.0.0.1:0", "--batch", "2"}, args...)...)
	url := server.says(t, `--nats (\S+)`)
	workers := []*background{}
	for range 2 {
		workers = append(workers, begin(t, t.TempDir(), "study", "work", "--nats", url, "--workers", "1"))
	}
	t.Cleanup(func() {
		for _, w := range workers {
			if t.Failed() {
				t.Logf("a worker said %s", w.said())
			}
		}
	})
	return server.end(t)
}

func TestServeAndWork(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if out := serveWithTwo(t, dir, "--size", "small", "--dir", "far", "mabfdr-power"); !strings.Contains(out, " 0 failed, 0 missing\n") {
		t.Errorf("the server says %q", out)
	}
	gaucho(t, dir, "study", "run", "--size", "small", "--dir", "near", "mabfdr-power")
	far, _, _ := gaucho(t, dir, "study", "export", "--size", "small", "--dir", "far", "mabfdr-power")
	near, _, _ := gaucho(t, dir, "study", "export", "--size", "small", "--dir", "near", "mabfdr-power")
	if far != near || strings.Count(near, "\n") < 2 {
		t.Errorf("the pool's records are %q, those made here %q", far, near)
	}
}

// bagged is a study whose function reaches a method, a constant, functions and variables of all kinds that can be sent.
const bagged = `type urn struct{ share float64 }
func (u urn) draw(rng *rand.Rand) bool { return rng.Float64() < u.share*scale }
const scale = 0.5
weights := make([]float64, 1000)
for i := range weights {
	weights[i] = float64(i) / 1000
}
weights[7] = math.NaN()
table := map[string][]int{"a": {1, 2}, "b": nil}
m := mat.NewDense(2, 2, []float64{1, 2, 3, math.Inf(1)})
big := mat.NewDense(40, 40, nil)
big.Set(39, 39, 2.5)
label, offset := "x", 3
offset = 4
twice := func(x float64) float64 { return 2 * x }
share := weights[:10]
type Box struct{ W, H float64 }
func load() []Box { return []Box{{1, 2}} }
boxes := load()
bag := &study.Study{
	Name: "bag", Points: study.Grid(study.Values("n", 10, 20)), Replications: 5, Seed: 1, AnyNumber: true,
	Replicate: func(_ context.Context, at study.Point, rng *rand.Rand) (study.Record, error) {
		share[1] = 100
		drawn := 0
		for range at.Int("n") {
			if (urn{0.5}).draw(rng) {
				drawn++
			}
		}
		return study.Record{
			"drawn": drawn, "weight": twice(weights[999]), "nan": weights[7], "table": len(table["a"]) + len(table), "m": m.At(1, 1),
			"big": big.At(39, 39), "label": label, "offset": offset, "shared": weights[1], "box": boxes[0].H,
		}, nil
	},
}
bag.Run(context.Background(), nil)`

// TestNotebookStudyElsewhere: workers that have no notebook, in directories without any file, run the function of a notebook's
// study, with the values that its variables had.
func TestNotebookStudyElsewhere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	notebookFile(t, dir, "bag.ipynb", "import \"math\"", bagged)
	if out := serveWithTwo(t, dir, "--dir", "far", "bag.ipynb:bag"); out != "bag: 10 records, 0 failed, 0 missing\n" {
		t.Errorf("the server says %q", out)
	}
	far, _, _ := gaucho(t, dir, "study", "export", "--dir", "far", "bag.ipynb:bag")
	if _, errs, status := gaucho(t, dir, "study", "run", "--dir", "near", "bag.ipynb:bag"); status != 0 {
		t.Fatal(errs)
	}
	near, _, _ := gaucho(t, dir, "study", "export", "--dir", "near", "bag.ipynb:bag")
	if far != near || strings.Count(near, "\n") != 11 || !strings.Contains(near, "2.5") {
		t.Errorf("the pool's records are %q, those made here %q", far, near)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "far", "bag.jsonl")); err != nil || !bytes.Contains(text, []byte("yaegi")) {
		// The test's program has no compiler.
		t.Errorf("the records do not say which engine made them: %s, %v", text, err)
	}
}

func TestNotebookStudyStays(t *testing.T) {
	t.Parallel()
	const with = `s := &study.Study{Name: "s", Points: study.Grid(study.Values("n", 1)), Replications: 1,
	Replicate: func(context.Context, study.Point, *rand.Rand) (study.Record, error) { return study.Record{"x": %} , nil }}
s.Run(ctx, nil)`
	for name, c := range map[string]struct{ cell, want string }{
		"file":    {"f, _ := os.Create(\"f\")\n" + strings.Replace(with, "%", "len(f.Name())", 1), "reads f, a os.File"},
		"channel": {"c := make(chan int, 1)\n" + strings.Replace(with, "%", "len(c)", 1), "reads c, a chan int"},
		"large":   {"big := make([]float64, 9<<20)\n" + strings.Replace(with, "%", "len(big)", 1), "variable big, a []float64, cannot be sent to workers: it holds more than 64 MB"},
		"several": {"a, b := make([]float64, 5<<20), make([]float64, 5<<20)\n" + strings.Replace(with, "%", "len(a)+len(b)", 1), "variables a, b hold 80 MB"},
		"changed": {"f := func() int { return 1 }\nf = func() int { return 2 }\n" + strings.Replace(with, "%", "f()", 1), "reads f, a func() int"},
		"array":   {"a := [2]int{1, 2}\nb := a[:]\n" + strings.Replace(with, "%", "a[0]+b[0]", 1), "variable a, a [2]int, cannot be sent to workers: it shares memory in a way"},
		"local":   {"func make2(scale int) {\n" + strings.Replace(with, "%", "scale", 1) + "\n}\nmake2(3)", "uses scale of the enclosing function"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			notebookFile(t, dir, "s.ipynb", c.cell)
			out, errs, status := gaucho(t, dir, "study", "serve", "--listen", "127.0.0.1:0", "s.ipynb:s")
			if status == 0 || !strings.Contains(errs, c.want) {
				t.Errorf("status %d, %q, %q, want %s", status, out, errs, c.want)
			}
		})
	}
}

func TestStudyBadInput(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	gaucho(t, dir, "study", "run", "--size", "small", "--dir", "records", "mabfdr-power")
	before := folderText(t, dir)
	if len(before) != 1 {
		t.Fatalf("the files are %q", before)
	}
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"run nope", 1, `there is no study "nope"`},
		{"run a/b", 1, `there is no study "a/b"`},
		{"serve nope", 1, `there is no study "nope"`},
		{"run --size huge mabfdr-power", 1, "size"},
		{"run --size small --dir records --shard 0/3 mabfdr-power", 2, "must be i/n"},
		{"run --size small --dir records --shard 4/3 mabfdr-power", 2, "must be i/n"},
		{"merge --size small --dir records mabfdr-power", 1, "shard"},
		{"run --size small --dir records --workers -1 mabfdr-power", 1, "workers is -1"},
		{"submit --size small mabfdr-power", 1, "--slurm or --kubernetes"},
		{"serve --size small --dir records --fresh --listen 0.0.0.0:0 --store store mabfdr-power", 1, "needs a certificate"},
		{"work", 1, "--nats URL"},
		{"work --nats nats://127.0.0.1:1", 1, "no server answers at nats://127.0.0.1:1"},
		{"fly mabfdr-power", 2, `unknown action "fly"`},
		{"run", 2, "needs the name of one study"},
	} {
		out, errs, status := gaucho(t, dir, append([]string{"study"}, strings.Fields(c.args)...)...)
		if status != c.status || !strings.Contains(errs, c.want) {
			t.Errorf("study %s: status %d, %q, %q, want %s", c.args, status, out, errs, c.want)
		}
		if after := folderText(t, dir); !reflect.DeepEqual(after, before) {
			t.Errorf("study %s changed files", c.args)
			before = after
		}
	}
}

// folderText is the text of every file of a directory, by path.
func folderText(t *testing.T, dir string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		texts[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}
