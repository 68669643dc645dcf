package fdr

// convolved is the family of LORD++: every discovery pays for a sequence of
// levels of its own, and the level is their sum,
//
//	s = scale [ W0 gamma(c) + (A-W0) gamma(c-k_1) + A sum_(l>=2) gamma(c-k_l) ],
//
// cut at a ceiling. c is a clock that starts at 1 and does not advance at p-values
// above tau (discarded) and at most lambda (candidates, which cost nothing);
// k_l is the reading of the clock just after discovery l, less 1.
//
//	LORD++    A = alpha,      lambda = 0,  tau = 1,  scale = 1,             ceiling 1
//	D-LORD    A = tau alpha,  lambda = 0,            scale = 1,             ceiling tau
//	SAFFRON   A = alpha,                   tau = 1,  scale = 1 - lambda,    ceiling lambda
//	ADDIS     A = alpha,                             scale = tau - lambda,  ceiling lambda
//	investing A = alpha, candidates are the discoveries, level s/(1+s)
//
// A level costs O(log R) for R discoveries so far, and O(R) with weights of the "values" form (at most as many as there
// are values) or a "power" above 4.
type convolved struct {
	lambda, tau, scale, ceiling float64
	investing                   bool

	table     *gammaTable
	total, w0 float64 // A, W0
	clock     int
	first     int     // k_1, while there are discoveries
	later     *tails  // k_2, k_3, ...
	spent     float64 // sum of the levels of p-values in (lambda, tau], each over scale
	rejected  int
	level     float64 // of the next hypothesis
}

func newConvolved(s *Settings, total, w0 float64, c convolved) *convolved {
	c.table, c.total, c.w0, c.clock = &gammaTable{gamma: s.Gamma}, total, w0, 1
	c.later = &tails{table: c.table}
	c.level = c.compute()
	return &c
}

func (c *convolved) compute() float64 {
	sum := c.w0 * c.table.at(c.clock)
	if c.rejected > 0 {
		sum += (c.total-c.w0)*c.table.at(c.clock-c.first) + c.total*c.later.sum(c.clock)
	}
	if c.investing {
		return sum / (1 + sum)
	}
	return min(c.scale*sum, c.ceiling)
}

func (c *convolved) Level() float64 { return c.level }

func (c *convolved) Observe(p float64, reject bool) error {
	if err := observed(p, reject, c.level); err != nil {
		return err
	}
	candidate, price := p <= c.lambda && c.lambda > 0, c.level/c.scale
	if c.investing {
		candidate, price = reject, c.level/(1-c.level)
	}
	if p <= c.tau && !candidate {
		c.clock++
		c.spent += price
	}
	if reject {
		if c.rejected == 0 {
			c.first = c.clock - 1
		} else {
			c.later.add(c.clock - 1)
		}
		c.rejected++
	}
	c.level = c.compute()
	return nil
}

// Wealth is what all sequences paid for, less what was spent. The sum of gamma is
// at most 1, so it is never negative (but for rounding).
func (c *convolved) Wealth() float64 {
	earned := c.w0
	if c.rejected > 0 {
		earned = c.total * float64(c.rejected)
	}
	return max(earned-c.spent, 0)
}

func (c *convolved) FDPEstimate() float64 {
	// D-LORD counts p-values up to tau only: its estimate is divided by tau.
	spent := c.spent
	if c.tau < 1 && c.lambda == 0 {
		spent /= c.tau
	}
	return spent / float64(max(c.rejected, 1))
}
