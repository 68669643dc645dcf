// Package fdr tests hypotheses one after another, for as long as one likes,
// while the share of false discoveries stays under control.
//
// A rule gives the level of the next hypothesis from what was decided so far;
// the hypothesis is rejected when its p-value is at most that level:
//
//	stream, err := fdr.NewStream(fdr.LORDPlusPlus, 0.05, nil)
//	for _, p := range pvalues {
//		d, err := stream.Test(p) // d.Level, d.Reject
//	}
//
// [NewRule] gives the bare rule; [Run] does a slice of p-values at once. A
// stream can be saved at any time and resumed later, by another program, where
// it stopped: [Stream.Save], [Resume].
//
// # What is guaranteed
//
// V is the number of false discoveries among R discoveries. FDR is the mean of
// V/max(R,1), mFDR is E V/(E R + 1), FWER the probability that V > 0. "Valid"
// p-values are super-uniform under the null given the past decisions.
//
//	LORD3           mFDR <= alpha for valid p-values
//	LORD15          FDR and mFDR <= alpha for valid p-values
//	LORDPlusPlus    FDR <= alpha, independent p-values
//	LORDDiscard     FDR <= alpha, independent and uniformly conservative nulls
//	LORDDependent   FDR <= alpha, any dependence
//	LOND            FDR <= alpha, independent p-values
//	LONDPositive    FDR <= alpha, positive dependence (PRDS)
//	LONDDependent   FDR <= alpha, any dependence
//	FosterStine     mFDR <= alpha, valid p-values
//	Investing       FDR <= alpha, independent p-values
//	SAFFRON         FDR <= alpha, independent p-values
//	ADDIS           FDR <= alpha, independent and uniformly conservative nulls
//	AlphaSpending   FWER <= alpha, any dependence
//	Fallback        FWER <= alpha, any dependence
//	Bonferroni      FWER <= alpha, any dependence
//	Uncorrected     nothing: every hypothesis at level alpha, for comparison
//
// [BenjaminiHochberg] is the offline comparison, which sees all p-values at
// once.
//
// # Experiments with many arms
//
// [Process] is MAB-FDR (Yang 2018, chapter 4, procedures 1 and 2): each
// hypothesis is a best-arm experiment of package bandit, run at the level that
// the rule gives, and rejected by its always-valid p-value.
//
// # Departures
//
// The level of LORD3 may exceed 1 after many discoveries; it is cut there. The
// first payout of LORD++ is alpha - W(0), as in the formula of Ramdas et al.
// 2017; the program published with the chapter pays alpha and spends all wealth
// at the last discovery, which is a different rule.
package fdr
