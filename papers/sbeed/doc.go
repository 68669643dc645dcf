// Package sbeed holds the studies of chapter 6 of Dai 2018: smoothed Bellman error embedding (SBEED), compared with other
// methods of reinforcement learning.
//
// The rules of the comparisons were set before any of their final runs:
//
//   - Every learner of a figure has the same number of candidate settings in each environment (controls.go). The search
//     (search.go) runs them for as many steps as the final run has, with seeds of its own, and chooses those with the
//     largest mean of the field final. The final studies read the choice from the search's record. PCL takes SBEED's
//     settings.
//   - A learner is evaluated by its mean actions, in separate episodes that it does not learn from, after each fifteenth of
//     its steps, from starts that are the same for all learners of a replication. final is the mean of the evaluations in
//     the last fifth.
//   - Package claims decides by Welch's one-sided test of final at 5% over the seeds. No figure agrees if the best learner
//     is not above doing nothing and random actions.
package sbeed
