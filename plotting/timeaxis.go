package plotting

import (
	"math"
	"time"

	"gonum.org/v1/plot"
)

// Times returns times as numbers for the horizontal axis of a figure: seconds since 1970, for [Figure.TimeX].
func Times(times []time.Time) []float64 {
	out := make([]float64, len(times))
	for i, t := range times {
		out[i] = float64(t.UnixNano()) / 1e9
		if y := t.Year(); y < 1700 || y > 2200 { // beyond what nanoseconds count
			out[i] = float64(t.Unix())
		}
		if t.IsZero() {
			out[i] = math.NaN()
		}
	}
	return out
}

// TimeX labels the horizontal axis, whose numbers are seconds since 1970, with dates and times in a place; nil is UTC.
func (f *Figure) TimeX(in *time.Location) *Figure {
	f.Plot.X.Tick.Marker = TimeTicks{in}
	return f
}

// TimeTicks places the ticks of an axis of seconds since 1970 at round times: years, months, days, hours, minutes,
// seconds or down to thousandths of them.
type TimeTicks struct{ In *time.Location } // nil is UTC

// timeSteps are the distances between ticks, from short to long, with how a tick is labelled.
var timeSteps = []struct {
	seconds       float64 // about, for those of months and years
	months        int
	format, first string // first is the form of the first tick, and of one where a larger unit begins
}{
	{.001, 0, "05.000", "15:04:05.000"}, {.002, 0, "05.000", "15:04:05.000"}, {.005, 0, "05.000", "15:04:05.000"},
	{.01, 0, "05.00", "15:04:05.00"}, {.02, 0, "05.00", "15:04:05.00"}, {.05, 0, "05.00", "15:04:05.00"},
	{.1, 0, "05.0", "15:04:05.0"}, {.2, 0, "05.0", "15:04:05.0"}, {.5, 0, "05.0", "15:04:05.0"},
	{1, 0, "15:04:05", "Jan 2, 15:04:05"}, {5, 0, "15:04:05", "Jan 2, 15:04:05"}, {15, 0, "15:04:05", "Jan 2, 15:04:05"}, {30, 0, "15:04:05", "Jan 2, 15:04:05"},
	{60, 0, "15:04", "Jan 2, 15:04"}, {300, 0, "15:04", "Jan 2, 15:04"}, {900, 0, "15:04", "Jan 2, 15:04"}, {1800, 0, "15:04", "Jan 2, 15:04"},
	{3600, 0, "15:04", "Jan 2, 15:04"}, {3 * 3600, 0, "15:04", "Jan 2"}, {6 * 3600, 0, "15:04", "Jan 2"}, {12 * 3600, 0, "15:04", "Jan 2"},
	{day, 0, "Jan 2", "Jan 2, 2006"}, {2 * day, 0, "Jan 2", "Jan 2, 2006"}, {7 * day, 0, "Jan 2", "Jan 2, 2006"}, {14 * day, 0, "Jan 2", "Jan 2, 2006"},
	{30.4 * day, 1, "Jan", "Jan 2006"}, {91 * day, 3, "Jan", "Jan 2006"}, {182 * day, 6, "Jan", "Jan 2006"},
	{365 * day, 12, "2006", "2006"}, {730 * day, 24, "2006", "2006"}, {1826 * day, 60, "2006", "2006"}, {3652 * day, 120, "2006", "2006"},
	{9131 * day, 300, "2006", "2006"}, {36524 * day, 1200, "2006", "2006"},
}

const day = 86400

// Ticks returns four to eight ticks. A range that is not one of times has those of [Ticks].
func (t TimeTicks) Ticks(lo, hi float64) []plot.Tick {
	const farthest = 1e11 // three thousand years
	if !(hi-lo >= 3*timeSteps[0].seconds) || math.Abs(lo) > farthest || math.Abs(hi) > farthest {
		return Ticks{}.Ticks(lo, hi)
	}
	in := t.In
	if in == nil {
		in = time.UTC
	}
	step := timeSteps[len(timeSteps)-1]
	for _, s := range timeSteps {
		if (hi-lo)/s.seconds <= 6.5 {
			step = s
			break
		}
	}
	var ticks []plot.Tick
	for at := floorTime(time.Unix(int64(math.Floor(lo)), 0).In(in), step.seconds, step.months); ; {
		v := float64(at.Unix()) + float64(at.Nanosecond())/1e9
		if v > hi {
			return ticks
		}
		next := at.AddDate(0, step.months, 0)
		if step.months == 0 {
			next = nextTime(at, step.seconds)
		}
		if v >= lo {
			format := step.format
			if len(ticks) == 0 || begins(ticks[len(ticks)-1].Value, at, step.seconds) {
				format = step.first
			}
			ticks = append(ticks, plot.Tick{Value: v, Label: at.Format(format)})
		}
		at = next
	}
}

// floorTime returns the last round time that is not after another.
func floorTime(t time.Time, step float64, months int) time.Time {
	midnight := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
	switch {
	case months >= 12:
		years := months / 12
		return time.Date(t.Year()-modulo(t.Year(), years), 1, 1, 0, 0, 0, 0, t.Location())
	case months > 0:
		return time.Date(t.Year(), 1+(t.Month()-1)/time.Month(months)*time.Month(months), 1, 0, 0, 0, 0, t.Location())
	case step >= day:
		return midnight.AddDate(0, 0, -(t.YearDay()-1)%int(step/day))
	}
	return midnight.Add(t.Sub(midnight).Truncate(seconds(step)))
}

// nextTime returns the next round time: days by the calendar, so that they begin at midnight where clocks are changed.
func nextTime(t time.Time, step float64) time.Time {
	if step >= day {
		return t.AddDate(0, 0, int(step/day))
	}
	return t.Add(seconds(step))
}

func seconds(s float64) time.Duration { return time.Duration(math.Round(s * 1e9)) }

// begins reports whether a larger unit than that of the step has begun since the tick before: a day, a year.
func begins(before float64, t time.Time, step float64) bool {
	b := time.Unix(int64(before), 0).In(t.Location())
	if step < day {
		return b.YearDay() != t.YearDay()
	}
	return b.Year() != t.Year()
}
