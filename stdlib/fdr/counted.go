package fdr

import "math"

// counted are the rules whose level is alpha gamma_j times a number of the
// discoveries D so far.
//
//	LOND            alpha gamma_j (D+1)
//	LOND positive   alpha gamma_j max(D,1)
//	LOND dep        alpha gamma_j (D+1) / H_j,  H_j = 1 + 1/2 + ... + 1/j
//	alpha-spending  alpha gamma_j
//	fallback        alpha gamma_j, and the level of hypothesis j-1 if that was rejected
//	Bonferroni      alpha 6/(pi^2 j^2), which sums to alpha
type counted struct {
	method Method
	budget float64 // alpha
	table  gammaTable

	j, rejected int
	harmonic    float64 // H_j
	share       float64 // sum of gamma so far
	saved       float64 // fallback: the last level if it rejected
	spent       float64
}

func (c *counted) Level() float64 {
	level := c.budget * c.table.at(c.j+1)
	switch c.method {
	case LOND:
		level *= float64(c.rejected + 1)
	case LONDPositive:
		level *= float64(max(c.rejected, 1))
	case LONDDependent:
		level *= float64(c.rejected+1) / (c.harmonic + 1/float64(c.j+1))
	case Fallback:
		level += c.saved
	}
	return min(level, 1)
}

func (c *counted) Observe(p float64, reject bool) error {
	level := c.Level()
	if err := observed(p, reject, level); err != nil {
		return err
	}
	c.j++
	c.harmonic += 1 / float64(c.j)
	c.share += c.table.at(c.j)
	c.spent += level
	c.saved = 0
	if reject {
		c.rejected++
		c.saved = level
	}
	return nil
}

// Wealth is the part of alpha that later hypotheses share at the present number
// of discoveries.
func (c *counted) Wealth() float64 {
	left := c.budget * max(1-c.share, 0)
	switch c.method {
	case LOND, LONDDependent:
		left *= float64(c.rejected + 1)
	case LONDPositive:
		left *= float64(max(c.rejected, 1))
	case Fallback:
		left += c.saved
	}
	return left
}

func (c *counted) FDPEstimate() float64 { return c.spent / float64(max(c.rejected, 1)) }

// uncorrected tests every hypothesis at alpha.
type uncorrected struct {
	alpha       float64
	j, rejected int
}

func (u *uncorrected) Level() float64 { return u.alpha }

func (u *uncorrected) Observe(p float64, reject bool) error {
	if err := observed(p, reject, u.alpha); err != nil {
		return err
	}
	u.j++
	if reject {
		u.rejected++
	}
	return nil
}

func (u *uncorrected) Wealth() float64 { return math.Inf(1) }
func (u *uncorrected) FDPEstimate() float64 {
	return u.alpha * float64(u.j) / float64(max(u.rejected, 1))
}
