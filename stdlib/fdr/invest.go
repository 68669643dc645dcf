package fdr

import "fmt"

// A Bet is what generalised alpha-investing stakes on one hypothesis.
type Bet struct {
	Level  float64 // alpha_j, in (0, 1)
	Cost   float64 // phi_j, paid at once: at most the wealth
	Payout float64 // psi_j, earned by a discovery: at most min(phi_j + b0, phi_j/alpha_j + b0 - 1)
}

// A State is what a bet may depend on.
type State struct {
	Tested   int     // hypotheses so far
	Rejected int     // discoveries
	Last     int     // the last discovery, counted from 1; 0 if none
	Wealth   float64 // W
}

// GAI is generalised alpha-investing (Aharoni & Rosset 2014) with bets of one's
// own: W(j) = W(j-1) - phi_j + R_j psi_j. Its mFDR is at most alpha for valid
// p-values, whatever the bets, as long as each passes the two checks of [Bet]
// with b0 = alpha - W(0).
type GAI struct {
	b0    float64
	bets  func(State) Bet
	state State
	bet   Bet
	spent float64
	err   error
}

// NewGAI returns alpha-investing whose bets the function makes, which sees
// decisions only through the state. Errors: alpha outside (0, 1), wealth outside
// (0, alpha), a first bet that is not allowed.
func NewGAI(alpha, wealth float64, bets func(State) Bet) (*GAI, error) {
	if !(alpha > 0 && alpha < 1) {
		return nil, fmt.Errorf("fdr: alpha is %v, must be between 0 and 1", alpha)
	}
	if !(wealth > 0 && wealth < alpha) {
		return nil, fmt.Errorf("fdr: wealth is %v, must be between 0 and %v", wealth, alpha)
	}
	if bets == nil {
		return nil, fmt.Errorf("fdr: bets is nil, must be a function")
	}
	g := &GAI{b0: alpha - wealth, bets: bets, state: State{Wealth: wealth}}
	g.place()
	return g, g.err
}

// place asks for the next bet and checks it. One that is not allowed stops the
// rule: levels are 0 from then on, and Err says why.
func (g *GAI) place() {
	if g.err != nil {
		return
	}
	const slack = 1e-12
	b, w := g.bets(g.state), g.state.Wealth
	j := g.state.Tested + 1
	switch {
	case !(b.Level >= 0 && b.Level <= 1):
		g.err = fmt.Errorf("fdr: bet %d has level %v, must be in [0, 1]", j, b.Level)
	case !(b.Cost >= 0 && b.Cost <= w+slack):
		g.err = fmt.Errorf("fdr: bet %d costs %v, must be at most the wealth %v", j, b.Cost, w)
	case !(b.Payout >= 0 && b.Payout <= b.Cost+g.b0+slack):
		g.err = fmt.Errorf("fdr: bet %d pays %v, must be at most its cost and %v", j, b.Payout, g.b0)
	case b.Level > 0 && b.Payout > b.Cost/b.Level+g.b0-1+slack/b.Level:
		g.err = fmt.Errorf("fdr: bet %d pays %v, must be at most %v, cost over level and b0 - 1", j, b.Payout, b.Cost/b.Level+g.b0-1)
	}
	if g.err != nil {
		b = Bet{}
	}
	g.bet = b
}

// Level returns the level of the next hypothesis.
func (g *GAI) Level() float64 { return g.bet.Level }

// Observe pays the bet and, for a discovery, its payout.
func (g *GAI) Observe(p float64, reject bool) error {
	if err := observed(p, reject, g.bet.Level); err != nil {
		return err
	}
	s := &g.state
	s.Tested++
	s.Wealth = max(s.Wealth-g.bet.Cost, 0)
	g.spent += g.bet.Level
	if reject {
		s.Rejected++
		s.Last = s.Tested
		s.Wealth += g.bet.Payout
	}
	g.place()
	return nil
}

// Wealth returns W, never negative.
func (g *GAI) Wealth() float64 { return g.state.Wealth }

// FDPEstimate returns the sum of levels over max(R, 1).
func (g *GAI) FDPEstimate() float64 { return g.spent / float64(max(g.state.Rejected, 1)) }

// State returns what the next bet saw.
func (g *GAI) State() State { return g.state }

// Err returns why the rule has stopped betting, nil while it goes on.
func (g *GAI) Err() error { return g.err }

// newFosterStine returns alpha-investing with the spending
//
//	phi_j = W / (1 + j - tau),  alpha_j = phi_j / (1 + phi_j),  psi_j = phi_j + b0:
//
// a discovery adds b0, anything else costs phi_j.
func newFosterStine(alpha, wealth float64) *GAI {
	b0 := alpha - wealth
	g, err := NewGAI(alpha, wealth, func(s State) Bet {
		phi := s.Wealth / float64(2+s.Tested-s.Last)
		return Bet{Level: phi / (1 + phi), Cost: phi, Payout: phi + b0}
	})
	if err != nil {
		panic(err) // alpha and wealth are checked, and these bets are allowed
	}
	return g
}
