package em

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/linalg"
	"gaucho/stdlib/vec"
)

// Fit returns weighted means and covariances about them, or with a prior what
// maximises the posterior.
//
// All sums come from one pass over the data, about a common centre. Where a
// state's mean is so far from that, against its standard deviation, that digits
// would be lost, its squares are summed again about the mean.
func (g *Gaussian) Fit(x, weight []*mat.Dense, lost []bool) (Output, error) {
	s, d := g.Means.Dims()
	out := *g
	out.Means = mat.DenseCopyOf(g.Means)
	centre := g.centre()
	sums := g.moments(x, weight, centre)
	kappa, prior := g.Prior.mean(d)
	for j := range s {
		if lost[j] {
			continue
		}
		row := sums.RawRowView(j)
		for a := range d {
			out.Means.Set(j, a, (row[1+a]+row[0]*centre[a]+kappa*prior[a])/(row[0]+kappa))
		}
	}
	if g.Known {
		return &out, nil
	}
	squares := make([]*mat.SymDense, s)
	for j := range s {
		if !lost[j] || g.Kind == Tied { // the shared covariance has a part in what lost states see
			squares[j] = out.squares(j, sums.RawRowView(j), centre)
			if far(squares[j], out.Means.RawRowView(j), centre, sums.At(j, 0)) {
				squares[j] = out.exactSquares(j, x, weight)
			}
		}
	}
	if g.Kind == Spherical || g.Kind == Diagonal {
		out.setVariances(g, squares, sums)
	} else {
		if err := out.setCovariances(g, squares, sums); err != nil {
			return nil, err
		}
	}
	return &out, out.Check()
}

// mean returns weight and place of the prior of the means.
func (p *GaussianPrior) mean(d int) (weight float64, at []float64) {
	at = make([]float64, d)
	if p == nil {
		return 0, at
	}
	copy(at, p.Mean)
	return p.MeanWeight, at
}

// variance returns the number of observations that the prior counts for in
// variances, and the sum of their squares.
func (p *GaussianPrior) variance() (count, squares float64) {
	if p == nil {
		return 0, 0
	}
	if p.MeanWeight > 0 {
		count = 1
	}
	return count + p.VarianceWeight, p.VarianceWeight * p.Variance
}

// moments returns for each state the weighted sums of 1, of y = x - centre, and,
// unless covariances are known, of the squares of y or of its products y_a y_b, a <= b.
func (g *Gaussian) moments(x, weight []*mat.Dense, centre []float64) *mat.Dense {
	s, d := g.Means.Dims()
	width := 1 + 2*d
	switch {
	case g.Known:
		width = 1 + d
	case g.Kind == Full || g.Kind == Tied:
		width = 1 + d + d*(d+1)/2
	}
	sums := mat.NewDense(s, width, nil)
	for q := range x {
		n, _ := x[q].Dims()
		raw := weight[q].RawMatrix()
		parts := mat.NewDense(parallel.Count(n, rowBlock), s*width, nil)
		parallel.Blocks(n, rowBlock, func(b, lo, hi int) {
			terms, part := make([]float64, chunkRows*width), parts.RawRowView(b)
			for ; lo < hi; lo += chunkRows {
				m := min(chunkRows, hi-lo)
				for i := range m {
					g.terms(terms[i*width:(i+1)*width], x[q].RawRowView(lo+i), centre)
				}
				linalg.Gemm(true, false, s, width, m, 1, raw.Data[lo*raw.Stride:], raw.Stride, terms, width, 1, part, width)
			}
		})
		addRows(sums.RawMatrix().Data, parts)
	}
	return sums
}

// terms fills a row of what moments sums.
func (g *Gaussian) terms(row, x, centre []float64) {
	d := len(centre)
	if len(row) == 1+2*d && g.Kind != Full && g.Kind != Tied {
		quadraticTerms(row, x, centre)
		return
	}
	row[0] = 1
	y, rest := row[1:1+d], row[1+d:]
	for a, v := range x[:d] {
		y[a] = v - centre[a]
	}
	if len(rest) == 0 {
		return
	}
	for a, v := range y {
		for b, w := range y[a:] {
			rest[b] = v * w
		}
		rest = rest[d-a:]
	}
}

// squares returns the weighted sum of (x - mean)(x - mean)' for state j, or of its
// diagonal, from the sums about the centre: with y = x - centre and shift = mean -
// centre, sum y y' - shift (sum y)' - (sum y) shift' + weight shift shift'.
func (g *Gaussian) squares(j int, sums, centre []float64) *mat.SymDense {
	d := len(centre)
	total, first, rest := sums[0], sums[1:1+d], sums[1+d:]
	shift := make([]float64, d)
	vec.Sub(shift, g.Means.RawRowView(j), centre)
	out := mat.NewSymDense(d, nil)
	diagonal := len(rest) == d
	for a := range d {
		for b := a; b < d && (b == a || !diagonal); b++ {
			out.SetSym(a, b, rest[b-a]-shift[a]*first[b]-first[a]*shift[b]+total*shift[a]*shift[b])
		}
		if diagonal {
			rest = rest[1:]
		} else {
			rest = rest[d-a:]
		}
	}
	return out
}

// far says whether a mean is more than 100 standard deviations from the centre.
func far(squares *mat.SymDense, mean, centre []float64, total float64) bool {
	for a, m := range mean {
		if shift := m - centre[a]; !(shift*shift*total <= 1e4*squares.At(a, a)) {
			return true
		}
	}
	return false
}

// exactSquares sums about the mean itself.
func (g *Gaussian) exactSquares(j int, x, weight []*mat.Dense) *mat.SymDense {
	_, d := g.Means.Dims()
	mean, out := g.Means.RawRowView(j), mat.NewSymDense(d, nil)
	for q := range x {
		n, _ := x[q].Dims()
		y := mat.NewDense(n, d, nil)
		for i := range n {
			r, row := math.Sqrt(weight[q].At(i, j)), y.RawRowView(i)
			for a, v := range x[q].RawRowView(i) {
				row[a] = r * (v - mean[a])
			}
		}
		linalg.SymRankKTrans(out, 1, y, 1)
	}
	return out
}

func (g *Gaussian) setVariances(old *Gaussian, squares []*mat.SymDense, sums *mat.Dense) {
	s, d := g.Means.Dims()
	g.Variances = mat.NewDense(s, d, nil)
	kappa, prior := g.Prior.mean(d)
	count, added := g.Prior.variance()
	for j := range s {
		v := g.Variances.RawRowView(j)
		if squares[j] == nil {
			copy(v, old.Variances.RawRowView(j))
			continue
		}
		for a := range v {
			shift := g.Means.At(j, a) - prior[a]
			v[a] = (squares[j].At(a, a) + kappa*shift*shift + added) / (sums.At(j, 0) + count)
		}
		if g.Kind == Spherical {
			vec.Fill(v, vec.Sum(v)/float64(d))
		}
		for a := range v {
			v[a] = max(v[a], g.floorOf(a))
		}
	}
}

func (g *Gaussian) setCovariances(old *Gaussian, squares []*mat.SymDense, sums *mat.Dense) error {
	s, d := g.Means.Dims()
	g.Covariances = make([]*mat.SymDense, len(old.Covariances))
	if g.Kind == Full {
		count, added := g.Prior.variance()
		for j := range s {
			if squares[j] == nil {
				g.Covariances[j] = old.Covariances[j]
				continue
			}
			g.addPrior(squares[j], j)
			g.Covariances[j] = scaled(squares[j], added, sums.At(j, 0)+count)
			if err := g.raise(g.Covariances[j]); err != nil {
				return err
			}
		}
		return nil
	}
	all, total := mat.NewSymDense(d, nil), 0.0
	for j := range s {
		all.AddSym(all, squares[j])
		total += sums.At(j, 0)
		g.addPrior(all, j)
	}
	added := 0.0
	if p := g.Prior; p != nil {
		added = p.VarianceWeight * p.Variance
		total += p.VarianceWeight
		if p.MeanWeight > 0 {
			total += float64(s)
		}
	}
	g.Covariances[0] = scaled(all, added, total)
	return g.raise(g.Covariances[0])
}

// addPrior adds the square of the mean about the prior's.
func (g *Gaussian) addPrior(to *mat.SymDense, j int) {
	kappa, prior := g.Prior.mean(to.SymmetricDim())
	if kappa == 0 {
		return
	}
	shift := make([]float64, len(prior))
	vec.Sub(shift, g.Means.RawRowView(j), prior)
	to.SymRankOne(to, kappa, mat.NewVecDense(len(shift), shift))
}

// scaled returns (c + added I)/total.
func scaled(c *mat.SymDense, added, total float64) *mat.SymDense {
	for a := range c.SymmetricDim() {
		c.SetSym(a, a, c.At(a, a)+added)
	}
	c.ScaleSym(1/total, c)
	return c
}

// logPrior returns the log density of the prior at the parameters, but for a
// constant.
func (g *Gaussian) logPrior() float64 {
	if g.Prior == nil {
		return 0
	}
	s, d := g.Means.Dims()
	kappa, prior := g.Prior.mean(d)
	count, added := g.Prior.variance()
	if g.Known {
		count, added = 0, 0
	}
	sum := 0.0
	factors, _ := g.factors() // nil without matrices: parameters are valid
	for j := range s {
		if factors == nil {
			for a, v := range g.Variances.RawRowView(j) {
				shift := g.Means.At(j, a) - prior[a]
				sum += count*vec.Log1(v) + (kappa*shift*shift+added)/v
			}
			continue
		}
		l := factors[min(j, len(factors)-1)]
		share := count
		if g.Kind == Tied && j > 0 { // one variance part for all
			share, added = share-g.Prior.VarianceWeight, 0
			if g.Known {
				share = 0
			}
		}
		for a := range d {
			sum += 2 * share * vec.Log1(l.At(a, a))
		}
		sum += traceSolved(l, g.Means.RawRowView(j), prior, kappa, added)
	}
	return -sum / 2
}

// traceSolved returns tr (L L')^-1 (kappa (mean-prior)(mean-prior)' + added I).
func traceSolved(l *mat.TriDense, mean, prior []float64, kappa, added float64) float64 {
	d := len(mean)
	z, sum := make([]float64, d), 0.0
	for b := 0; b <= d; b++ {
		weight := added
		if b == d {
			weight = kappa
		}
		for a := range d {
			v := 0.0
			if b == d {
				v = mean[a] - prior[a]
			} else if a == b {
				v = 1
			}
			for c := range a {
				v -= l.At(a, c) * z[c]
			}
			z[a] = v / l.At(a, a)
		}
		sum += weight * squareSum(z)
	}
	return sum
}
