package regression_test

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"gaucho/stdlib/regression"
	"gaucho/stdlib/table"
)

// A weightedCase is what statsmodels found: testdata/weighted.py has the commands.
type weightedCase struct {
	Kind, Formula, Weights, Offset string
	Want                           struct {
		Estimate, SE                                           []float64
		LogLik, R2, Adjusted, F, Sigma, Deviance, NullDeviance float64
	}
	Errors map[string][]float64
}

// completePlants are the plants without missing values, with weights.
func completePlants(t *testing.T) *table.Table {
	p := plants(t).Complete()
	w, treated := make([]float64, p.Len()), p.Floats("treated")
	for i := range w {
		w[i] = float64(1 + i%3)
	}
	return p.With("w", w).With("treated", treated)
}

func TestWeighted(t *testing.T) {
	data, err := os.ReadFile("testdata/weighted.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []weightedCase
	if err := json.Unmarshal(data, &cases); err != nil || len(cases) < 8 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	families := map[string]regression.Family{"gaussian": regression.Gaussian, "binomial": regression.Binomial, "poisson": regression.Poisson}
	plants := completePlants(t)
	near := func(x, want, digits float64) bool { return math.Abs(x-want) <= digits*max(math.Abs(want), 1e-3) }
	for _, c := range cases {
		// As in R, the errors of an iterated fit are by the weights with which its last step was made, a step before the estimates.
		errors := 1e-7
		if c.Kind != "gaussian" {
			errors = 1e-5
		}
		m, err := regression.FitWith(plants, c.Formula, &regression.Settings{Family: families[c.Kind], Weights: c.Weights, Offset: c.Offset})
		if err != nil {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		where := c.Kind + " " + c.Formula + " weights " + c.Weights + " offset " + c.Offset
		numbers := [][3]float64{{m.LogLik, c.Want.LogLik, 1e-7}}
		if m.Family == regression.Gaussian {
			numbers = append(numbers, [][3]float64{{m.RSquared, c.Want.R2, 1e-7}, {m.AdjustedR2, c.Want.Adjusted, 1e-7}, {m.F, c.Want.F, 1e-7}, {m.Sigma, c.Want.Sigma, 1e-7}}...)
		} else {
			numbers = append(numbers, [][3]float64{{m.Deviance, c.Want.Deviance, 1e-7}, {m.NullDeviance, c.Want.NullDeviance, 1e-7}}...)
		}
		order := orderOf(m.Names, c.Formula)
		for j := range m.Names {
			numbers = append(numbers, [3]float64{m.Coefficients[order[j]], c.Want.Estimate[j], 1e-7}, [3]float64{m.SE[order[j]], c.Want.SE[j], errors})
		}
		for i, n := range numbers {
			if !near(n[0], n[1], n[2]) {
				t.Errorf("%s: number %d is %v, statsmodels has %v", where, i, n[0], n[1])
			}
		}
		for kind, want := range c.Errors {
			r, err := m.Robust(kind)
			if kind == "block" {
				r, err = m.Clustered(plants, kind)
			}
			if err != nil {
				t.Errorf("%s: %v", where, err)
				continue
			}
			for j := range want {
				if got := r.SE[order[j]]; !near(got, want[j], errors) {
					t.Errorf("%s: error %s of %s is %v, statsmodels has %v", where, kind, r.Names[order[j]], got, want[j])
				}
			}
			if !strings.Contains(r.String(), "Standard errors are ") || strings.Contains(m.String(), "Standard errors are ") {
				t.Errorf("%s: %s errors are not named, or those of the first model are", where, kind)
			}
		}
	}
}

// orderOf puts coefficients into the order of patsy: factors before numbers.
func orderOf(names []string, formula string) []int {
	var order, rest []int
	for j, n := range names {
		if n == "(Intercept)" || strings.HasPrefix(n, "plot") {
			order = append(order, j)
		} else {
			rest = append(rest, j)
		}
	}
	return append(order, rest...)
}

// TestWeightsAsRows: whole weights of a logistic regression are what as many rows alike are.
func TestWeightsAsRows(t *testing.T) {
	plants := completePlants(t)
	var rows []int
	for i, w := range plants.Floats("w") {
		for range int(w) {
			rows = append(rows, i)
		}
	}
	weighted, err := regression.FitWith(plants, "died ~ days", &regression.Settings{Family: regression.Binomial, Weights: "w"})
	if err != nil {
		t.Fatal(err)
	}
	repeated, err := regression.Logistic(plants.Pick(rows), "died ~ days")
	if err != nil {
		t.Fatal(err)
	}
	for j := range weighted.Names {
		if math.Abs(weighted.Coefficients[j]-repeated.Coefficients[j]) > 1e-8 || math.Abs(weighted.SE[j]/repeated.SE[j]-1) > 1e-5 {
			t.Errorf("%s: %v ± %v, of rows %v ± %v", weighted.Names[j], weighted.Coefficients[j], weighted.SE[j], repeated.Coefficients[j], repeated.SE[j])
		}
	}
}

// TestOffsetPredicted: a prediction has the offset of its own row, and errors of the robust model.
func TestOffsetPredicted(t *testing.T) {
	plants := completePlants(t)
	m, err := regression.FitWith(plants, "flowers ~ treated", &regression.Settings{Family: regression.Poisson, Offset: "log(days)"})
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Predict(plants)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range m.Fitted {
		if got := p.Floats("fit")[i]; math.Abs(got-want) > 1e-12*want {
			t.Errorf("row %d is predicted as %v, fitted as %v", i, got, want)
		}
	}
	linear, err := regression.FitWith(plants, "height ~ days", &regression.Settings{Offset: "2 * days"})
	if err != nil {
		t.Fatal(err)
	}
	plain := fit(t, plants, "", "height ~ days")
	if got, want := linear.Coefficients[1], plain.Coefficients[1]-2; math.Abs(got-want) > 1e-10 || math.Abs(linear.Fitted[3]-plain.Fitted[3]) > 1e-10 {
		t.Errorf("with an offset of twice the days their coefficient is %v, want %v", got, want)
	}
	robust, err := plain.Robust("HC3")
	if err != nil {
		t.Fatal(err)
	}
	at, err := table.From(map[string][]float64{"days": {0}})
	if err != nil {
		t.Fatal(err)
	}
	q, err := robust.Predict(at)
	if err != nil || math.Abs(q.Floats("se")[0]-robust.SE[0]) > 1e-12 {
		t.Errorf("the error of the prediction for no days is %v, that of the intercept %v (%v)", q, robust.SE[0], err)
	}
	for _, s := range []*regression.Settings{{Weights: "days - 100"}, {Weights: "plot"}, {Weights: "nothing"}, {Family: 7}} {
		if m, err := regression.FitWith(plants, "height ~ days", s); err == nil {
			t.Errorf("%+v: %v", s, m)
		}
	}
}
