package table

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"gaucho/stdlib/internal/asm"
)

// TestQuickNumbers reads random texts of the bytes that numbers have, each a field with something after it. What is a number
// must be strconv's, and the usual forms must be read.
func TestQuickNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	const bytes = "01234567890123456789012345678901234567890123456789....-+e/:; "
	after := []string{",", "\n", "\r\n", `"`, "\t", ",-1.5,1\n", ",.5\n", "\n0000000000"}
	ints, floats := 0, 0
	for range 500_000 {
		b := make([]byte, rng.IntN(18))
		for i := range b {
			b[i] = bytes[rng.IntN(len(bytes))]
		}
		if len(b) > 2 && rng.IntN(2) == 0 {
			copy(b, fmt.Sprintf("%.*f", rng.IntN(9), 100*rng.NormFloat64()))
		}
		text := "x," + string(b) + after[rng.IntN(len(after))] + strings.Repeat("z", rng.IntN(20))
		s, f := string(b), span{2, uint32(2 + len(b))}
		digits := strings.TrimPrefix(s, "-")
		code := len(digits) > 1 && digits[0] == '0' && digits[1]-'0' <= 9
		n, err := strconv.Atoi(s)
		if got, ok := quickInt(text, f); ok && (err != nil || code || got != n) {
			t.Fatalf("%q: %q is the integer %d", text, s, got)
		} else if ok {
			ints++
		} else if err == nil && !code && s[0] != '+' && len(s) <= 8 && int(f.from)+8 <= len(text) {
			t.Fatalf("%q: %q is no integer", text, s)
		}
		x, err := strconv.ParseFloat(s, 64)
		if got, ok := quickFloat(text, f); ok && (err != nil || code || math.Float64bits(got) != math.Float64bits(x)) {
			t.Fatalf("%q: %q is the number %v", text, s, got)
		} else if ok {
			floats++
		} else if point := strings.IndexByte(digits, '.'); err == nil && !code && !strings.ContainsAny(s, "e+") && int(f.from)+17 <= len(text) &&
			(len(digits) <= 8 || len(digits) <= 16 && 0 <= point && point < 8) {
			t.Fatalf("%q: %q is no number", text, s)
		}
	}
	if ints < 50_000 || floats < 50_000 {
		t.Errorf("%d integers and %d numbers: the comparison says little", ints, floats)
	}
}

// TestQuickTexts: one byte may differ from that of a date or a truth.
func TestQuickTexts(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for range 200_000 {
		b := []byte([]string{"true", "false", fmt.Sprintf("%04d-%02d-%02d", rng.IntN(10_000), rng.IntN(14), rng.IntN(33))}[rng.IntN(3)])
		if rng.IntN(2) == 0 {
			b[rng.IntN(len(b))] = byte(rng.IntN(256))
		}
		s, f := string(b), span{1, uint32(1 + len(b))}
		text := "," + s + ",,,,,,"
		want, err := time.Parse(time.DateOnly, s)
		if got, ok := quickTime(text, f); ok != (err == nil) || ok && got != want {
			t.Fatalf("%q is the time %v, %v", s, got, ok)
		}
		if got, ok := quickBool(text, f); ok != (s == "true" || s == "false") || ok && got != (s == "true") {
			t.Fatalf("%q is %v, %v", s, got, ok)
		}
	}
}

// TestLoadTruth compares with encoding/csv, strconv and package time, at all levels, on files of plain rows among which are quotes,
// carriage returns, blank lines, missing values and unusual forms.
func TestLoadTruth(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	defer asm.Force(asm.Force(asm.Best()))
	pick := func(texts ...string) string { return texts[rng.IntN(len(texts))] }
	for try := range 60 {
		var b strings.Builder
		b.WriteString("n,s,x,d,b\n1,a,0.5,2024-01-02,true\n")
		odd := []int{2, 10, 1000}[try%3] // one value of so many has no usual form
		for range 2_000 {
			row := []string{fmt.Sprint(rng.IntN(1000) - 500), pick("a", "b c", "ü", `x""`, strings.Repeat("long", rng.IntN(9))), fmt.Sprintf("%.*f", rng.IntN(7), 10*rng.NormFloat64()),
				time.Unix(rng.Int64N(4e9), 0).UTC().Format(time.DateOnly), pick("true", "false")}
			unusual := []string{pick("", "+7", "12345678901", `"8"`, " 9"), pick("", `"x,y"`, "\"x\ny\"", `"a ""b"""`), pick("", "NaN", "1e5", "-2.5e-3", "123456789.25", `"0.5"`, "7"),
				pick("", "null", "2024-02-29 13:05:06", "2024/02/29"), pick("", "True", "FALSE", `"true"`)}
			for j := range row {
				if strings.Contains(row[j], `"`) {
					row[j] = `"` + row[j] + `"`
				}
				if rng.IntN(odd) == 0 {
					row[j] = unusual[j]
				}
			}
			b.WriteString(strings.Join(row, ",") + pick("\n", "\n", "\r\n", "\n\n"))
		}
		want, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range asm.Levels() {
			asm.Force(l)
			got, err := Parse(strings.NewReader(b.String()), "t.csv")
			if err != nil {
				t.Fatal(err)
			}
			checkTruth(t, got, want[1:])
		}
	}
}

func checkTruth(t *testing.T, got *Table, want [][]string) {
	t.Helper()
	if got.Len() != len(want) {
		t.Fatalf("%d rows, want %d", got.Len(), len(want))
	}
	for i, row := range want {
		for j, c := range got.cols {
			text := strings.TrimSpace(row[j])
			var wanted any
			var err error
			switch {
			case j == 1:
				wanted = row[j]
				if c.missing != nil && c.missing[i] {
					wanted = nil
				}
			case text == "" || text == "NaN" || text == "null":
			case j == 0:
				wanted, err = strconv.Atoi(text)
			case j == 2:
				wanted, err = strconv.ParseFloat(text, 64)
			case j == 3:
				wanted, err = time.Parse(strings.ReplaceAll([]string{time.DateOnly, time.DateTime}[truth(len(text) > 10)], "-", text[4:5]), text)
			case j == 4:
				wanted, err = strconv.ParseBool(text)
			}
			if v := c.Value(i); err != nil || v != wanted {
				t.Fatalf("row %d, column %s: %q is %v, want %v (%v)", i, c.name, row[j], v, wanted, err)
			}
		}
	}
}
