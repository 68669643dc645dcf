package words

import (
	"math"
	"testing"
)

func TestNumber(t *testing.T) {
	for want, x := range map[string]float64{
		"NaN": math.NaN(), "∞": math.Inf(1), "-∞": math.Inf(-1), "-12345678": -12345678, "1e+9": 1e9, "0.000123": 0.000123,
		"1.23e-5": 1.23e-5, "1.23457e+20": 1.23456789e20, "12345.7": 12345.678,
	} {
		if got := Number(x, 6); got != want {
			t.Errorf("Number(%v, 6) = %s, want %s", x, got, want)
		}
	}
	if got := Number(2./3, 2); got != "0.67" {
		t.Errorf("two digits of 2/3: %s", got)
	}
}

func TestFailure(t *testing.T) {
	forms := Failure("a < b", "*T")
	if forms["text/plain"] != "a < b" || forms["text/html"] != `<div style="border-left:3px solid #d1495b;padding-left:.7em">`+
		`<span style="white-space:pre-wrap">a &lt; b</span> <span style="font-size:85%;opacity:.7">*T</span></div>` {
		t.Errorf("%v", forms)
	}
}
