package fdr

// recent is LORD with levels that depend on the last discovery alone.
//
//	LORD 3    alpha_j = gamma_(j-tau) W(tau),  W(j) = W(j-1) - alpha_j + b0 R_j
//	LORD 15   alpha_j = gamma_(j-tau) alpha,   wealth is alpha again at tau
//	LORD dep  alpha_j = gamma_j W(tau), W as LORD 3
//
// tau is the last discovery before j, 0 if there is none. The sum of gamma is at
// most 1, so the spending after tau is at most W(tau) and wealth stays
// non-negative.
type recent struct {
	table    gammaTable
	payout   float64 // b0
	reset    bool    // a discovery sets wealth to payout, instead of adding it
	absolute bool    // gamma_j in place of gamma_(j-tau)

	j, last  int // hypotheses seen, the last discovery
	rejected int
	wealth   float64 // W(j)
	atLast   float64 // W(tau)
	spent    float64 // sum of levels
}

func newRecent(g Gamma, wealth, payout float64, reset bool) *recent {
	return &recent{table: gammaTable{gamma: g}, payout: payout, reset: reset, wealth: wealth, atLast: wealth}
}

func (r *recent) next() float64 {
	if r.absolute {
		return r.table.at(r.j+1) * r.atLast
	}
	return r.table.at(r.j+1-r.last) * r.atLast
}

func (r *recent) Level() float64 { return min(r.next(), 1) }

func (r *recent) Observe(p float64, reject bool) error {
	level := r.next()
	if err := observed(p, reject, min(level, 1)); err != nil {
		return err
	}
	r.j++
	r.wealth = max(r.wealth-level, 0) // below 0 by rounding alone
	r.spent += min(level, 1)
	if reject {
		r.rejected++
		if r.reset {
			r.wealth = 0
		}
		r.wealth += r.payout
		r.last, r.atLast = r.j, r.wealth
	}
	return nil
}

func (r *recent) Wealth() float64      { return r.wealth }
func (r *recent) FDPEstimate() float64 { return r.spent / float64(max(r.rejected, 1)) }
