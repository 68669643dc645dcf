package kernelmachine

import (
	"context"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/internal/parallel"
	"gaucho/stdlib/linalg"
	"gaucho/stdlib/rkhs"
)

// A basis is what the coefficients of a machine multiply: block after block of
// functions, width of them. Coefficients of a panel of blocks are contiguous, one
// row a function.
type basis interface {
	// prepare checks points and returns them as the other methods want them.
	prepare(X *mat.Dense) (*mat.Dense, error)
	// addPanel adds to u (n x C) the functions of blocks from to to of a panel at
	// the points, times their coefficients theta.
	addPanel(ctx context.Context, u, x *mat.Dense, panel, from, to int, theta *mat.Dense) error
	// gradient sets dst (width x C) to the coefficients of block b in the
	// gradient: G (n x C) holds the derivatives of the loss at the points, divided
	// by their number. A shift that is not negative preconditions them.
	gradient(ctx context.Context, dst, x *mat.Dense, b int, G *mat.Dense, shift float64) error
	// panelBlocks returns the number of blocks in a panel.
	panelBlocks() int
}

// Panels of features: as many as one goes through at a time, few enough for their
// frequencies to stay in cache. Panels divide sums, so these are constants.
const (
	panelFeatures = 4096
	panelNumbers  = 1 << 19
)

// features is the basis of random features, which are made from a key whenever
// they are asked for. Frequencies of the first panels are kept, up to a limit.
type features struct {
	source   rkhs.FeatureSource
	cosine   rkhs.CosineSource // source, if it is one
	d, width int
	key      uint64
	per      int // blocks in a panel

	lock  sync.Mutex
	kept  []*frequencies
	limit int // panels that are kept
	spare sync.Pool
}

// frequencies of the first blocks of a panel.
type frequencies struct {
	w      *mat.Dense // d x per*width
	phase  []float64
	blocks int
}

func newFeatures(source rkhs.FeatureSource, d, width int, key uint64, cache int) *features {
	f := &features{source: source, d: d, width: width, key: key}
	f.per = max(1, min(panelFeatures, panelNumbers/d)/width)
	f.cosine, _ = source.(rkhs.CosineSource)
	if f.cosine != nil {
		f.limit = cache / (8 * (d + 1) * width * f.per)
	}
	f.spare.New = func() any { return f.fresh() }
	return f
}

func (f *features) fresh() *frequencies {
	n := f.per * f.width
	return &frequencies{w: mat.NewDense(f.d, n, nil), phase: make([]float64, n)}
}

func (f *features) panelBlocks() int { return f.per }

func (f *features) prepare(X *mat.Dense) (*mat.Dense, error) {
	if f.cosine != nil {
		return f.cosine.Inputs(X)
	}
	return X, nil
}

// panel returns frequencies of a panel, those of blocks from to to at least; done
// gives them back.
func (f *features) panel(panel, from, to int) (p *frequencies, done func()) {
	if panel >= f.limit {
		p := f.spare.Get().(*frequencies)
		f.draw(p, panel, from, to)
		return p, func() { f.spare.Put(p) }
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	for len(f.kept) <= panel {
		f.kept = append(f.kept, f.fresh())
	}
	p = f.kept[panel]
	if p.blocks < to {
		f.draw(p, panel, p.blocks, to)
		p.blocks = to
	}
	return p, func() {}
}

// draw makes the frequencies of blocks from to to of a panel.
func (f *features) draw(p *frequencies, panel, from, to int) {
	all := p.w.RawMatrix()
	parallel.Blocks(to-from, max(1, 256/f.width), func(_, lo, hi int) {
		w := make([]float64, f.d*f.width)
		for b := from + lo; b < from+hi; b++ {
			at := b * f.width
			f.cosine.Frequencies(w, p.phase[at:at+f.width], f.d, f.width, f.key, uint64(panel*f.per+b))
			for j := range f.d {
				copy(all.Data[j*all.Stride+at:], w[j*f.width:(j+1)*f.width])
			}
		}
	})
}

// part returns the features of blocks from to to of a panel.
func (f *features) part(p *frequencies, from, to int) *linalg.Features {
	lo, hi := from*f.width, to*f.width
	w := p.w.Slice(0, f.d, lo, hi).(*mat.Dense)
	// The factor is that of one block, sqrt(2/width).
	part, err := linalg.NewFeatures(w, p.phase[lo:hi], cosineScale(f.width))
	if err != nil {
		panic(err) // shapes are ours
	}
	return part
}

func (f *features) addPanel(ctx context.Context, u, x *mat.Dense, panel, from, to int, theta *mat.Dense) error {
	if f.cosine == nil {
		return f.addMapped(ctx, u, x, panel, from, to, theta)
	}
	p, done := f.panel(panel, from, to)
	defer done()
	return addFeatures(ctx, u, x, f.part(p, from, to), theta)
}

// addFeatures adds Phi theta to u.
func addFeatures(ctx context.Context, u, x *mat.Dense, phi *linalg.Features, theta *mat.Dense) error {
	n, outputs := u.Dims()
	if outputs == 1 {
		sum, err := phi.MulVec(ctx, nil, x, theta.RawMatrix().Data)
		if err != nil {
			return err
		}
		for i, v := range sum {
			u.Set(i, 0, u.At(i, 0)+v)
		}
		return nil
	}
	sum, err := phi.Mul(ctx, mat.NewDense(n, outputs, nil), x, theta)
	if err != nil {
		return err
	}
	u.Add(u, sum)
	return nil
}

// addMapped is addPanel for features that are no cosines.
func (f *features) addMapped(ctx context.Context, u, x *mat.Dense, panel, from, to int, theta *mat.Dense) error {
	n, outputs := u.Dims()
	phi, sum := mat.NewDense(n, f.width, nil), mat.NewDense(n, outputs, nil)
	for b := from; b < to; b++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := f.mapTo(phi, x, panel*f.per+b); err != nil {
			return err
		}
		linalg.Mul(sum, phi, theta.Slice((b-from)*f.width, (b-from+1)*f.width, 0, outputs).(*mat.Dense))
		u.Add(u, sum)
	}
	return nil
}

// mapTo sets phi to the features of block b of points that are not cosines'.
func (f *features) mapTo(phi, x *mat.Dense, b int) error {
	block, err := f.source.Block(f.d, f.width, f.key, uint64(b))
	if err != nil {
		return err
	}
	return block.MapTo(phi, x)
}

func (f *features) gradient(ctx context.Context, dst, x *mat.Dense, b int, G *mat.Dense, shift float64) error {
	if f.cosine != nil {
		p, done := f.panel(b/f.per, b%f.per, b%f.per+1)
		defer done()
		phi := f.part(p, b%f.per, b%f.per+1)
		if shift < 0 {
			return transMul(ctx, dst, x, phi, G)
		}
		explicit, err := phi.Map(ctx, nil, x)
		if err != nil {
			return err
		}
		return precondition(dst, explicit, G, shift)
	}
	n, _ := x.Dims()
	phi := mat.NewDense(n, f.width, nil)
	if err := f.mapTo(phi, x, b); err != nil {
		return err
	}
	if shift >= 0 {
		return precondition(dst, phi, G, shift)
	}
	linalg.MulTransA(dst, phi, G)
	return ctx.Err()
}

// transMul sets dst to Phi' G.
func transMul(ctx context.Context, dst, x *mat.Dense, phi *linalg.Features, G *mat.Dense) error {
	if _, outputs := G.Dims(); outputs == 1 {
		_, err := phi.TransMulVec(ctx, dst.RawMatrix().Data, x, G.RawMatrix().Data)
		return err
	}
	_, err := phi.TransMul(ctx, dst, x, G)
	return err
}

// precondition sets dst to (Phi' Phi/n + shift I)^-1 Phi' G.
func precondition(dst, phi, G *mat.Dense, shift float64) error {
	n, width := phi.Dims()
	cov := linalg.SymRankKTrans(nil, 1/float64(n), phi, 0)
	for i := range width {
		cov.SetSym(i, i, cov.At(i, i)+shift)
	}
	chol, err := linalg.NewCholesky(cov)
	if err != nil {
		return err
	}
	chol.SolveTo(dst, linalg.MulTransA(nil, phi, G))
	return nil
}

// supports is the basis of NORMA (Kivinen, Smola and Williamson 2004): the kernel
// at the points that were seen, a block a batch.
type supports struct {
	kernel rkhs.Kernel
	width  int // points of a full batch
	per    int
	d      int
	points []*mat.Dense // a panel each; rows that no batch filled are zero

	lock sync.Mutex
	full []*rkhs.Centres // the first panels, all blocks of which are there
}

func newSupports(k rkhs.Kernel, d, width int) *supports {
	return &supports{kernel: k, width: width, per: max(1, 1024/width), d: d}
}

func (s *supports) panelBlocks() int { return s.per }

func (s *supports) prepare(X *mat.Dense) (*mat.Dense, error) { return X, nil }

func (s *supports) addPanel(ctx context.Context, u, x *mat.Dense, panel, from, to int, theta *mat.Dense) error {
	_, outputs := u.Dims()
	n, _ := x.Dims()
	centres := s.centres(panel, from, to)
	const rows = 1024
	sum := mat.NewDense(min(n, rows), outputs, nil)
	for lo := 0; lo < n; lo += rows {
		hi := min(lo+rows, n)
		sum := sum.Slice(0, hi-lo, 0, outputs).(*mat.Dense)
		if err := centres.Mul(ctx, sum, x.Slice(lo, hi, 0, s.d).(*mat.Dense), theta); err != nil {
			return err
		}
		part := u.Slice(lo, hi, 0, outputs).(*mat.Dense)
		part.Add(part, sum)
	}
	return nil
}

// centres returns the points of blocks from to to of a panel. Those of whole panels are kept.
func (s *supports) centres(panel, from, to int) *rkhs.Centres {
	if to-from < s.per {
		return rkhs.NewCentres(s.kernel, s.points[panel].Slice(from*s.width, to*s.width, 0, s.d).(*mat.Dense))
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	for len(s.full) <= panel {
		s.full = append(s.full, rkhs.NewCentres(s.kernel, s.points[len(s.full)]))
	}
	return s.full[panel]
}

func (s *supports) gradient(_ context.Context, dst, x *mat.Dense, b int, G *mat.Dense, _ float64) error {
	for len(s.points) <= b/s.per {
		s.points = append(s.points, mat.NewDense(s.per*s.width, s.d, nil))
	}
	n, _ := x.Dims()
	dst.Zero()
	for i := range n {
		s.points[b/s.per].SetRow(b%s.per*s.width+i, x.RawRowView(i))
		dst.SetRow(i, G.RawRowView(i))
	}
	return nil
}

// cosineScale is the factor of the cosines of a block.
func cosineScale(width int) float64 { return math.Sqrt(2 / float64(width)) }
