package regression_test

import (
	"encoding/csv"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gaucho/stdlib/regression"
	"gaucho/stdlib/table"
)

func plants(t testing.TB) *table.Table {
	t.Helper()
	p, err := table.Load("testdata/plants.csv")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func fit(t testing.TB, data *table.Table, family, formula string) *regression.Model {
	t.Helper()
	f := map[string]func(*table.Table, string) (*regression.Model, error){"": regression.Fit, "binomial": regression.Logistic, "poisson": regression.Counts}[family]
	m, err := f(data, formula)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// figures returns what R computed, by fit: testdata/fits.R has the commands.
func figures(t *testing.T) (keys []string, rows map[string][][]string) {
	t.Helper()
	f, err := os.Open("testdata/fits.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	rows = map[string][][]string{}
	for _, r := range all[1:] {
		if !slices.Contains(keys, r[0]) {
			keys = append(keys, r[0])
		}
		rows[r[0]] = append(rows[r[0]], r[1:])
	}
	return keys, rows
}

// TestR compares every figure with R's, to nine digits.
func TestR(t *testing.T) {
	data := plants(t)
	keys, rows := figures(t)
	for _, key := range keys {
		family, formula, ok := strings.Cut(key, " ")
		if !ok {
			continue // a comparison of two models
		}
		m := fit(t, data, family, formula)
		got := figuresOf(t, m, data)
		estimates := 0
		for _, r := range rows[key] {
			want, err := strconv.ParseFloat(r[2], 64)
			if r[2] == "NA" {
				want, err = math.NaN(), nil
			}
			if err != nil {
				t.Fatal(err)
			}
			if r[0] == "estimate" {
				estimates++
			}
			x, ok := got[r[0]+" "+r[1]]
			if !ok && !math.IsNaN(want) || !near(x, want) {
				t.Errorf("%s: %s %s is %.17g, R says %.17g", key, r[0], r[1], x, want)
			}
		}
		if estimates != len(m.Names) || estimates == 0 {
			t.Errorf("%s: %d coefficients, R has %d", key, len(m.Names), estimates)
		}
	}
	if len(keys) < 18 {
		t.Errorf("%d fits", len(keys))
	}
}

func near(x, want float64) bool {
	return math.IsNaN(want) && math.IsNaN(x) || math.Abs(x-want) <= 1e-9*max(math.Abs(want), 1e-6)
}

// figuresOf names all figures of a model as fits.R does.
func figuresOf(t *testing.T, m *regression.Model, data *table.Table) map[string]float64 {
	t.Helper()
	got := map[string]float64{"aic ": m.AIC, "loglik ": m.LogLik, "deviance ": m.Deviance, "df ": float64(m.DF), "sigma ": m.Sigma, "r2 ": m.RSquared,
		"adjusted ": m.AdjustedR2, "f ": m.F, "nulldeviance ": m.NullDeviance, "nulldf ": float64(m.NullDF)}
	list := func(what string, names []string, x []float64) {
		for i, v := range x {
			got[what+" "+names[i]] = v
		}
	}
	coefficients, limits := m.Table(), m.Confidence(0.95)
	list("estimate", m.Names, m.Coefficients)
	list("se", m.Names, m.SE)
	list("statistic", m.Names, coefficients.Floats(coefficients.Names()[3]))
	list("p", m.Names, coefficients.Floats("p"))
	list("low", m.Names, limits.Floats("low"))
	list("high", m.Names, limits.Floats("high"))
	numbers := make([]string, data.Len())
	for i := range numbers {
		numbers[i] = strconv.Itoa(i)
	}
	list("residual", numbers, m.Residuals)
	list("leverage", numbers, m.Leverage())
	list("standard", numbers, m.Standardised())
	p, err := m.Predict(data.Head(8))
	if err != nil {
		t.Fatal(err)
	}
	list("fit", numbers, p.Floats("fit"))
	list("fitse", numbers, p.Floats("se"))
	return got
}

// TestSummary compares what is printed with what R prints: the coefficients letter by letter, other lines up to spaces.
func TestSummary(t *testing.T) {
	data := plants(t)
	text, err := os.ReadFile("testdata/summaries.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(text), "## ")[1:] {
		key, want, _ := strings.Cut(part, " \n")
		family, formula, _ := strings.Cut(key, " ")
		_, want, _ = strings.Cut(want, "Coefficients:")
		got := fit(t, data, family, formula).String()
		got, _, _ = strings.Cut(got, "\nNote:")
		_, got, _ = strings.Cut(got, "Coefficients:")
		a, b := strings.Split(strings.TrimSpace(got), "\n"), strings.Split(strings.TrimSpace(strings.NewReplacer("'", "’").Replace(want)), "\n")
		if len(a) != len(b) {
			t.Errorf("%s:\n%s\nR prints:\n%s", key, got, want)
			continue
		}
		coefficients := true
		for i := range a {
			x, y := strings.TrimRight(a[i], " "), strings.TrimRight(b[i], " ")
			coefficients = coefficients && x != ""
			if strings.HasPrefix(x, "---") {
				coefficients = false
			}
			if !coefficients {
				x, y = strings.Join(strings.Fields(strings.ReplaceAll(x, "‘", "’")), " "), strings.Join(strings.Fields(y), " ")
			}
			if x != y {
				t.Errorf("%s: line %d is\n%s\nR prints\n%s", key, i, x, y)
			}
		}
	}
}

// TestResidualQuartiles compares the quartiles that a summary of a linear model begins with.
func TestResidualQuartiles(t *testing.T) {
	data := plants(t)
	text, err := os.ReadFile("testdata/summaries.txt")
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, part := range strings.Split(string(text), "## ")[1:] {
		key, want, _ := strings.Cut(part, " \n")
		family, formula, _ := strings.Cut(key, " ")
		if family != "" {
			continue
		}
		got := fit(t, data, family, formula).String()
		for _, s := range []*string{&got, &want} {
			_, *s, _ = strings.Cut(*s, "Residuals:\n")
			*s, _, _ = strings.Cut(*s, "\n\n")
			*s = strings.TrimRight(strings.ReplaceAll(*s, " \n", "\n"), " ")
		}
		if compared++; got != want {
			t.Errorf("%s:\n%s\nR prints\n%s", key, got, want)
		}
	}
	if compared < 10 {
		t.Errorf("%d summaries compared", compared)
	}
}

func TestAnova(t *testing.T) {
	data, err := plants(t).Complete(), error(nil)
	_, rows := figures(t)
	for key, models := range map[string][2]*regression.Model{
		"height": {fit(t, data, "", "height ~ days"), fit(t, data, "", "height ~ days + treated * plot")},
		"died":   {fit(t, data, "binomial", "died ~ 1"), fit(t, data, "binomial", "died ~ days + plot")},
	} {
		var a *table.Table
		if a, err = regression.Anova(models[0], models[1]); err != nil {
			t.Fatal(err)
		}
		for _, r := range rows[key] {
			want, _ := strconv.ParseFloat(r[2], 64)
			if got := a.Floats(r[1])[1]; !near(got, want) || want == 0 {
				t.Errorf("%s: %s is %.17g, R says %.17g", key, r[1], got, want)
			}
		}
	}
}
