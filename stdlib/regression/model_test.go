package regression_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gaucho/stdlib/regression"
	"gaucho/stdlib/table"
)

func parse(t testing.TB, text string) *table.Table {
	t.Helper()
	out, err := table.Parse(strings.NewReader(text), "test.csv")
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestErrors: what cannot be fitted is said by name.
func TestErrors(t *testing.T) {
	data := parse(t, "y,x,g,b,day,k,one,dose [mg]\n1,2,a,true,2024-01-01,0,z,1\n2,3,b,false,2024-01-02,1,z,2\n4,0,a,true,2024-01-03,1,z,3\n3,,c,false,2024-01-04,0,z,4\n5,7,b,true,2024-01-05,1,z,5\n")
	for formula, want := range map[string]string{
		"":                  `the end where a column is expected`,
		"y":                 `the end where "~" is expected`,
		"y ~":               `the end where a column is expected`,
		"y ~ x x":           `"x" where the formula should end or a + should follow`,
		"y ~ height":        `there is no column height (columns: y, x, g`,
		"y ~ x^2":           `for the power write I(x^2)`,
		"y ~ 2*x":           `2 is a number, not a term; for arithmetic write I(...)`,
		"y ~ poly(x, 2)":    `there is no function poly; there are factor, I, abs`,
		"y ~ x/g":           `for b within a write a + a:b`,
		"y ~ y + x":         `y is on both sides`,
		"y ~ log(x)":        `log(x) in row 2: log of 0, must be positive`,
		"y ~ I(1/x)":        `1/x in row 2: 1 / 0 is not a finite number`,
		"y ~ I(g + 1)":      `column g is of type string, must be numbers`,
		"g ~ x":             `column g is of type string, must be numbers`,
		"y ~ day":           `column day holds times; derive a number from them`,
		"y ~ one":           `one is "z" in all rows used; a factor needs two values to compare`,
		"y ~ g * b + x":     `for 4 rows without a missing value (1 dropped): there must be as many rows at least`,
		"y ~ 0":             `has no terms`,
		"y ~ `x":            `a backquote is opened and never closed`,
		"y ~ x & g":         `"&" is not part of a formula`,
		"y ~ factor(x + 1)": `factor takes the name of a column`,
		"y ~ log(x, 2)":     `log has one argument`,
	} {
		m, err := regression.Fit(data, formula)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, error %v, want %s", formula, m, err, want)
		}
	}
	for formula, want := range map[string]string{
		"y ~ k":     "the response y is 2 in row 1, must be 0 or 1",
		"one ~ k":   "the response one has 1 value (z), must have two",
		"I(0*k)~ x": "the response 0 * k is 0 in all rows used",
	} {
		_, err := regression.Logistic(data, formula)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", formula, err, want)
		}
	}
	if _, err := regression.Counts(data, "I(y - 2) ~ x"); err == nil || !strings.Contains(err.Error(), "y - 2 is -1 in row 0, must be a count") {
		t.Errorf("a negative count: %v", err)
	}
	if _, err := regression.Fit(data, "y ~ `dose [mg]`"); err != nil {
		t.Error(err)
	}
	if _, err := regression.Fit(parse(t, "y,x\n"), "y ~ x"); err == nil {
		t.Error("an empty table is fitted")
	}
}

// TestCollinear: columns that others explain are named, and the others are what they are without them.
func TestCollinear(t *testing.T) {
	data := plants(t)
	m := fit(t, data, "", "height ~ days + I(2*days) + plot")
	if got := m.Aliased(); !slices.Equal(got, []string{"I(2 * days)"}) || !strings.Contains(strings.Join(m.Notes, " "), "exactly: I(2 * days).") {
		t.Errorf("aliased %q, notes %q", got, m.Notes)
	}
	without := fit(t, data, "", "height ~ days + plot")
	for _, name := range without.Names {
		a, aSE := m.Coefficient(name)
		b, bSE := without.Coefficient(name)
		if !near(a, b) || !near(aSE, bSE) {
			t.Errorf("%s is %v (%v), without the collinear column %v (%v)", name, a, aSE, b, bSE)
		}
	}
}

// TestSeparation: terms whose best coefficient is infinite are named, others and data without them are not.
func TestSeparation(t *testing.T) {
	for _, c := range []struct{ text, formula, terms string }{
		{"y,x,z\n0,1,2\n0,2,1\n0,3,4\n1,4,1\n1,5,3\n1,6,2\n", "y ~ x", "(Intercept), x"},
		{"y,x,g\n0,1,a\n1,2,a\n0,3,a\n1,4,a\n1,5,b\n1,3,b\n1,1,b\n", "y ~ x + g", "gb"}, // quasi: all of b are 1
		{"y,x,g\n0,1,a\n1,2,a\n0,3,a\n1,4,a\n1,5,b\n0,3,b\n1,1,b\n", "y ~ x + g", ""},
	} {
		m := fit(t, parse(t, c.text), "binomial", c.formula)
		notes := strings.Join(m.Notes, " ")
		if c.terms == "" && notes != "" || c.terms != "" && !strings.HasPrefix(notes, "Perfect separation: a combination of "+c.terms+" separates") {
			t.Errorf("%s: notes %q, want %q", c.text, notes, c.terms)
		}
	}
	m := fit(t, parse(t, "y,g\n0,a\n0,a\n3,b\n2,b\n0,a\n"), "poisson", "y ~ g")
	if !strings.Contains(strings.Join(m.Notes, ""), "Perfect separation") {
		t.Errorf("counts that are all zero in a group: %q", m.Notes)
	}
}

// TestSaturated: with as many coefficients as rows there is a fit and a note, and no made-up error.
func TestSaturated(t *testing.T) {
	m := fit(t, parse(t, "y,x\n1,1\n3,2\n"), "", "y ~ x")
	if !near(m.Coefficients[1], 2) || !math.IsNaN(m.SE[1]) || m.DF != 0 || len(m.Notes) != 1 {
		t.Errorf("%v", m)
	}
}

// TestPredict: missing values stay missing, new levels are an error, probabilities are between 0 and 1.
func TestPredict(t *testing.T) {
	m := fit(t, plants(t), "binomial", "died ~ days + plot")
	p, err := m.Predict(parse(t, "days,plot\n1,C\n,A\n20,\n500,B\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Valid("fit"); !slices.Equal(got, []bool{true, false, false, true}) {
		t.Errorf("valid: %v", got)
	}
	for _, i := range []int{0, 3} {
		if low, fit, high := p.Floats("low")[i], p.Floats("fit")[i], p.Floats("high")[i]; !(0 <= low && low <= fit && fit <= high && high <= 1) {
			t.Errorf("row %d: %v in [%v, %v]", i, fit, low, high)
		}
	}
	_, err = m.Predict(parse(t, "days,plot\n1,C\n2,D\n"))
	if err == nil || err.Error() != `regression: Predict: plot is "D" in row 1, and the model knows A, B, C only` {
		t.Error(err)
	}
	if _, err = m.Predict(parse(t, "days\n1\n")); err == nil || !strings.Contains(err.Error(), "there is no column plot") {
		t.Error(err)
	}
}

func TestAnovaErrors(t *testing.T) {
	data := plants(t)
	small, other, all := fit(t, data, "", "height ~ days"), fit(t, data, "", "height ~ factor(block)"), fit(t, data, "", "height ~ days + plot")
	for want, models := range map[string][2]*regression.Model{
		"not nested: days of the first": {small, other},
		"different rows":                {small, all},
		"fewer coefficients":            {other, small},
		"the responses are":             {small, fit(t, data, "", "log(height) ~ days + factor(block)")},
		"gaussian model and a poisson":  {small, fit(t, data, "poisson", "flowers ~ days")},
	} {
		if _, err := regression.Anova(models[0], models[1]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestDot: a dot is every other column.
func TestDot(t *testing.T) {
	data := plants(t).Select("height", "days", "plot")
	a, b := fit(t, data, "", "height ~ ."), fit(t, data, "", "height ~ days + plot")
	if !slices.Equal(a.Names, b.Names) || !slices.Equal(a.Coefficients, b.Coefficients) {
		t.Errorf("%v and %v", a.Names, b.Names)
	}
}

// TestHTML: names from the data are text, not markup.
func TestHTML(t *testing.T) {
	m := fit(t, parse(t, "y,g\n1,<b>\n2,<b>\n3,a\n5,a\n"), "", "y ~ g")
	if h := m.HTML(); strings.Contains(h, "g<b>") || !strings.Contains(h, "ga") {
		t.Errorf("%s", h)
	}
}
