// Package hypothesis tests hypotheses about samples: their means, ranks, counts, laws and correlation.
//
//	height := plants.GroupBy("treated").Floats("height")
//	test, err := hypothesis.WelchT(height[0], height[1])
//	fmt.Println(test)      // in a notebook, test shows it
//	test.P                 // against a difference either way
//	test.Greater           // against the alternative that the first mean is greater
//	test.Confidence(0.95)  // limits of the difference
//
// Which test answers which question:
//
//	a mean, or two or more     OneSampleT, PairedT, WelchT, StudentT, Anova, Tukey
//	variances                  Levene
//	values by their ranks      SignedRank, MannWhitney, KruskalWallis
//	counts and shares          Binomial, GoodnessOfFit, ChiSquared, Fisher
//	laws                       KolmogorovSmirnov, KolmogorovSmirnov2, ShapiroWilk
//	two values of each unit    Pearson, Spearman
//	any statistic              Bootstrap, Permutation
//
// Statistics and p-values are those of SciPy and of R's stats; where the two differ, or a limit is another, the function says
// what it does. P-values of many tests are what package fdr takes.
//
// A value that is NaN or infinite is an error: [gaucho/stdlib/table.Table.Complete] drops rows with missing values.
package hypothesis
