// Package regression fits linear, logistic and Poisson regressions to tables, by formulas as in R:
//
//	plants, err := table.Load("plants.csv")
//	m, err := regression.Fit(plants, "height ~ treated + plot")
//	fmt.Println(m)                     // the summary, as R prints it; in a notebook, m shows it
//	m.Confidence(0.95)                 // a table of intervals
//	next, err := m.Predict(newPlants)  // fit, se, low, high
//	bigger, err := regression.Fit(plants, "height ~ treated * plot")
//	tests, err := regression.Anova(m, bigger)
//	alive, err := regression.Logistic(plants, "survived ~ days + log(dose)")
//	safe, err := m.Robust("HC3")       // errors for unequal variances; Clustered for groups
//	rate, err := regression.FitWith(claims, "claims ~ age", &regression.Settings{Family: regression.Poisson, Offset: "log(days)"})
//
// # Formulas
//
//	y ~ a + b        the terms a and b, and an intercept
//	y ~ a:b          the interaction of a and b
//	y ~ a * b        a + b + a:b
//	y ~ (a + b + c)^2  all terms and their interactions of two
//	y ~ a + b - 1    no intercept; 0 + a + b is the same
//	y ~ .            all other columns
//	y ~ 1            the intercept alone
//	log(y) ~ sqrt(a) functions: log, log2, log10, log1p, exp, sqrt, abs, sin, cos
//	y ~ a + I(a^2)   arithmetic + - * / ^, inside I()
//	y ~ factor(year) a column of numbers as a factor
//	y ~ `dose [mg]`  a name with other signs in it
//
// Columns of strings and bools are factors. In a term they are coded by treatment contrasts: a coefficient for each value but
// the first in alphabetical order, which is the reference; where the rest of the term is in no earlier term, by one for each
// value. Columns, coefficients and their names are those of R's lm and glm.
//
// A row with a missing value in a variable of the formula is dropped; [Model] counts these rows, and its summary says so. A
// value that a function does not have, such as log(0), is an error.
//
// # Numbers
//
// Estimates come from a QR decomposition with R's rule for collinear columns: one that the ones before it explain to seven
// digits has no coefficient (NaN), and a note names it. Another note says when the data are separated perfectly, which leaves
// a logistic regression without a maximum.
package regression
