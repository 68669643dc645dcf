package table

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestParseFloat compares with strconv, bit by bit, on numbers as files have them.
func TestParseFloat(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	texts := []string{"0", "-0", "+1.5", ".5", "5.", "-.25", "1e5", "1E-7", "inf", "-Inf", "123456789012345678", "0.1", "9007199254740993", "1.7976931348623157e308"}
	for range 100_000 {
		x := (rng.Float64() - 0.5) * math.Pow(10, float64(rng.IntN(30)-12))
		texts = append(texts, strconv.FormatFloat(x, "fge"[rng.IntN(3)], rng.IntN(18), 64))
	}
	for _, s := range texts {
		got, ok := parseFloat(s)
		want, err := strconv.ParseFloat(s, 64)
		if !ok || err != nil || math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%s: %v %v, strconv says %v (%v)", s, got, ok, want, err)
		}
	}
	for _, s := range []string{"", "-", ".", "1.2.3", "0x10", "1_000", "007", "-01.5", "1e999", "NaN", "1,5", "1 2", "e5"} {
		if x, ok := parseFloat(s); ok {
			t.Errorf("%q is the number %v", s, x)
		}
	}
}

// TestNumbersOfFewBytes reads random texts of the bytes that numbers have. What is a number is what strconv says, but for
// leading zeros, which are codes, and hexadecimal digits.
func TestNumbersOfFewBytes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	const bytes = "0123456789012345678901234567890123456789....--+e/:;"
	text := make([]byte, 10)
	for range 2_000_000 {
		b := text[:1+rng.IntN(len(text))]
		for i := range b {
			b[i] = bytes[rng.IntN(len(bytes))]
		}
		s := string(b)
		digits := strings.TrimLeft(s[:1], "+-") + s[1:]
		code := len(digits) > 1 && digits[0] == '0' && digits[1]-'0' <= 9
		n, err := strconv.Atoi(s)
		if got, ok := parseInt(s); ok != (err == nil && !code) || ok && got != n {
			t.Fatalf("%q is the integer %d, %v", s, got, ok)
		}
		x, err := strconv.ParseFloat(s, 64)
		if got, ok := parseFloat(s); ok != (err == nil && !code) || ok && math.Float64bits(got) != math.Float64bits(x) {
			t.Fatalf("%q is the number %v, %v", s, got, ok)
		}
	}
}

func TestParseInt(t *testing.T) {
	for _, s := range []string{"0", "-1", "+7", "123456789012345678", "9223372036854775807", "-9223372036854775808"} {
		want, _ := strconv.Atoi(s)
		if got, ok := parseInt(s); !ok || got != want {
			t.Errorf("%s: %d %v", s, got, ok)
		}
	}
	for _, s := range []string{"", "-", "1.0", "007", "9223372036854775808", "1e3", "0x1", "1_0"} {
		if got, ok := parseInt(s); ok {
			t.Errorf("%q is the integer %d", s, got)
		}
	}
}

func TestParseTime(t *testing.T) {
	for s, want := range map[string]string{
		"2024-02-29":                "2024-02-29T00:00:00Z",
		"2024/02/29":                "2024-02-29T00:00:00Z",
		"2024-02-29 13:05":          "2024-02-29T13:05:00Z",
		"2024-02-29 13:05:06":       "2024-02-29T13:05:06Z",
		"2024-02-29T13:05:06.25":    "2024-02-29T13:05:06.25Z",
		"2024-02-29T13:05:06+02:00": "2024-02-29T13:05:06+02:00",
	} {
		if got, ok := parseTime(s); !ok || got.Format(time.RFC3339Nano) != want {
			t.Errorf("%s: %v %v, want %s", s, got, ok, want)
		}
	}
	for _, s := range []string{"2023-02-29", "2024-13-01", "2024-00-10", "2024-01-00", "01/02/2024", "2024-1-2", "20240102", "2024-01-02x"} {
		if got, ok := parseTime(s); ok {
			t.Errorf("%s is the time %v", s, got)
		}
	}
}

// TestDates compares with time.Date over four centuries, and refuses the day after each month.
func TestDates(t *testing.T) {
	for day := time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 2401; day = day.AddDate(0, 0, 1) {
		if got, ok := parseTime(day.Format(time.DateOnly)); !ok || got != day {
			t.Fatalf("%v: %v %v", day, got, ok)
		}
		if day.AddDate(0, 0, 1).Day() == 1 {
			if got, ok := parseTime(fmt.Sprintf("%s-%02d", day.Format("2006-01"), day.Day()+1)); ok {
				t.Fatalf("the day after %v is %v", day, got)
			}
		}
	}
}

// TestTypes: the type of a column is what all its values are, and what is lost by none.
func TestTypes(t *testing.T) {
	for _, c := range []struct {
		values  string // in one column, separated by spaces; _ is an empty field
		kind    Kind
		missing string // the places of missing values
	}{
		{"1 2 -3", Int, ""},
		{"1 _ NA 3", Int, "1 2"},
		{"1 2.5 null", Float, "2"},
		{"1 99999999999999999999 2.5", Float, ""},
		{"1 99999999999999999999", String, ""},
		{"01 02", String, ""},
		{"01.5 2", String, ""},
		{"0.5 inf", Float, ""},
		{"true False _", Bool, "2"},
		{"true 1", String, ""},
		{"2024-01-02 N/A", Time, "1"},
		{"2024-01-02 x", String, ""},
		{"NA DE _", String, "2"},
		{`a "" _`, String, "2"},
		{`"1" "2"`, String, ""}, // other columns have none
		{`"1" 2`, Int, ""},
		{"_ NA", Float, "0 1"},
		{"", Float, ""},
	} {
		text := "other,c\n"
		for _, v := range strings.Fields(c.values) {
			text += "x," + strings.ReplaceAll(v, "_", "") + "\n"
		}
		table, err := Parse(strings.NewReader(text), "test.csv")
		if err != nil {
			t.Fatal(err)
		}
		col := table.Column("c")
		var missing []string
		for i := range table.Len() {
			if col.Missing(i) {
				missing = append(missing, fmt.Sprint(i))
			}
		}
		if got := strings.Join(missing, " "); col.Kind() != c.kind || got != c.missing {
			t.Errorf("%s: %s, missing %q; want %s, missing %q", c.values, col.Kind(), got, c.kind, c.missing)
		}
	}
}
