// Package side is what the Go sides of benchmarks have in common: how they talk with bench/sides.py, which says how.
package side

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
)

// An Answer is what one run of a case took and found.
type Answer struct {
	Seconds float64   `json:"seconds"`
	Values  []float64 `json:"values"`
}

// Write writes numbers to a file that the other side reads as NumPy's fromfile does.
func Write(dir, name string, values []float64) error {
	f, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	if err := binary.Write(w, binary.LittleEndian, values); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// Serve says that the side is ready, runs the cases that it is told, and answers each, until nothing more comes. An error
// ends the program.
func Serve(run func(name string) (*Answer, error)) {
	fmt.Println("{}")
	lines, out := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	for lines.Scan() {
		a, err := run(lines.Text())
		if err != nil {
			log.Fatalf("%s: %v", lines.Text(), err)
		}
		if err := out.Encode(a); err != nil {
			log.Fatal(err)
		}
	}
}
