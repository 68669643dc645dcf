// Package reproduction holds the results of the studies of the papers' figures: their compact records, which
// gaucho study compact writes, and the claims of the papers with what was found, which gaucho study report writes. A
// notebook draws a figure at the paper's size from them, and not from hours of work:
//
//	record, err := reproduction.Read("herding-mixture")
//	curves, err := record.Curves("mmd", "method", "", "K", 20)
//	plotting.Rates("MMD", "points $N$", "MMD", curves, -0.5, -1)
//
// and says what came of the claims of a section:
//
//	reproduction.Section("em", "Figure 2.3: two errors")
//
// A notebook judges claims of its own sources by a study's results, or by its compact record:
//
//	claim, err := reproduction.Claim{Source: "Auer 2002", Place: "section 4", Statement: "UCB1-tuned beats UCB1"}.By(
//		reproduction.Less(results, "regret", study.NewPoint("policy", "tuned"), study.NewPoint("policy", "UCB1")))
//	reproduction.Claims{claim}
//
// The records are in the program. A directory reproduction, or stdlib/reproduction, in the working directory or in one above
// it comes first, so that a study that was run again is seen at once.
package reproduction

import (
	"bytes"
	"compress/gzip"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gaucho/stdlib/study"
)

//go:embed *.json
var files embed.FS

// claimsName is the file of claims. No study is called so.
const claimsName = "claims.json"

// Read returns the compact record of a study. It fails when there is none: gaucho study list says how long it takes to make
// one. The error is then fs.ErrNotExist.
func Read(name string) (*study.Compact, error) {
	js, err := read(name + ".json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, noRecord(name)
	}
	if err != nil {
		return nil, fmt.Errorf("reproduction: %w", err)
	}
	c, err := study.ParseCompact(js)
	if err != nil {
		return nil, fmt.Errorf("reproduction: %s.json: %w", name, err)
	}
	return c, nil
}

// A noRecord is the name of a study without a record. It is fs.ErrNotExist.
type noRecord string

func (name noRecord) Error() string {
	return fmt.Sprintf("reproduction: there is no record of %q: make one by gaucho study run %s, then gaucho study compact %s", string(name), string(name), string(name))
}

func (noRecord) Is(target error) bool { return target == fs.ErrNotExist }

// Names lists the studies whose records are in the program, sorted.
func Names() []string {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // an embedded directory can be read
	}
	var out []string
	for _, e := range entries {
		if e.Name() != claimsName {
			out = append(out, strings.TrimSuffix(e.Name(), ".json"))
		}
	}
	return out
}

// read reads a file from the nearest directory reproduction that has it, or from the program.
func read(file string) ([]byte, error) {
	if dir, err := os.Getwd(); err == nil {
		for {
			for _, place := range []string{"reproduction", "stdlib/reproduction"} {
				js, err := os.ReadFile(filepath.Join(dir, place, file))
				if !errors.Is(err, fs.ErrNotExist) {
					return js, err
				}
			}
			up := filepath.Dir(dir)
			if up == dir {
				break
			}
			dir = up
		}
	}
	js, err := files.ReadFile(file)
	if err != nil || !bytes.HasPrefix(js, gzipMagic) {
		return js, err
	}
	packed, err := gzip.NewReader(bytes.NewReader(js))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(packed)
}

// gzipMagic begins a record that was compressed when the program was built: they are a megabyte otherwise.
var gzipMagic = []byte{0x1f, 0x8b}

// A Claim is something that a paper says or shows, and what came out.
type Claim struct {
	Source    string // the paper
	Place     string // a figure, a section, a theorem
	Statement string // what the paper says
	Measure   string // what is measured, and the bound with its origin
	Found     string // what came out, in numbers
	Verdict   string // agrees, does not, undecided, tested, or not run
	From      string // the study or the test that decides it
	Tried     string // what was tried where it does not come out
	Notebook  string // file and heading, as em#Figure 2.3: two errors
}

// Claims are claims that show themselves as a table.
type Claims []Claim

// Section returns the claims that belong to a section of a paper's notebook: the name of its file without .ipynb, and the
// section's heading. With an empty heading they are all claims of the notebook. It fails when there are none.
func Section(notebook, heading string) (Claims, error) {
	js, err := read(claimsName)
	if err != nil {
		return nil, fmt.Errorf("reproduction: %w", err)
	}
	all, err := parseClaims(claimsName, js)
	if err != nil {
		return nil, err
	}
	var out Claims
	for _, c := range all {
		if file, h, _ := strings.Cut(c.Notebook, "#"); file == notebook && (heading == "" || h == heading) {
			out = append(out, c)
		}
	}
	if out == nil {
		return nil, fmt.Errorf("reproduction: no claim belongs to the section %q of %s", heading, notebook)
	}
	return out, nil
}
