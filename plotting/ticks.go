package plotting

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// Ticks places about N ticks of a linear axis at round numbers (1, 2, 2.5 or 5 times a power of ten) and labels them with
// as many digits as it takes to tell them apart. The zero value places about five.
type Ticks struct{ N int }

// Ticks returns the labelled ticks and unlabelled ones between them.
func (t Ticks) Ticks(lo, hi float64) []plot.Tick {
	n := t.N
	if n <= 0 {
		n = 5
	}
	step, minor := niceStep((hi - lo) / float64(n))
	if !(step > 0) || math.IsInf(step, 0) {
		return []plot.Tick{{Value: lo, Label: signed(strconv.FormatFloat(lo, 'g', 4, 64))}}
	}
	if tooFine(lo, hi) {
		return []plot.Tick{{Value: lo, Label: exactly(lo)}, {Value: hi, Label: exactly(hi)}}
	}
	var ticks []plot.Tick
	sub := step / float64(minor)
	for k := math.Ceil(lo/sub - 1e-9); k*sub <= hi+1e-9*sub; k++ {
		tick := plot.Tick{Value: k * sub}
		if math.Mod(k, float64(minor)) == 0 {
			tick.Label = linearLabel(math.Round(k/float64(minor))*step, step, math.Max(math.Abs(lo), math.Abs(hi)))
		}
		ticks = append(ticks, tick)
	}
	return ticks
}

// tooFine reports whether multiples of a step between two numbers would hardly differ from each other.
func tooFine(lo, hi float64) bool { return hi-lo < 1e-12*math.Max(math.Abs(lo), math.Abs(hi)) }

// exactly writes a number with all of its digits.
func exactly(v float64) string { return signed(strconv.FormatFloat(v, 'g', -1, 64)) }

// wholeTicks are the ticks of an axis whose data are whole numbers: none are labelled between these.
type wholeTicks struct{ linear Ticks }

// Ticks returns the ticks, a whole number apart at least.
func (t wholeTicks) Ticks(lo, hi float64) []plot.Tick {
	n := t.linear.N
	if n <= 0 {
		n = 5
	}
	if step, _ := niceStep((hi - lo) / float64(n)); !(step < 1) || tooFine(lo, hi) {
		return t.linear.Ticks(lo, hi)
	}
	var ticks []plot.Tick
	for v := math.Ceil(lo); v <= hi; v++ {
		ticks = append(ticks, plot.Tick{Value: v, Label: linearLabel(v, 1, math.Max(math.Abs(lo), math.Abs(hi)))})
	}
	return ticks
}

// countWhole gives a horizontal axis whole ticks where all data on it are whole numbers, two of them at least.
func (f *Figure) countWhole(x *plot.Axis) {
	t, ok := x.Tick.Marker.(Ticks)
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, m := range f.marks {
		for _, v := range m.x {
			ok = ok && v == math.Trunc(v)
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if ok && lo < hi {
		x.Tick.Marker = wholeTicks{t}
	}
}

// thinLabels takes labels from the ticks of a horizontal axis of numbers, of some length, until none touches the next: those
// at 2 and 5 times a power of ten first, then every second one.
func thinLabels(x *plot.Axis, length vg.Length) {
	switch x.Tick.Marker.(type) {
	case Ticks, wholeTicks, LogTicks, TimeTicks:
	default:
		return // names, or what the program chose
	}
	const apart vg.Length = 6
	ticks := x.Tick.Marker.Ticks(x.Min, x.Max)
	changed := false
	for {
		var labelled []int
		touch, powers := false, 0
		for i, t := range ticks {
			if t.Label == "" {
				continue
			}
			if isPower(t.Value) {
				powers++
			}
			if n := len(labelled); n > 0 {
				last := ticks[labelled[n-1]]
				room := vg.Length(x.Norm(t.Value)-x.Norm(last.Value)) * length
				touch = touch || room < (x.Tick.Label.Width(t.Label)+x.Tick.Label.Width(last.Label))/2+apart
			}
			labelled = append(labelled, i)
		}
		if !touch || len(labelled) < 3 {
			break
		}
		_, logarithmic := x.Scale.(LogScale)
		byPower := logarithmic && powers > 1 && powers < len(labelled)
		for k, i := range labelled {
			if byPower && !isPower(ticks[i].Value) || !byPower && k%2 == 1 {
				ticks[i].Label = ""
			}
		}
		changed = true
	}
	if changed {
		x.Tick.Marker = plot.ConstantTicks(ticks)
	}
}

// isPower reports whether a number is a power of ten.
func isPower(v float64) bool {
	e := math.Log10(v)
	return math.Abs(e-math.Round(e)) < 1e-9
}

// niceStep returns the round step nearest above raw/1.4, and into how many parts minor ticks divide it.
func niceStep(raw float64) (step float64, minor int) {
	base := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []struct {
		f     float64
		minor int
	}{{1, 5}, {2, 4}, {2.5, 5}, {5, 5}, {10, 5}} {
		if m.f*base >= raw/1.15 {
			return m.f * base, m.minor
		}
	}
	return 10 * base, 5
}

func linearLabel(v, step, largest float64) string {
	if math.Abs(v) < step/1e6 {
		v = 0
	}
	if largest >= 1e7 || largest < 1e-3 {
		if v == 0 {
			return "0"
		}
		return scientific(v, step)
	}
	decimals := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	if s := step * math.Pow(10, float64(decimals)); math.Abs(s-math.Round(s)) > 1e-6 {
		decimals++
	}
	return signed(grouped(strconv.FormatFloat(v, 'f', decimals, 64)))
}

// grouped puts thin spaces between the thousands of a number of five digits or more.
func grouped(s string) string {
	whole, fraction, _ := strings.Cut(s, ".")
	digits := len(strings.TrimPrefix(whole, "-"))
	if digits < 5 {
		return s
	}
	for i := len(whole) - 3; i > len(whole)-digits; i -= 3 {
		whole = whole[:i] + "\u2009" + whole[i:]
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return whole
}

// scientific writes a number as a multiple of a power of ten, with the digits that step asks for.
func scientific(v, step float64) string {
	e := int(math.Floor(math.Log10(math.Abs(v)) + 1e-12))
	digits := max(0, e-int(math.Floor(math.Log10(step)+1e-9)))
	m := v / math.Pow(10, float64(e))
	s := strconv.FormatFloat(m, 'f', digits, 64)
	if r := step / math.Pow(10, math.Floor(math.Log10(step)+1e-9)); math.Abs(r-2.5) < 1e-6 {
		s = strconv.FormatFloat(m, 'f', digits+1, 64)
	}
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return powerOfTen(signed(s), e)
}

// powerOfTen writes a multiple of a power of ten; a factor of "" is one.
func powerOfTen(factor string, exponent int) string {
	if factor != "" {
		factor += "{×}"
	}
	return "$" + factor + "10^{" + strconv.Itoa(exponent) + "}$"
}

// signed writes a minus sign where there is a hyphen.
func signed(s string) string { return strings.ReplaceAll(s, "-", "−") }

// LogTicks places the ticks of a logarithmic axis: at powers of ten, with unlabelled ones between them; where the axis spans
// less than two of them, at more multiples, until there are three labels at least.
type LogTicks struct {
	powers bool // 10^k also where 0.1, 1 and 10 would do, as on the axes alongside
}

// multiples are those of powers of ten that are labelled, from few to many.
var multiples = [][]int{{1}, {1, 2, 5}, {1, 2, 3, 5}, {1, 2, 3, 4, 6, 8}, {1, 2, 3, 4, 5, 6, 7, 8, 9}}

// Ticks returns the ticks of an axis from lo to hi, both positive.
func (t LogTicks) Ticks(lo, hi float64) []plot.Tick {
	if !(lo > 0) || !(hi > lo) || math.IsInf(hi, 0) {
		return Ticks{}.Ticks(lo, hi)
	}
	decades := math.Log10(hi / lo)
	if decades < .7 {
		return Ticks{N: 4}.Ticks(lo, hi)
	}
	which := multiples[:1]
	if whole := math.Floor(math.Log10(hi)+1e-9) - math.Ceil(math.Log10(lo)-1e-9) + 1; whole < 2 || decades < 1.7 {
		which = multiples[1:]
	}
	for _, m := range which {
		ticks, labels := t.at(lo, hi, m)
		if labels >= 3 || len(which) == 1 {
			return ticks
		}
	}
	return Ticks{N: 4}.Ticks(lo, hi)
}

// at returns ticks with labels at multiples of powers of ten, and how many are labelled.
func (t LogTicks) at(lo, hi float64, labelled []int) (ticks []plot.Tick, labels int) {
	first, last := int(math.Floor(math.Log10(lo))), int(math.Ceil(math.Log10(hi)))
	every := 1
	for float64(last-first)/float64(every) > 8 {
		every++
	}
	words := !t.powers && plainPowers(lo, hi)
	for k := first; k <= last; k++ {
		for m := 1; m < 10; m++ {
			v := float64(m) * math.Pow(10, float64(k))
			if v < lo*(1-1e-9) || v > hi*(1+1e-9) || m > 1 && every > 1 {
				continue
			}
			tick := plot.Tick{Value: v}
			if slices.Contains(labelled, m) && modulo(k, every) == 0 {
				tick.Label = logLabel(m, k, words)
				labels++
			}
			ticks = append(ticks, tick)
		}
	}
	return ticks, labels
}

// plainPowers reports whether the numbers of a logarithmic axis are short without powers of ten.
func plainPowers(lo, hi float64) bool { return hi < 9.9e4 && lo > .9e-3 }

func modulo(a, b int) int { return ((a % b) + b) % b }

// logLabel writes m times ten to the k.
func logLabel(m, k int, words bool) string {
	if words {
		v := float64(m) * math.Pow(10, float64(k))
		return grouped(strconv.FormatFloat(v, 'f', max(0, -k), 64))
	}
	if m > 1 {
		return powerOfTen(strconv.Itoa(m), k)
	}
	return powerOfTen("", k)
}

// LogScale is a logarithmic axis. Values that are not positive have no place on it and are left out, where plot.LogScale
// panics.
type LogScale struct{}

// Normalize returns how far along the axis x lies, NaN when it is not positive.
func (LogScale) Normalize(lo, hi, x float64) float64 {
	if !(x > 0) {
		return math.NaN()
	}
	return math.Log(x/lo) / math.Log(hi/lo)
}
