package export

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// built builds a program and returns what runs it with arguments.
func built(t *testing.T, p *Program) func(args ...string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	file, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
	if err := os.WriteFile(file, p.Source, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-o", program, file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, p.Source)
	}
	return func(args ...string) (string, error) {
		out, err := exec.Command(program, args...).CombinedOutput()
		return string(out), err
	}
}

// TestParametersAreFlags sets parameters of all types, that of an injected cell too, and refuses what is none.
func TestParametersAreFlags(t *testing.T) {
	p, err := Notebook(t.Context(), "", []Cell{
		{Source: "type mode string"},
		{Source: "plays := 10000 // as in the paper\nrate, name, quick, wait := 0.5, \"a\", false, time.Second\nvar small uint8\nvar how mode = \"x\"\n" +
			"sizes := []int{1, 2}\nweights := map[string]float64{\"a\": 1}\nconst n = 3\nvar f func()\nraw := []byte{1}", Parameters: true},
		{Source: "rate = 0.25\nvar more = 7", Parameters: true},
		{Source: "flags, parse := 1, 2\nfmt.Println(plays, rate, name, quick, wait, small, how, sizes, weights, more, flags+parse)"},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"plays", "rate", "name", "quick", "wait", "small", "how", "sizes", "weights", "more"}; !slices.Equal(p.Parameters, want) {
		t.Errorf("parameters %v, want %v", p.Parameters, want)
	}
	if notes := strings.Join(p.Notes, "\n"); !strings.Contains(notes, "parameter n is a constant") || !strings.Contains(notes, "parameter f is a func()") || !strings.Contains(notes, "parameter raw is a []byte") {
		t.Errorf("notes %s", notes)
	}
	run := built(t, p)
	for args, want := range map[string]string{
		"": "10000 0.25 a false 1s 0 x [1 2] map[a:1] 7 3\n",
		"-plays 500 -rate 1 -name 5 -quick -wait 2m -small 255 -how y -sizes [3] -weights {\"b\":2} -more -1": "500 1 5 true 2m0s 255 y [3] map[b:2] -1 3\n",
		"-plays=010": "10 0.25 a false 1s 0 x [1 2] map[a:1] 7 3\n",
	} {
		if out, err := run(strings.Fields(args)...); err != nil || out != want {
			t.Errorf("%s: %v, %s, want %s", args, err, out, want)
		}
	}
	for args, want := range map[string]string{
		"-plas 500": "not defined: -plas", "-plays x": `invalid value "x" for flag -plays`, "-small 256": "out of range",
		"-plays 1.5": `invalid value "1.5"`, "500": `unexpected argument "500"`, "-sizes [1,]": "invalid value", "-n 4": "not defined: -n",
	} {
		if out, err := run(strings.Fields(args)...); err == nil || !strings.Contains(out, want) || strings.Contains(out, "10000 0.25") {
			t.Errorf("%s: %v, %s, want %s", args, err, out, want)
		}
	}
	if out, _ := run("-h"); !strings.Contains(out, "-plays int\n    \ta int (default 10000)") {
		t.Errorf("help:\n%s", out)
	}
}

// TestArgumentsOfTheNotebook: a program without parameters refuses arguments, unless its notebook reads them.
func TestArgumentsOfTheNotebook(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds four programs")
	}
	for source, want := range map[string]string{
		"fmt.Println(len(os.Args))":                           "3\n",
		"flag.Parse()\nfmt.Println(flag.Arg(1))":              "500\n",
		"fmt.Println(1)":                                      "unexpected argument \"plays\"",
		"plays := 3\nfmt.Println(plays, os.Args[2])// params": "3 500\n",
	} {
		p, err := Notebook(t.Context(), "", []Cell{{Source: source, Parameters: strings.HasSuffix(source, "params")}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if out, _ := built(t, p)("plays", "500"); !strings.HasPrefix(out, want) {
			t.Errorf("%s: %s, want %s", source, out, want)
		}
		if noted := strings.Contains(strings.Join(p.Notes, ""), "reads the program's arguments itself"); noted != strings.HasSuffix(source, "params") {
			t.Errorf("%s: notes %s", source, p.Notes)
		}
	}
}
