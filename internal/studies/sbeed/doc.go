// Package sbeed has the studies of chapter 6 of Dai 2018: smoothed Bellman error embedding (SBEED), compared with other methods of
// reinforcement learning.
//
// The rule of the comparisons, set before any of their final runs:
//
//   - Every learner of a figure has the same number of candidate settings in each environment (controls.go). The search
//     (search.go) runs them for as many steps as the final run has, with seeds of its own, and the one with the largest
//     mean of the field final is the learner's. The final studies read it from the search's record. PCL has SBEED's.
//   - A learner is evaluated by its mean actions, in episodes apart that it does not see, after each fifteenth of its steps, from
//     starts that are the same for all learners of a replication. final is the mean of the evaluations in the last fifth.
//   - A verdict is Welch's one-sided test at 5% over the seeds, of final, in package claims. No figure agrees where the
//     best learner is not above doing nothing and random actions.
package sbeed
