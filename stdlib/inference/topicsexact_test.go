package inference

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/mathext"

	"gaucho/stdlib/vec"
)

// The corpus of these tests is so small that all 2^8 assignments of words to two topics can be summed over.
var tiny = &Corpus{[][]int{{0, 0, 1}, {2, 1}, {2, 2, 0}}, 3}

const tinyAlpha, tinyBeta = 0.4, 0.7

func tinySettings() *TopicSettings {
	return &TopicSettings{Topics: 2, Alpha: tinyAlpha, Beta: tinyBeta, Particles: 1, Batch: 3, Steps: 1, Step: Constant(1), Sweeps: 1}
}

// A tinyPosterior holds expectations that do not depend on how topics are numbered: of sum_k phi_kw^2 for every word w, and of
// the inner product of the two topics.
type tinyPosterior [4]float64

// add adds w times the expectations under Dirichlet parameters.
func (p *tinyPosterior) add(w float64, beta *mat.Dense) {
	a, b := beta.RawRowView(0), beta.RawRowView(1)
	for _, row := range [][]float64{a, b} {
		s := row[0] + row[1] + row[2]
		for v, x := range row {
			p[v] += w * x * (x + 1) / (s * (s + 1))
		}
	}
	p[3] += w * vec.Dot(a, b) / (vec.Sum(a) * vec.Sum(b))
}

// enumerate returns the posterior and the logarithm of the evidence.
func enumerate() (p tinyPosterior, evidence float64) {
	logGamma := func(x float64) float64 { v, _ := math.Lgamma(x); return v }
	total := 0.0
	for code := range 1 << 8 {
		beta := mat.NewDense(2, 3, nil)
		vec.Fill(beta.RawMatrix().Data, tinyBeta)
		log, bit := 0.0, 0
		for _, d := range tiny.Documents {
			n := [2]float64{}
			for j, w := range d {
				k := code >> bit & 1
				bit++
				log += math.Log((n[k] + tinyAlpha) / (float64(j) + 2*tinyAlpha))
				n[k]++
				beta.Set(k, w, beta.At(k, w)+1)
			}
		}
		for k := range 2 {
			row := beta.RawRowView(k)
			for _, b := range row {
				log += logGamma(b) - logGamma(tinyBeta)
			}
			log += logGamma(3*tinyBeta) - logGamma(vec.Sum(row))
		}
		w := math.Exp(log)
		total += w
		p.add(w, beta)
	}
	for i := range p {
		p[i] /= total
	}
	return p, math.Log(total)
}

func (p tinyPosterior) compare(t *testing.T, got tinyPosterior, tolerance float64) {
	t.Helper()
	t.Logf("expectations %.4f, by enumeration %.4f", got, p)
	for i, want := range p {
		if math.Abs(got[i]-want) > tolerance {
			t.Errorf("expectation %d is %v, want %v", i, got[i], want)
		}
	}
}

// tiny sums over particles.
func (p *Topics) tiny() (q tinyPosterior) {
	for i, b := range p.Dirichlet {
		q.add(p.Weights[i], b)
	}
	return q
}

// TestTopicParticles draws assignments from the prior: the weights make the particles the posterior, in one step with all
// documents or in one pass with steps 1/t.
func TestTopicParticles(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	truth, _ := enumerate()
	s := tinySettings()
	s.Particles, s.Sweeps = 20000, None
	whole, err := TopicMirrorDescent(ctx, tiny, s, source(1))
	check(t, err)
	truth.compare(t, whole.tiny(), 0.01)
	s.Batch, s.Steps, s.Step = 1, 3, Harmonic(1, 0)
	pass, err := TopicMirrorDescent(ctx, tiny, s, source(1))
	check(t, err)
	for i, w := range whole.Weights {
		if math.Abs(pass.Weights[i]-w) > 1e-10*w || !mat.EqualApprox(pass.Dirichlet[i], whole.Dirichlet[i], 1e-10) {
			t.Fatalf("particle %d has weight %v and parameters %v after a pass, %v and %v after a step", i, pass.Weights[i],
				mat.Formatted(pass.Dirichlet[i]), w, mat.Formatted(whole.Dirichlet[i]))
		}
	}
}

// TestTopicNormaliser compares the difference of two particles' log weights with integrals over the simplex of two words.
func TestTopicNormaliser(t *testing.T) {
	t.Parallel()
	const gamma, prior, scale = 0.3, 1.5, 4.0
	gain := func(b0, b1, n0, n1 float64) (closed, integral float64) {
		beta := mat.NewDense(1, 2, []float64{b0, b1})
		q := 1 / mathext.Beta(b0, b1)
		const cells = 40000
		for i := range cells {
			x := (float64(i) + 0.5) / cells
			density := q * math.Pow(x, b0-1) * math.Pow(1-x, b1-1)
			integral += math.Pow(density, 1-gamma) * math.Pow(x*(1-x), (prior-1)*gamma) * math.Pow(x, gamma*scale*n0) * math.Pow(1-x, gamma*scale*n1) / cells
		}
		return topicStep(beta, mat.NewDense(1, 2, []float64{n0, n1}), gamma, prior, scale, true), math.Log(integral)
	}
	a, wantA := gain(2, 3.5, 1, 2)
	b, wantB := gain(4, 2.2, 3, 0)
	if math.Abs((a-b)-(wantA-wantB)) > 1e-8 {
		t.Errorf("log weights differ by %v, want %v", a-b, wantA-wantB)
	}
}

// TestCollapsedGibbsExact averages over the sweeps of one long run.
func TestCollapsedGibbsExact(t *testing.T) {
	t.Parallel()
	truth, _ := enumerate()
	s := tinySettings()
	s.Sweeps = 60000
	var mean tinyPosterior
	s.Watch = func(_ int, p *Topics) error {
		mean.add(1/float64(s.Sweeps), p.Dirichlet[0])
		return nil
	}
	_, err := CollapsedGibbs(context.Background(), tiny, s, source(2))
	check(t, err)
	truth.compare(t, mean, 0.005)
}

// TestTopicMonteCarloExact does so over particles, with and without sweeps.
func TestTopicMonteCarloExact(t *testing.T) {
	t.Parallel()
	truth, _ := enumerate()
	for _, sweeps := range []int{1, 3} {
		s := tinySettings()
		s.Particles, s.Sweeps = 20000, sweeps
		p, err := TopicMonteCarlo(context.Background(), tiny, s, source(3))
		check(t, err)
		truth.compare(t, p.tiny(), 0.006)
	}
}

// TestTopicLangevinExact runs long with small steps and all documents.
func TestTopicLangevinExact(t *testing.T) {
	t.Parallel()
	truth, _ := enumerate()
	s := tinySettings()
	s.Steps, s.Step, s.Sweeps = 60000, Constant(0.02), 6
	var mean tinyPosterior
	s.Watch = func(visited int, p *Topics) error {
		phi := p.Mean()
		if visited > 3000 {
			w := 1 / float64(s.Steps-1000)
			a, b := phi.RawRowView(0), phi.RawRowView(1)
			for v := range 3 {
				mean[v] += w * (a[v]*a[v] + b[v]*b[v])
			}
			mean[3] += w * vec.Dot(a, b)
		}
		return nil
	}
	p, err := TopicLangevin(context.Background(), tiny, s, 7, source(4))
	check(t, err)
	if len(p.Dirichlet) != 7 || math.Abs(vec.Sum(p.Weights)-1) > 1e-12 {
		t.Errorf("%d samples with weights %v, want 7 that sum to 1", len(p.Dirichlet), p.Weights)
	}
	truth.compare(t, mean, 0.02)
}

// evidenceBound is the variational objective by its definition, at Dirichlet parameters and the fits of documents to them.
func evidenceBound(beta *mat.Dense) float64 {
	lgamma := func(x float64) float64 { v, _ := math.Lgamma(x); return v }
	// minusKL is -KL(Dir(b) || Dir(prior)), expected the E log of Dir(b).
	minusKL := func(b []float64, prior float64) (kl float64, expected []float64) {
		total := vec.Sum(b)
		kl = lgamma(prior*float64(len(b))) - lgamma(total)
		for _, v := range b {
			e := mathext.Digamma(v) - mathext.Digamma(total)
			expected = append(expected, e)
			kl += lgamma(v) - lgamma(prior) + (prior-v)*e
		}
		return kl, expected
	}
	phi := geometricMean(beta)
	a, first := minusKL(beta.RawRowView(0), tinyBeta)
	b, second := minusKL(beta.RawRowView(1), tinyBeta)
	bound := a + b
	for _, d := range tiny.Documents {
		f := fitDocument(d, phi, tinyAlpha)
		kl, theta := minusKL(f.gamma, tinyAlpha)
		bound += kl
		for i, w := range f.words {
			p := 1 / (1 + math.Exp(theta[1]+second[w]-theta[0]-first[w]))
			bound += f.counts[i] * (p*(theta[0]+first[w]-math.Log(p)) + (1-p)*(theta[1]+second[w]-math.Log(1-p)))
		}
	}
	return bound
}

// TestTopicVariationalExact: coordinate ascent never lowers the bound, which stays below the evidence, and ends where its
// derivatives vanish.
func TestTopicVariationalExact(t *testing.T) {
	t.Parallel()
	_, evidence := enumerate()
	s := tinySettings()
	s.Steps = 3000
	last := math.Inf(-1)
	s.Watch = func(_ int, p *Topics) error {
		b := evidenceBound(p.Dirichlet[0])
		if b < last-1e-6 || b > evidence {
			t.Errorf("bound %v after %v, evidence %v", b, last, evidence)
		}
		last = b
		return nil
	}
	p, err := TopicVariational(context.Background(), tiny, s, source(5))
	check(t, err)
	t.Logf("bound %.4f, evidence %.4f", last, evidence)
	b := p.Dirichlet[0].RawMatrix().Data
	for i, v := range b {
		b[i] = v + 1e-3
		up := evidenceBound(p.Dirichlet[0])
		b[i] = v - 1e-3
		down := evidenceBound(p.Dirichlet[0])
		b[i] = v
		if slope := (up - down) / 2e-3; math.Abs(slope) > 1e-3 {
			t.Errorf("derivative in parameter %d is %v, want 0", i, slope)
		}
	}
}

func TestSpecialFunctions(t *testing.T) {
	t.Parallel()
	for _, x := range []float64{1e-6, 0.01, 0.3, 1, 1.4616, 2, 5.5, 9.99, 10, 37, 1e3, 1e7} {
		want, _ := math.Lgamma(x)
		if got := logGamma(x); math.Abs(got-want) > 1e-13*max(1, math.Abs(want)) {
			t.Errorf("logGamma(%v) is %v, want %v", x, got, want)
		}
	}
	const euler = 0.57721566490153286061
	for _, c := range [][2]float64{{0.25, -euler - math.Pi/2 - 3*math.Ln2}, {0.5, -euler - 2*math.Ln2}, {1, -euler}, {2, 1 - euler}, {10, 7129.0/2520 - euler},
		{1e7, math.Log(1e7) - 0.5e-7}} {
		if got := digamma(c[0]); math.Abs(got-c[1]) > 2e-14*max(1, math.Abs(c[1])) {
			t.Errorf("digamma(%v) is %v, want %v", c[0], got, c[1])
		}
	}
}
