package table

import (
	"encoding/csv"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// records returns what the splitter finds, the header first.
func records(text string) ([][]string, error) {
	s, err := read(strings.NewReader(text), "test.csv", 0)
	if err == nil {
		err = s.split()
	}
	if err != nil {
		return nil, err
	}
	out := [][]string{s.header}
	for i := range s.rows {
		row := make([]string, len(s.header))
		for j := range row {
			row[j], _ = s.cell(i, j)
		}
		out = append(out, row)
	}
	return out, nil
}

// TestSplit compares the splitter with encoding/csv on random texts of the signs that matter, after a header of two names.
func TestSplit(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	parts := []string{"a", "b", " ", ",", ",", ",", "\n", "\n", "\r\n", "\r", `"`, `""`, `"x"`, `"x,y"`, "\"x\ny\"", "\"x\r\ny\"", "ü"}
	both, neither := 0, 0
	for range 50_000 {
		text := "n1,n2\n"
		for range rng.IntN(12) {
			text += parts[rng.IntN(len(parts))]
		}
		want, wantErr := csv.NewReader(strings.NewReader(text)).ReadAll()
		got, err := records(text)
		if (err != nil) != (wantErr != nil) {
			t.Fatalf("%q: %v, encoding/csv says %v", text, err, wantErr)
		}
		if err != nil {
			neither++
			continue
		}
		for _, row := range got { // which keep ends of lines in quotes
			for k, field := range row {
				row[k] = strings.ReplaceAll(field, "\r\n", "\n")
			}
		}
		if both++; !reflect.DeepEqual(got, want) {
			t.Fatalf("%q: %q, encoding/csv reads %q", text, got, want)
		}
	}
	if both < 5_000 || neither < 5_000 {
		t.Errorf("%d texts without and %d with an error: the comparison says little", both, neither)
	}
}

func TestDelimiter(t *testing.T) {
	for text, want := range map[string][]string{
		"a,b;c\n1,2\n":         {"a", "b;c"},
		"a;b\n1,5;2\n":         {"a", "b"},
		"a\tb c\n1\t2\n":       {"a", "b c"},
		"\"a,x\";b\n1;2\n":     {"a,x", "b"},
		"\ufeffa,b\n1,2\n":     {"a", "b"},
		" a , a,,a_2\n1,2,3,4": {"a", "a_2", "column_3", "a_2_2"},
		"a\n1\n":               {"a"},
	} {
		s, err := read(strings.NewReader(text), "test.csv", 0)
		if err != nil || !reflect.DeepEqual(s.header, want) {
			t.Errorf("%q: columns %q, want %q (%v)", text, s.header, want, err)
		}
	}
}

// TestBadFiles: errors say where.
func TestBadFiles(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "table: bad.csv is empty; the first line must name the columns",
		"\n\r\n\n":                  "table: bad.csv is empty; the first line must name the columns",
		"a,b\n1,2\n\n3\n":           "table: bad.csv, line 4: 1 field, the header has 2 fields: nothing for column b",
		"a,b\n1,2,3\n":              "table: bad.csv, line 2: 3 fields, the header has 2 fields: \"3\" comes after the last column, b",
		"a,b\n\"x\ny\",2\n3,4,5\n":  "table: bad.csv, line 4: 3 fields, the header has 2 fields: \"5\" comes after the last column, b",
		"a,b\n1,\"2\n3,4\n":         "table: bad.csv, line 2: a quote is opened and never closed",
		"a,b\n1,x\"y\n":             `table: bad.csv, line 2: a quote inside a field without quotes; put the field in quotes and write "" for the quote`,
		"a,b\n1,2\n\"x\"y,2\n":      `table: bad.csv, line 3: text after the closing quote of a field; write "" for a quote inside it`,
		"\x1f\x8b and then nothing": "table: bad.csv: gzip: invalid header",
	} {
		_, err := Parse(strings.NewReader(text), "bad.csv")
		if err == nil || err.Error() != want {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}
