package interp

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// reads is a program that reads its standard input in the ways in which programs do, a part each.
const reads = `package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

type source struct{ io.Reader }

func main() {
	var a, b int
	n, err := fmt.Scan(&a, &b)
	fmt.Println(n, err, a, b)
	one := make([]byte, 1)
	fmt.Println(os.Stdin.Read(one))
	fmt.Printf("%q\n", one)
	r := bufio.NewReader(source{os.Stdin})
	line, err := r.ReadString('\n')
	fmt.Printf("%q %v\n", line, err)
	s := bufio.NewScanner(io.Reader(r))
	fmt.Println(s.Scan(), s.Text())
	var in io.Reader = os.Stdin
	_, file := in.(*os.File)
	_, writer := in.(io.Writer)
	fmt.Printf("%T %v %v\n", in, file, writer)
	rest, err := io.ReadAll(io.MultiReader(r, in))
	fmt.Printf("%q %v\n", rest, err)
}
`

// TestProgramInput: a program reads the bytes of its standard input, from a pipe and from a file, as Go's program does.
func TestProgramInput(t *testing.T) {
	const input = "3\n4\nwith\r\nreturns\n\xff\xfe\x00 and no newline at the end"
	dir := t.TempDir()
	source, file := filepath.Join(dir, "reads.go"), filepath.Join(dir, "input")
	for name, text := range map[string]string{source: reads, file: input} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	program := exec.Command("go", "run", source)
	program.Stdin = strings.NewReader(input)
	want, err := program.Output()
	if err != nil {
		t.Fatal(err)
	}
	piped := func() *os.File {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		w.WriteString(input)
		w.Close()
		return r
	}
	opened := func() *os.File {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for _, engine := range []string{"native", "yaegi"} {
		t.Run(engine, func(t *testing.T) {
			options := Options{Engine: engine, Dir: dir}
			patience := testPatience
			if engine == "native" {
				options.Worker, patience = nativeProgram(t), nativePatience
			}
			for name, open := range map[string]func() *os.File{"pipe": piped, "file": opened} {
				r, input := &transcript{}, open()
				defer input.Close()
				options.Sink, options.Stdin = r, input
				s := newSessionFor(t, patience, options)
				if res := s.Execute(context.Background(), Cell{ID: source, Number: 1, Source: reads, Program: true}); res.Err != nil {
					t.Fatal(res.Err)
				}
				if got := r.of(source).String(); got != string(want) {
					t.Errorf("from a %s it wrote\n%s\nwant\n%s", name, got, want)
				}
			}
		})
	}
}
