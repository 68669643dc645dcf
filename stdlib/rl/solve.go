package rl

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/vec"
)

// A Solution is the optimal value of an MDP, of its states and of actions in them, and
// a policy: the probability of each action in each state.
type Solution struct {
	V          []float64
	Q, Policy  *mat.Dense // states x actions
	Iterations int
}

// ValueIteration solves the Bellman equation V(s) = max_a Q(s, a) for lambda = 0 and the
// smoothed one, V(s) = lambda log sum_a exp(Q(s, a)/lambda), for lambda > 0 (Dai 2018,
// equation 6.5), where Q(s, a) = R(s, a) + discount E V(s') and V is 0 after an end. It
// stops when the value is within tolerance of the fixed point in the largest
// deviation; the operator is a contraction by the discount. The policy is the first
// best action, or exp((Q - V)/lambda). Each iteration costs one pass over the table.
func ValueIteration(ctx context.Context, m *MDP, discount, lambda, tolerance float64) (*Solution, error) {
	if err := checkDiscount(discount); err != nil {
		return nil, err
	}
	if !(lambda >= 0) || math.IsInf(lambda, 1) {
		return nil, fmt.Errorf("rl: lambda is %v, must be at least 0", lambda)
	}
	if !(tolerance > 0) {
		return nil, fmt.Errorf("rl: tolerance is %v, must be positive", tolerance)
	}
	if m == nil {
		return nil, fmt.Errorf("rl: process is nil")
	}
	s := &Solution{V: make([]float64, m.States()), Q: mat.NewDense(m.States(), m.Actions(), nil), Policy: mat.NewDense(m.States(), m.Actions(), nil)}
	next := make([]float64, m.States())
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		m.Backup(next, s.Q, s.V, discount, lambda)
		change, size := 0.0, 0.0
		for i, v := range next {
			change = max(change, math.Abs(v-s.V[i]))
			size = max(size, math.Abs(v))
		}
		s.V, next = next, s.V
		s.Iterations++
		// The fixed point is within discount/(1-discount) of the last change; what is
		// lost to rounding is not asked for.
		if discount*change <= (1-discount)*tolerance || change <= 4e-16*size {
			break
		}
	}
	m.Backup(s.V, s.Q, s.V, discount, lambda)
	for i := range s.V {
		row, q := s.Policy.RawRowView(i), s.Q.RawRowView(i)
		if lambda == 0 {
			row[argmax(q)] = 1
			continue
		}
		vec.Scale(row, 1/lambda, q)
		vec.Softmax(row, row)
	}
	return s, nil
}

// Backup sets next to the Bellman operator applied to V, smoothed if lambda > 0, and q
// to the values of actions that it goes through; see [ValueIteration]. next may be v.
func (m *MDP) Backup(next []float64, q *mat.Dense, v []float64, discount, lambda float64) {
	for s, row := range m.table {
		for a, outcomes := range row {
			sum := 0.0
			for _, t := range outcomes {
				value := t.Reward
				if !t.End {
					value += discount * v[t.Next]
				}
				sum += t.Probability * value
			}
			q.Set(s, a, sum)
		}
	}
	scaled := make([]float64, m.Actions())
	for s := range next {
		if lambda == 0 {
			next[s] = vec.Max(q.RawRowView(s))
			continue
		}
		vec.Scale(scaled, 1/lambda, q.RawRowView(s))
		next[s] = lambda * vec.LogSumExp(scaled)
	}
}

// EvaluatePolicy returns the value of a policy, the probabilities of actions by state,
// with lambda times its entropy paid in every state (Dai 2018, equation 6.4), by a
// linear solve: states^3 operations.
func EvaluatePolicy(m *MDP, policy *mat.Dense, discount, lambda float64) ([]float64, error) {
	if err := checkDiscount(discount); err != nil {
		return nil, err
	}
	if err := m.checkShape(policy); err != nil {
		return nil, err
	}
	n := m.States()
	system, right := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
	for s := range n {
		system.Set(s, s, 1)
	}
	for s, row := range m.table {
		pay := 0.0
		for a, outcomes := range row {
			p := policy.At(s, a)
			if !(p >= 0) || p > 1+1e-9 {
				return nil, fmt.Errorf("rl: action %d in state %d has the probability %v, must be from 0 to 1", a, s, p)
			}
			if p > 0 {
				pay -= lambda * p * vec.Log1(p)
			}
			for _, t := range outcomes {
				pay += p * t.Probability * t.Reward
				if !t.End {
					system.Set(s, t.Next, system.At(s, t.Next)-discount*p*t.Probability)
				}
			}
		}
		right.SetVec(s, pay)
	}
	var v mat.VecDense
	if err := v.SolveVec(system, right); err != nil {
		return nil, fmt.Errorf("rl: the value of the policy: %w", err)
	}
	return v.RawVector().Data, nil
}

// Consistency returns the largest |V(s) - R(s, a) - discount E V(s') + lambda log
// pi(a|s)| over states and actions, which is 0 only for the smoothed optimum (Dai 2018,
// equation 6.6).
func Consistency(m *MDP, v []float64, policy *mat.Dense, discount, lambda float64) float64 {
	q, next := mat.NewDense(m.States(), m.Actions(), nil), make([]float64, m.States())
	m.Backup(next, q, v, discount, lambda)
	worst := 0.0
	for s := range v {
		for a := range m.Actions() {
			worst = max(worst, math.Abs(v[s]-q.At(s, a)+lambda*vec.Log1(policy.At(s, a))))
		}
	}
	return worst
}

// ConsistentValue returns the value that is the nearest to being consistent with a
// policy of positive probabilities: it minimises the mean over states and actions of
// (R(s, a) + discount E V(s') - lambda log pi(a|s) - V(s))^2, SBEED's objective for eta = 1
// where the policy is given, which is convex. For the smoothed optimum it is its value,
// and for other policies not theirs. A least squares solve: states^3 actions operations.
func ConsistentValue(m *MDP, policy *mat.Dense, discount, lambda float64) ([]float64, error) {
	if err := checkDiscount(discount); err != nil {
		return nil, err
	}
	if err := m.checkPositive(policy); err != nil {
		return nil, err
	}
	n, k := policy.Dims()
	system, right := mat.NewDense(n*k, n, nil), mat.NewVecDense(n*k, nil)
	for s, row := range m.table {
		for a, outcomes := range row {
			x, pay := system.RawRowView(s*k+a), -lambda*vec.Log1(policy.At(s, a))
			x[s]++
			for _, t := range outcomes {
				pay += t.Probability * t.Reward
				if !t.End {
					x[t.Next] -= discount * t.Probability
				}
			}
			right.SetVec(s*k+a, pay)
		}
	}
	var v mat.VecDense
	if err := v.SolveVec(system, right); err != nil {
		return nil, fmt.Errorf("rl: the value consistent with the policy: %w", err)
	}
	return v.RawVector().Data, nil
}

// checkShape fails unless policy has a row for every state of a process and a column for every action.
func (m *MDP) checkShape(policy *mat.Dense) error {
	switch {
	case m == nil:
		return fmt.Errorf("rl: process is nil")
	case policy == nil:
		return fmt.Errorf("rl: policy is nil")
	}
	if n, k := policy.Dims(); n != m.States() || k != m.Actions() {
		return fmt.Errorf("rl: the policy is %d x %d, must be %d x %d", n, k, m.States(), m.Actions())
	}
	return nil
}

// checkPositive fails unless policy holds positive probabilities for every state.
func (m *MDP) checkPositive(policy *mat.Dense) error {
	if err := m.checkShape(policy); err != nil {
		return err
	}
	for s := range m.table {
		sum := 0.0
		for a, p := range policy.RawRowView(s) {
			if !(p > 0) {
				return fmt.Errorf("rl: action %d in state %d has the probability %v, must be positive", a, s, p)
			}
			sum += p
		}
		if !(math.Abs(sum-1) < 1e-9) {
			return fmt.Errorf("rl: probabilities of state %d sum to %v, must to 1", s, sum)
		}
	}
	return nil
}

func checkDiscount(discount float64) error {
	if !(discount >= 0 && discount < 1) {
		return fmt.Errorf("rl: discount is %v, must be from 0 to below 1", discount)
	}
	return nil
}

// argmax returns the first index of the largest element.
func argmax(x []float64) int {
	best := 0
	for i, v := range x {
		if v > x[best] {
			best = i
		}
	}
	return best
}

// LinearControl solves linearly solvable control with a first exit (Todorov 2007;
// Dai 2018, section 5.5): from state s, of which one chooses the law of the next state
// p(.|s), the cost is cost[s] + temperature KL(p(.|s) | passive(.|s)); exits, where one
// stays, cost cost[s] once. The desirability z = exp(-V/temperature) solves z(s) =
// exp(-cost(s)/temperature) sum passive(s'|s) z(s'), and the best law is passive(s'|s)
// z(s') normalised. It returns the optimal costs V and that law, for the n x n matrix
// passive whose rows sum to 1. n^3 operations.
func LinearControl(passive *mat.Dense, cost []float64, exit []bool, temperature float64) (v []float64, law *mat.Dense, err error) {
	if passive == nil {
		return nil, nil, fmt.Errorf("rl: the passive law is nil, must be a matrix")
	}
	n, k := passive.Dims()
	if n != k || len(cost) != n || len(exit) != n {
		return nil, nil, fmt.Errorf("rl: the passive law is %d x %d, with %d costs and %d exits, must be of one size", n, k, len(cost), len(exit))
	}
	if !(temperature > 0) || math.IsInf(temperature, 1) {
		return nil, nil, fmt.Errorf("rl: temperature is %v, must be positive", temperature)
	}
	system, right := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
	for s := range n {
		system.Set(s, s, 1)
		weight := vec.Exp1(-cost[s] / temperature)
		if exit[s] {
			right.SetVec(s, weight)
			continue
		}
		sum := 0.0
		for t, p := range passive.RawRowView(s) {
			if !(p >= 0) {
				return nil, nil, fmt.Errorf("rl: the passive law of state %d has the probability %v, must be at least 0", s, p)
			}
			sum += p
			system.Set(s, t, system.At(s, t)-weight*p)
		}
		if !(math.Abs(sum-1) < 1e-9) {
			return nil, nil, fmt.Errorf("rl: the passive law of state %d sums to %v, must to 1", s, sum)
		}
	}
	var z mat.VecDense
	if err := z.SolveVec(system, right); err != nil {
		return nil, nil, fmt.Errorf("rl: linearly solvable control, where every state must reach an exit: %w", err)
	}
	v, law = make([]float64, n), mat.NewDense(n, n, nil)
	for s := range n {
		v[s] = -temperature * vec.Log1(z.AtVec(s))
		if exit[s] {
			law.Set(s, s, 1)
			continue
		}
		sum := 0.0
		for t, p := range passive.RawRowView(s) {
			law.Set(s, t, p*z.AtVec(t))
			sum += law.At(s, t)
		}
		vec.Scale(law.RawRowView(s), 1/sum, law.RawRowView(s))
	}
	return v, law, nil
}
