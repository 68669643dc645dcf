package table

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestBlocks compares what is read in blocks with what one pass over the whole file finds, on files of several blocks with
// quoted line ends, blank lines, missing values, and types that change late.
func TestBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	late := []string{"", "x", "2.5", "99999999999999999999", "007", "true", "NA", "2024-01-02"}
	for try := range 8 {
		var b strings.Builder
		b.WriteString("n,x,s,d,b,e,c\n")
		n := 30_000 + rng.IntN(5_000)
		change, to := rng.IntN(2*n), late[try%len(late)]
		for i := range n {
			s := fmt.Sprintf("s%d", rng.IntN(50))
			switch rng.IntN(40) {
			case 0:
				s = "\"a\nb, \"\"c\"\"\r\n\n\""
			case 1:
				s = `""`
			case 2:
				s = ""
			}
			number, code := fmt.Sprint(i), "1"
			if i == change {
				number, code = to, to
			}
			end := []string{"\n", "\r\n", "\n\n", "\n"}[rng.IntN(4)]
			fmt.Fprintf(&b, "%s,%.3f,%s,2024-01-%02d,%t,,%s%s", number, rng.NormFloat64(), s, 1+i%28, i%3 == 0, code, end)
		}
		text := b.String()
		if try%3 == 0 {
			text = strings.TrimRight(text, "\r\n")
		}
		whole, err := read(strings.NewReader(text), "t.csv", 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := whole.split(); err != nil {
			t.Fatal(err)
		}
		for _, procs := range []int{1, 4} {
			before := runtime.GOMAXPROCS(procs)
			got, err := Parse(strings.NewReader(text), "t.csv")
			runtime.GOMAXPROCS(before)
			if err != nil {
				t.Fatal(err)
			}
			for j, name := range whole.header {
				want, c := whole.column(j), got.Column(name)
				if c.Len() != n || c.kind != want.kind {
					t.Fatalf("try %d: column %s: %d values of type %s, want %d of %s", try, name, c.Len(), c.kind, n, want.kind)
				}
				for i := range n {
					if a, b := c.Value(i), want.Value(i); !reflect.DeepEqual(a, b) {
						t.Fatalf("try %d: %s[%d] is %v, want %v", try, name, i, a, b)
					}
				}
			}
		}
	}
}

// TestBlocksBad: the first bad row is named, wherever it is.
func TestBlocksBad(t *testing.T) {
	row := "1,\"a\nb\",2.5\n"
	for _, bad := range []struct{ row, want string }{
		{"1,2\n", "2 fields, the header has 3 fields"},
		{"1,x\"y,2\n", "a quote inside a field"},
		{"1,\"x\"y,2\n", "text after the closing quote"},
		{"1,\"x,2\n", "a quote is opened and never closed"},
	} {
		for _, at := range []int{0, 10, 70_000, 119_999} {
			text := "a,b,c\n" + strings.Repeat(row, at) + bad.row
			if !strings.Contains(bad.want, "never closed") {
				text += strings.Repeat(row, 120_000-at) + "1,2\n"
			}
			_, err := Parse(strings.NewReader(text), "t.csv")
			if want := fmt.Sprintf("table: t.csv, line %d: %s", 2+2*at, bad.want); err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%q after %d rows: %v, want %s", bad.row, at, err, want)
			}
		}
	}
}

// TestLongFields reads fields that are longer than blocks, from a file, whose parts are read in parallel, and from a reader.
func TestLongFields(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	var b strings.Builder
	b.WriteString("n,text\n")
	var want []string
	for i := range 12 {
		text := strings.Repeat("a line, \"quoted\"\n", rng.IntN(200_000))
		want = append(want, text)
		fmt.Fprintf(&b, "%d,\"%s\"\n", i, strings.ReplaceAll(text, `"`, `""`))
	}
	file := filepath.Join(t.TempDir(), "long.csv")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	loaded, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := Parse(strings.NewReader(b.String()), "long.csv")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*Column{loaded.Column("text"), parsed.Column("text")} {
		if !slices.Equal(c.strings, want) {
			t.Error("other texts")
		}
	}
}

// TestLoadSizes reads files whose sizes are about those of the parts that are read in parallel.
func TestLoadSizes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "sizes.csv")
	for _, size := range []int{8, blockBytes - 1, blockBytes, blockBytes + 1, 2 * blockBytes, 2*blockBytes + 7} {
		text := "n\n" + strings.Repeat("1\n", size/2-1) + strings.Repeat("\n", size%2)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := Load(file)
		if err != nil {
			t.Fatalf("%d bytes: %v", size, err)
		}
		if got.Len() != size/2-1 {
			t.Errorf("%d bytes: %d rows, want %d", size, got.Len(), size/2-1)
		}
	}
}
