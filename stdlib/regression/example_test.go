package regression_test

import (
	"fmt"

	"gaucho/stdlib/regression"
	"gaucho/stdlib/table"
)

func ExampleFit() {
	plants, _ := table.Load("testdata/plants.csv")
	m, err := regression.Fit(plants, "height ~ days + treated")
	fmt.Println(err)
	fmt.Println(m)
	// Output:
	// <nil>
	// Linear model: height ~ days + treated
	//
	// Residuals:
	//     Min      1Q  Median      3Q     Max
	// -4.6538 -1.5465  0.3354  1.7968  4.0215
	//
	// Coefficients:
	//             Estimate Std. Error t value Pr(>|t|)
	// (Intercept)  4.66393    0.84933   5.491  1.1e-06 ***
	// days         0.35820    0.02978  12.027  < 2e-16 ***
	// treatedTRUE  2.04786    0.64270   3.186   0.0024 **
	// ---
	// Signif. codes:  0 ‘***’ 0.001 ‘**’ 0.01 ‘*’ 0.05 ‘.’ 0.1 ‘ ’ 1
	//
	// Residual standard error: 2.404 on 54 degrees of freedom
	//   (3 observations deleted due to missingness)
	// Multiple R-squared:  0.7367,	Adjusted R-squared:  0.7269
	// F-statistic: 75.54 on 2 and 54 DF,  p-value: 2.251e-16
}

func ExampleLogistic() {
	plants, _ := table.Load("testdata/plants.csv")
	m, _ := regression.Logistic(plants, "died ~ days")
	fmt.Println(m.Table().Select("term", "estimate", "se"))
	days, _ := table.From(map[string][]float64{"days": {10, 20, 40}})
	p, _ := m.Predict(days)
	fmt.Println(p)
	// Output:
	// term         estimate       se
	//    string        float64  float64
	// 0  (Intercept)   0.88136  0.71977
	// 1  days         -0.10094  0.03560
	// 2 rows, 3 columns
	//        fit       se      low     high
	//    float64  float64  float64  float64
	// 0  0.46803  0.10882  0.27196  0.67450
	// 1  0.24279  0.06302  0.14072  0.38566
	// 2  0.04084  0.03350  0.00791  0.18534
	// 3 rows, 4 columns
}

func ExampleAnova() {
	plants, _ := table.Load("testdata/plants.csv")
	plants = plants.Complete("height", "days", "plot")
	small, _ := regression.Fit(plants, "height ~ days")
	big, _ := regression.Fit(plants, "height ~ days + plot")
	tests, err := regression.Anova(small, big)
	fmt.Println(err)
	fmt.Println(tests)
	// Output:
	// <nil>
	//    model                  df  deviance    extra  reduction        F        p
	//    string                int   float64  float64    float64  float64  float64
	// 0  height ~ days          55   371.724        –          –        –        –
	// 1  height ~ days + plot   53   290.350        2    81.3741  7.42693  0.00143
	// 2 rows, 7 columns
}
