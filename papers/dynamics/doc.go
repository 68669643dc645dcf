// Package dynamics holds the studies of chapter 5 of Dai 2018: learning from conditional distributions by the dual
// embedding, and the evaluation of policies.
package dynamics
