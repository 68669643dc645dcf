package check

import (
	"errors"
	"math"
	"math/big"
	"strconv"
)

// A number is the value of a real number: of whole numbers that float64 cannot tell apart too.
type number struct {
	float float64    // the nearest
	whole *big.Float // exact, of integers; nil of floats
}

// number returns the value of a number that is not complex.
func (v *Value) number() (number, bool) {
	switch v.Kind {
	case "float":
		x, err := strconv.ParseFloat(v.Text, 64)
		return number{float: x}, err == nil || errors.Is(err, strconv.ErrRange)
	case "int":
		var whole big.Float // 64 bits of mantissa hold each of Go's integers
		if i, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
			whole.SetInt64(i)
		} else if u, err := strconv.ParseUint(v.Text, 10, 64); err == nil {
			whole.SetUint64(u)
		} else {
			return number{}, false
		}
		x, _ := whole.Float64()
		return number{x, &whole}, true
	}
	return number{}, false
}

// parts returns the real and the imaginary part of a number.
func (v *Value) parts() (parts [2]number, ok bool) {
	if v.Kind != "complex" {
		parts[0], ok = v.number()
		return parts, ok
	}
	re, ok1 := v.Items[0].number()
	im, ok2 := v.Items[1].number()
	return [2]number{re, im}, ok1 && ok2
}

// exact returns n as it is, which is neither NaN nor infinite.
func (n number) exact() *big.Float {
	if n.whole != nil {
		return n.whole
	}
	return big.NewFloat(n.float)
}

func (n number) finite() bool { return n.float-n.float == 0 }

// rounded reports whether an integer may be another number than its nearest float64.
func (n number) rounded() bool { return n.whole != nil && math.Abs(n.float) >= 1<<53 }

// equal reports whether a and b are the same number.
func (a number) equal(b number) bool { return a.order(b) == 0 }

// order is -1, 0 or 1 as a is less than, equal to or greater than b, and 2 if one of them is NaN.
func (a number) order(b number) int {
	switch {
	case a.float != a.float || b.float != b.float:
		return 2
	case a.float < b.float:
		return -1
	case a.float > b.float:
		return 1
	case !a.rounded() && !b.rounded() || !a.finite():
		return 0
	}
	return a.exact().Cmp(b.exact())
}

// near reports whether |a - b| <= tol max(1, |b|), where a and b are finite.
func (a number) near(b number, tol float64) bool {
	size := math.Abs(b.float)
	if !a.rounded() && !b.rounded() {
		d := math.Abs(a.float - b.float)
		if math.IsInf(d, 1) {
			return math.Abs(a.float/2-b.float/2) <= tol*(size/2)
		}
		return d <= tol*max(1, size)
	}
	var d big.Float
	d.SetPrec(2200).Sub(a.exact(), b.exact()) // without rounding: float64 spans 2,100 bits
	x, _ := d.Abs(&d).Float64()
	return x <= tol*max(1, size)
}
