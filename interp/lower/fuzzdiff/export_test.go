package fuzzdiff

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"gaucho/internal/modpath"
	"gaucho/interp"
	"gaucho/interp/export"
)

var notebooks = flag.Int("notebooks", 10, "how many random notebooks to compare with the programs that they are exported to")

// A ranNotebook is a random notebook that was run and exported.
type ranNotebook struct {
	seed    uint64
	printed string   // by its cells
	figures []string // PNGs that they showed
	source  string   // the notebook, to be read
	program *export.Program
}

// TestNotebooks runs random notebooks by the engine, natively by the interpreter too, and as exported programs: what they print, and
// the figures that they show, must be equal. Of a notebook whose export has a note, other than that a type has a number, the note is
// taken at its word: at least half have none.
func TestNotebooks(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	noted := 0
	for seed, end := *first, *first+uint64(*notebooks); seed < end; {
		var list []*ranNotebook
		t.Run("run", func(t *testing.T) {
			for ; seed < end && len(list) < *batch; seed++ {
				nb := &ranNotebook{seed: seed}
				list = append(list, nb)
				t.Run(fmt.Sprint(nb.seed), func(t *testing.T) {
					t.Parallel()
					nb.run(t)
				})
			}
		})
		if t.Failed() {
			return
		}
		binary, err := buildNotebooks(t.TempDir(), list)
		if err != nil {
			t.Fatal(err)
		}
		for i, nb := range list {
			if len(otherNotes(nb.program)) > 0 {
				noted++
				continue
			}
			nb.compare(t, binary, i)
		}
	}
	t.Logf("%d notebooks, %d of them with notes", *notebooks, noted)
	if noted > *notebooks/2 {
		t.Errorf("%d of %d exports have notes", noted, *notebooks)
	}
}

// otherNotes are a program's notes without those that a type has a number.
func otherNotes(p *export.Program) (list []string) {
	for _, n := range p.Notes {
		if !strings.Contains(n, "so the earlier one has a number") && !strings.Contains(n, "meant not to compile") {
			list = append(list, n)
		}
	}
	return list
}

// run runs the notebook and exports it. Cells that turn out not to compile without being meant to are left out of it.
func (nb *ranNotebook) run(t *testing.T) {
	out := &shown{}
	s := startWith(t, *engine, workerCommand, out)
	defer s.Close()
	var cells []export.Cell
	for _, c := range notebook(nb.seed) {
		err := s.show(out, c.source)
		if err != nil && err.Name == "CompileError" && !c.fails {
			continue
		}
		if err != nil && (err.Name == "BuildError" || err.Lost) {
			t.Fatalf("%s\n%v", c.source, err)
		}
		cells = append(cells, export.Cell{Source: c.source, Fails: err != nil})
		nb.source += fmt.Sprintf("--- [%d]\n%s\n", len(cells), c.source)
	}
	nb.printed, nb.figures = out.printed(), out.figures
	if *engine == "native" {
		nb.interpret(t, cells)
	}
	var err error
	if nb.program, err = export.Notebook(context.Background(), t.TempDir(), cells, nil); err != nil {
		t.Fatalf("%s\n%v", nb.source, err)
	}
}

// interpret compares with what the interpreter prints, unless it refuses a cell.
func (nb *ranNotebook) interpret(t *testing.T, cells []export.Cell) {
	out := &shown{}
	s := startWith(t, "yaegi", nil, out)
	defer s.Close()
	for i, c := range cells {
		err := s.show(out, c.Source)
		if err != nil && strings.Contains(err.Value, "the native engine runs it") {
			return
		}
		if (err != nil) != c.Fails {
			t.Errorf("%s\nin the interpreter cell [%d] ends with %v", nb.source, i+1, err)
			return
		}
	}
	if got := out.printed(); got != nb.printed {
		t.Errorf("notebook %d in the interpreter:\n%s\n%s", nb.seed, difference(got, nb.printed), nb.source)
	}
}

// show runs a cell and notes what it prints, and shows as its result.
func (s *session) show(out *shown, source string) *interp.Error {
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	s.n++
	res := s.Execute(ctx, interp.Cell{ID: fmt.Sprint(s.n), Number: s.n, Source: source})
	if res.Display != nil {
		out.Display("", *res.Display)
	}
	return res.Err
}

// A shown is a sink that keeps what a program would print on standard output, and figures.
type shown struct {
	sink
	figures []string
}

// printed is what was printed, without the notes of the session.
func (s *shown) printed() string {
	return withoutAddresses(sessionNote.ReplaceAllString(s.text.String(), ""))
}

func (s *shown) Stream(cell, name, text string) {
	if name == "stdout" {
		s.sink.Stream(cell, name, text)
	}
}

func (s *shown) Display(cell string, d interp.Display) {
	if text, ok := d.Data["text/plain"].(string); ok {
		s.sink.Stream(cell, "stdout", strings.TrimSuffix(text, "\n")+"\n")
	}
	if png, ok := d.Data["image/png"].(string); ok {
		s.figures = append(s.figures, png)
	}
}

// buildNotebooks builds exported programs into one binary, which takes a program's number as its argument. Their files are in the
// module by an overlay alone, so that they find its packages.
func buildNotebooks(dir string, list []*ranNotebook) (binary string, err error) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		return "", err
	}
	const programs = "internal/programs"
	overlay := map[string]string{}
	write := func(name, text string) error {
		file := filepath.Join(dir, strings.ReplaceAll(name, "/", "-"))
		overlay[filepath.Join(root, programs, name)] = file
		return os.WriteFile(file, []byte(text), 0o666)
	}
	main := "package main\n\nimport (\n\t\"os\"\n\t\"strconv\"\n"
	calls := ""
	for i, nb := range list {
		path := fmt.Sprintf("m%03d", i)
		main += fmt.Sprintf("\t%s \"%s/%s/%[1]s\"\n", path, modpath.Path, programs)
		calls += "\t" + path + ".Main,\n"
		text := strings.Replace(string(nb.program.Source), "package main\n", "package "+packageName+"\n", 1)
		if err := write(path+"/main.go", strings.Replace(text, "func main() {", "func Main() {", 1)); err != nil {
			return "", err
		}
	}
	main += ")\n\nfunc main() {\n\tn, _ := strconv.Atoi(os.Args[1])\n\tos.Args = os.Args[:1]\n\t[]func(){\n" + calls + "\t}[n]()\n}\n"
	if err := write("main.go", main); err != nil {
		return "", err
	}
	data, err := json.Marshal(map[string]any{"Replace": overlay})
	if err := errors.Join(err, os.WriteFile(filepath.Join(dir, "overlay.json"), data, 0o666)); err != nil {
		return "", err
	}
	binary = filepath.Join(dir, "programs.exe")
	cmd := exec.Command("go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-ldflags=-s -w", "-o", binary, modpath.Path+"/"+programs)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	// Their types are of package main, by whose name they are shown.
	if data, err = os.ReadFile(binary); err != nil {
		return "", err
	}
	return binary, os.WriteFile(binary, bytes.ReplaceAll(data, []byte(packageName), []byte("main")), 0o777)
}

var (
	sessionNote = regexp.MustCompile(`(?m)^Note: .*\n`)
	numbered    = regexp.MustCompile(`\b([A-Za-z]+)_\d+\b`)       // a type that was declared again
	pathOf      = regexp.MustCompile(`[\w/.]*/programs/m\d{3}\.`) // in type arguments
	savedAs     = regexp.MustCompile(` \((figure-\d+\.png)\)`)    // after the text of a figure
)

// compare runs the notebook's program, number i of a binary.
func (nb *ranNotebook) compare(t *testing.T, binary string, i int) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	run := exec.CommandContext(ctx, binary, fmt.Sprint(i))
	run.Dir = t.TempDir()
	var errs strings.Builder
	run.Stderr = &errs
	out, err := run.Output()
	got := pathOf.ReplaceAllString(string(out), "main.")
	for j, name := range savedAs.FindAllStringSubmatch(got, -1) {
		png, err := os.ReadFile(filepath.Join(run.Dir, name[1]))
		if err != nil || j >= len(nb.figures) || base64.StdEncoding.EncodeToString(png) != nb.figures[j] {
			t.Errorf("notebook %d: figure %d is not that of the notebook: %v", nb.seed, j+1, err)
		}
	}
	got = numbered.ReplaceAllString(savedAs.ReplaceAllString(got, ""), "$1")
	if err != nil || withoutAddresses(got) != nb.printed {
		t.Errorf("notebook %d: its program: %v\n%s\n%s\n%s", nb.seed, err, difference(got, nb.printed), errs.String(), nb.source)
	}
}
