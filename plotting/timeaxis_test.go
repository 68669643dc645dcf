package plotting

import (
	"strings"
	"testing"
	"time"
)

func TestTimeTicks(t *testing.T) {
	at := func(s string) float64 {
		v, err := time.Parse("2006-01-02 15:04:05", s)
		if err != nil {
			t.Fatal(err)
		}
		return float64(v.UnixMilli()) / 1000
	}
	for _, c := range []struct{ lo, hi, want string }{
		{"2020-03-01 00:00:00", "2025-06-01 00:00:00", "2021 2022 2023 2024 2025"},
		{"2023-10-15 00:00:00", "2024-03-20 00:00:00", "Nov 2023|Dec|Jan 2024|Feb|Mar"},
		{"2024-03-04 10:00:00", "2024-03-08 10:00:00", "Mar 5, 2024|Mar 6|Mar 7|Mar 8"},
		{"2024-03-04 22:10:00", "2024-03-05 02:30:00", "Mar 4, 23:00|Mar 5, 00:00|01:00|02:00"},
		{"2024-03-04 10:00:00", "2024-03-04 10:00:20", "Mar 4, 10:00:00|10:00:05|10:00:10|10:00:15|10:00:20"},
		{"2024-03-04 10:00:00.1", "2024-03-04 10:00:01.1", "10:00:00.2|00.4|00.6|00.8|01.0"},
		{"2024-03-04 23:59:59.99", "2024-03-05 00:00:00.02", "23:59:59.990|59.995|00:00:00.000|00.005|00.010|00.015|00.020"},
		{"1700-01-01 00:00:00", "2000-01-01 00:00:00", "1700 1800 1900 2000"},
	} {
		sep := " "
		if strings.Contains(c.want, "|") {
			sep = "|"
		}
		if got := strings.Join(labels(TimeTicks{}.Ticks(at(c.lo), at(c.hi))), sep); got != c.want {
			t.Errorf("%s to %s: %s, want %s", c.lo, c.hi, got, c.want)
		}
	}
	// Whatever the range, there are a few ticks and none outside.
	for span := .003; span < 1e10; span *= 1.3 {
		ticks := TimeTicks{}.Ticks(1.7e9, 1.7e9+span)
		if n := len(ticks); n < 2 || n > 8 {
			t.Errorf("%g seconds: %d ticks", span, n)
		}
		for _, k := range ticks {
			if k.Value < 1.7e9 || k.Value > 1.7e9+span {
				t.Errorf("%g seconds: a tick at %g", span, k.Value-1.7e9)
			}
		}
	}
}
