package regression

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gaucho/stdlib/table"
)

// TestManyVariables fits a response that is an exact sum of 500 variables, a factor with three levels, and two products.
func TestManyVariables(t *testing.T) {
	const n, p = 560, 500
	rng := rand.New(rand.NewPCG(7, 8))
	y, g := make([]float64, n), make([]string, n)
	columns := map[string]any{"y": y, "g": g}
	var names []string
	for j := range p {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
			y[i] += float64(j%7-3) * x[i]
		}
		names = append(names, fmt.Sprintf("x%d", j))
		columns[names[j]] = x
	}
	for i := range y {
		g[i] = string(rune('a' + i%3))
		x := func(j int) float64 { return columns[names[j]].([]float64)[i] }
		y[i] += 5 + float64(i%3) + 2*x(400)*x(3) - x(70)*x(71)*x(499)
	}
	tab, err := table.From(columns)
	if err != nil {
		t.Fatal(err)
	}
	for triple, text := range map[string]string{
		"x499:x70:x71": "y ~ . + x400:x3 + x499:x70:x71", // the columns are in the order of their names
		"x70:x71:x499": "y ~ g + " + strings.Join(names, " + ") + " + x3:x400 + x70:x71:x499 + x3 - g:x499",
	} {
		m, err := Fit(tab, text)
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Coefficients) != 1+2+p+2 {
			t.Fatalf("%d coefficients", len(m.Coefficients))
		}
		seen := map[string]float64{}
		for j, name := range m.Names {
			seen[name] = m.Coefficients[j]
		}
		want := map[string]float64{"(Intercept)": 5, "gb": 1, "gc": 2, "x3:x400": 2, triple: -1}
		for j, name := range names {
			want[name] = float64(j%7 - 3)
		}
		for name, v := range want {
			if got, ok := seen[name]; !ok || math.Abs(got-v) > 1e-9 {
				t.Errorf("%.20s: coefficient of %s is %v, want %v", text, name, got, v)
			}
		}
	}
}
