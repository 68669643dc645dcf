package reproduction

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"gaucho/stdlib/internal/papertable"
)

// Markdown returns the claims as a table for a paper.
func (cs Claims) Markdown() string { return papertable.Markdown(paperHead, cs.paper()) }

// LaTeX returns the claims as a tabular for a paper, for packages booktabs and array.
func (cs Claims) LaTeX() string {
	return papertable.LaTeX(`l>{\raggedright\arraybackslash}p{0.35\linewidth}>{\raggedright\arraybackslash}p{0.35\linewidth}l`, paperHead, cs.paper())
}

var paperHead = []string{"", "The source says", "What came out", "Verdict"}

func (cs Claims) paper() (rows [][]string) {
	for _, c := range cs {
		found := c.Found
		if c.Tried != "" {
			found += ". " + c.Tried
		}
		rows = append(rows, []string{c.origin(), c.Statement, found, c.Verdict})
	}
	return rows
}

// Of returns the claims that a study decides.
func (cs Claims) Of(study string) (out Claims) {
	for _, c := range cs {
		for _, from := range strings.Split(c.From, "; ") {
			if from, _, _ = strings.Cut(from, ","); from == study {
				out = append(out, c)
				break
			}
		}
	}
	return out
}

// Save writes the claims to a file, a line a claim, and makes its directory if necessary. In reproduction/claims.json beside a
// notebook, [Section] and gaucho study report find them.
func (cs Claims) Save(path string) error {
	var b bytes.Buffer
	b.WriteString("[\n")
	for i, c := range cs {
		js, err := json.Marshal(c)
		if err != nil {
			return fmt.Errorf("reproduction: %w", err)
		}
		b.Write(js)
		if i < len(cs)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString("]\n")
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("reproduction: %w", err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		return fmt.Errorf("reproduction: %w", err)
	}
	return nil
}

// ReadClaims reads what [Claims.Save] wrote. The error is fs.ErrNotExist if there is no such file.
func ReadClaims(path string) (Claims, error) {
	js, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reproduction: %w", err)
	}
	return parseClaims(path, js)
}

func parseClaims(name string, js []byte) (cs Claims, err error) {
	if err := json.Unmarshal(js, &cs); err != nil {
		return nil, fmt.Errorf("reproduction: %s: %w", name, err)
	}
	return cs, nil
}
