package regression

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"gaucho/internal/words"
	"gaucho/stdlib/table"
	"gaucho/stdlib/vec"
)

// digits is how many significant digits a summary shows.
const digits = 4

// tests returns the statistics of the coefficients and their p-values.
func (m *Model) tests() (statistic, p []float64) {
	statistic, p = make([]float64, len(m.SE)), make([]float64, len(m.SE))
	for j, b := range m.Coefficients {
		statistic[j] = b / m.SE[j]
		p[j] = m.twoSided(statistic[j])
	}
	return statistic, p
}

// Table returns the coefficients as a table with the columns term, estimate, se, t (z where the family is not Gaussian) and
// p, the probability of a statistic at least as far from zero if the coefficient is zero.
func (m *Model) Table() *table.Table {
	statistic, p := m.tests()
	return columnsOf("term", m.Names, "estimate", m.Coefficients, "se", m.SE, m.Family.statistic(), statistic, "p", p)
}

// columnsOf returns a table of names and slices by turns.
func columnsOf(pairs ...any) *table.Table {
	t, err := table.From(map[string][]float64{})
	if err != nil {
		panic(err)
	}
	for i := 0; i < len(pairs); i += 2 {
		t = t.With(pairs[i].(string), pairs[i+1])
	}
	return t
}

// Confidence returns the coefficients with the limits of their confidence intervals, such as Confidence(0.95), in the columns
// term, estimate, low and high: from Student's t for Gaussian, and from the normal distribution (Wald) for other families.
func (m *Model) Confidence(level float64) *table.Table {
	if !(level > 0 && level < 1) {
		panic(fmt.Errorf("regression: Confidence: level is %v, must be between 0 and 1, such as 0.95", level))
	}
	q := m.quantile(0.5 + level/2)
	low, high := make([]float64, len(m.SE)), make([]float64, len(m.SE))
	for j, b := range m.Coefficients {
		low[j], high[j] = b-q*m.SE[j], b+q*m.SE[j]
	}
	return columnsOf("term", m.Names, "estimate", m.Coefficients, "low", low, "high", high)
}

// cells returns the table of coefficients as R's printCoefmat writes it, a row for each, the heading first.
func (m *Model) cells() [][]string {
	statistic, p := m.tests()
	both := slices.DeleteFunc(slices.Concat(m.Coefficients, m.SE), func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) || v == 0 })
	least := math.Inf(1)
	for _, v := range both {
		e, _ := significant(v, 17)
		least = min(least, float64(e+1))
	}
	decimals := digits
	if len(both) > 0 {
		decimals = max(1, digits-int(least))
	}
	k := len(m.SE)
	numbers := format(round(slices.Concat(m.Coefficients, m.SE), decimals), digits)
	statistics, ps := format(round(statistic, digits-1), digits), formatP(p, digits-1)
	s := m.Family.statistic()
	rows := [][]string{{"", "Estimate", "Std. Error", s + " value", "Pr(>|" + s + "|)", ""}}
	for j, name := range m.Names {
		rows = append(rows, []string{name, numbers[j], numbers[k+j], statistics[j], ps[j], stars(p[j])})
	}
	return rows
}

// facts returns the lines under the coefficients.
func (m *Model) facts() []string {
	var lines []string
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	missing := ""
	if m.Dropped > 0 {
		missing = fmt.Sprintf("  (%s deleted due to missingness)", words.Count(m.Dropped, "observation"))
	}
	if m.Family == Gaussian {
		add("Residual standard error: %s on %d degrees of freedom", formatOne(m.Sigma, digits), m.DF)
		if missing != "" {
			add("%s", missing)
		}
		if m.FDF > 0 {
			add("Multiple R-squared:  %s,\tAdjusted R-squared:  %s", formatOne(m.RSquared, digits), formatOne(m.AdjustedR2, digits))
			p := formatP([]float64{upperF(m.F, m.FDF, m.DF)}, digits)[0]
			add("F-statistic: %s on %d and %d DF,  p-value: %s", formatOne(m.F, digits), m.FDF, m.DF, p)
		}
		return lines
	}
	deviances := format([]float64{m.NullDeviance, m.Deviance}, max(5, digits+1))
	df := alignRight([]string{fmt.Sprint(m.NullDF), fmt.Sprint(m.DF)})
	deviances = alignRight(deviances)
	add("(Dispersion parameter for %s family taken to be 1)", m.Family)
	add("")
	add("    Null deviance: %s  on %s  degrees of freedom", deviances[0], df[0])
	add("Residual deviance: %s  on %s  degrees of freedom", deviances[1], df[1])
	if missing != "" {
		add("%s", missing)
	}
	add("AIC: %s", formatOne(m.AIC, max(4, digits+1)))
	add("")
	add("Number of Fisher Scoring iterations: %d", m.Iterations)
	return lines
}

func alignRight(texts []string) []string {
	w := 0
	for _, s := range texts {
		w = max(w, utf8.RuneCountInString(s))
	}
	out := make([]string, len(texts))
	for i, s := range texts {
		out[i] = strings.Repeat(" ", w-utf8.RuneCountInString(s)) + s
	}
	return out
}

// heading says what was fitted to what.
func (m *Model) heading() string {
	kind := map[Family]string{Gaussian: "Linear model", Binomial: "Logistic regression", Poisson: "Poisson regression"}[m.Family]
	return fmt.Sprintf("%s: %s", kind, m.Formula)
}

const legend = "Signif. codes:  0 ‘***’ 0.001 ‘**’ 0.01 ‘*’ 0.05 ‘.’ 0.1 ‘ ’ 1"

// String returns the summary as R prints it: estimates, standard errors, statistics and p-values, and how well the model
// fits; and the notes.
func (m *Model) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", m.heading())
	if m.Family == Gaussian {
		if m.weights != nil {
			b.WriteString("Weighted ")
		}
		fmt.Fprintf(&b, "Residuals:\n%s\n", quartiles(times(m.weights, [][]float64{m.Residuals})[0]))
	}
	fmt.Fprintf(&b, "Coefficients:")
	if n := len(m.Aliased()); n > 0 {
		fmt.Fprintf(&b, " (%d not defined because of singularities)", n)
	}
	b.WriteString("\n")
	rows := m.cells()
	for c := range rows[0] {
		w := 0
		for _, r := range rows {
			w = max(w, utf8.RuneCountInString(r[c]))
		}
		for _, r := range rows {
			pad := strings.Repeat(" ", w-utf8.RuneCountInString(r[c]))
			if c == 0 || c == len(r)-1 {
				r[c] += pad
			} else {
				r[c] = pad + r[c]
			}
		}
	}
	starred := strings.ContainsFunc(strings.Join(column5(rows), ""), func(r rune) bool { return r != ' ' })
	for _, r := range rows {
		if !starred {
			r = r[:5]
		}
		b.WriteString(strings.TrimRight(strings.Join(r, " "), " ") + "\n")
	}
	if starred {
		b.WriteString("---\n" + legend + "\n")
	}
	b.WriteString("\n" + strings.Join(m.facts(), "\n") + "\n")
	for _, n := range m.Notes {
		b.WriteString("\nNote: " + n + "\n")
	}
	return b.String()
}

func column5(rows [][]string) []string {
	var out []string
	for _, r := range rows {
		out = append(out, r[5])
	}
	return out
}

// quartiles returns minimum, quartiles and maximum, each under its name.
func quartiles(x []float64) string {
	sorted := slices.Sorted(slices.Values(x))
	five := make([]float64, 5)
	largest := 0.0
	for k := range five {
		at := float64(k) / 4 * float64(len(x)-1)
		i := int(at)
		five[k] = sorted[i]
		if i+1 < len(sorted) {
			five[k] += (at - float64(i)) * (sorted[i+1] - sorted[i])
		}
		largest = max(largest, math.Abs(five[k]))
	}
	if largest > 0 { // R's zapsmall
		five = round(five, max(0, int(math.Floor(digits+1.5-vec.Log1(largest)/math.Ln10))))
	}
	names, values := []string{"Min", "1Q", "Median", "3Q", "Max"}, format(five, digits)
	w := utf8.RuneCountInString("Median")
	for _, v := range values {
		w = max(w, len(v))
	}
	var head, line strings.Builder
	for k := range five {
		fmt.Fprintf(&head, "%*s ", w, names[k])
		fmt.Fprintf(&line, "%*s ", w, values[k])
	}
	return strings.TrimRight(head.String(), " ") + "\n" + strings.TrimRight(line.String(), " ") + "\n"
}

// HTML returns the summary for a notebook.
func (m *Model) HTML() string {
	const cell = `padding:.15em .7em;border:none;text-align:`
	var b strings.Builder
	fmt.Fprintf(&b, `<div style="overflow-x:auto"><div><b>%s</b></div>`, html.EscapeString(m.heading()))
	b.WriteString(`<table style="border-collapse:collapse;margin:.2em 0;font-variant-numeric:tabular-nums">`)
	for i, r := range m.cells() {
		tag, style := "td", cell
		if i == 0 {
			tag, style = "th", "padding:.2em .7em;border-bottom:1px solid rgba(128,128,128,.6);font-weight:600;text-align:"
		}
		b.WriteString("<tr>")
		for c, text := range r {
			side := "right"
			if c == 0 || c == len(r)-1 {
				side = "left"
			}
			fmt.Fprintf(&b, `<%s style="%s%s">%s</%[1]s>`, tag, style, side, html.EscapeString(text))
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</table>")
	for _, line := range m.facts() {
		if line != "" {
			fmt.Fprintf(&b, `<div style="font-size:90%%">%s</div>`, html.EscapeString(strings.ReplaceAll(strings.TrimSpace(line), "\t", " ")))
		}
	}
	for _, n := range m.Notes {
		fmt.Fprintf(&b, `<div><b>Note:</b> %s</div>`, html.EscapeString(n))
	}
	b.WriteString("</div>")
	return b.String()
}
