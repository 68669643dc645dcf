package inference

import (
	"context"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/vec"
)

// TestTopicStep adds disjoint batches with steps 1/t: the parameters are the prior's plus all counts.
func TestTopicStep(t *testing.T) {
	t.Parallel()
	rng := source(90)
	beta, all := mat.NewDense(3, 7, nil), mat.NewDense(3, 7, nil)
	vec.Fill(beta.RawMatrix().Data, 5) // forgotten by the first step
	const batches = 8
	for b := 1; b <= batches; b++ {
		counts := mat.NewDense(3, 7, nil)
		for range 50 {
			k, w := rng.IntN(3), rng.IntN(7)
			counts.Set(k, w, counts.At(k, w)+1)
		}
		all.Add(all, counts)
		topicStep(beta, counts, 1/float64(b), 0.3, batches)
	}
	for i, v := range beta.RawMatrix().Data {
		if want := 0.3 + all.RawMatrix().Data[i]; math.Abs(v-want) > 1e-9 {
			t.Errorf("parameter %d is %v, want %v", i, v, want)
		}
	}
}

// TestLogGammaDraw compares moments: mean and variance of a gamma variable are its shape.
func TestLogGammaDraw(t *testing.T) {
	t.Parallel()
	rng := source(91)
	for _, shape := range []float64{0.1, 0.8, 3, 100} {
		const n = 200000
		var m, s float64
		for range n {
			g := vec.Exp1(logGammaDraw(shape, rng))
			m, s = m+g/n, s+(g-shape)*(g-shape)/n
		}
		if math.Abs(m-shape) > 5*math.Sqrt(shape/n) || math.Abs(s/shape-1) > 0.05+0.05/shape {
			t.Errorf("shape %v: mean %v and variance %v", shape, m, s)
		}
	}
}

// TestAssign compares the law of the assignment of three words with the sum over all assignments.
func TestAssign(t *testing.T) {
	t.Parallel()
	phi := mat.NewDense(2, 2, []float64{0.7, 0.2, 0.3, 0.8}) // W x K
	words := []int{0, 1, 1}
	const alpha = 0.5
	weight := map[[3]int]float64{}
	sum := 0.0
	for code := range 8 {
		z := [3]int{code & 1, code >> 1 & 1, code >> 2}
		n := [2]float64{}
		p := 1.0
		for j, k := range z {
			p *= (n[k] + alpha) * phi.At(words[j], k) // the chain rule of the Polya urn
			n[k]++
		}
		weight[z] = p
		sum += p
	}
	rng := source(92)
	got := map[[3]int]float64{}
	const n = 40000
	for range n {
		z, mean := assign(words, phi, alpha, 8, rng)
		got[[3]int(z)] += 1.0 / n
		if math.Abs(mean[0]+mean[1]-3) > 1e-12 {
			t.Fatalf("mean counts %v, want a sum of 3", mean)
		}
	}
	for z, p := range weight {
		if want := p / sum; math.Abs(got[z]-want) > 5*math.Sqrt(want/n) {
			t.Errorf("assignment %v has frequency %v, want %v", z, got[z], want)
		}
	}
}

// recovered counts true topics that some estimated one resembles with a cosine of at least 0.9.
func recovered(phi, truth *mat.Dense) int {
	count := 0
	topics, _ := truth.Dims()
	for k := range topics {
		a := truth.RawRowView(k)
		for j := range topics {
			b := phi.RawRowView(j)
			if vec.Dot(a, b) >= 0.9*math.Sqrt(vec.Dot(a, a)*vec.Dot(b, b)) {
				count++
				break
			}
		}
	}
	return count
}

// TestTopicsFound is the experiment of section 4.6.4 on a corpus of which the topics are known, smaller: perplexity near that of
// the true topics, most of which are found.
func TestTopicsFound(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	rng := source(93)
	corpus, truth, err := SimulateCorpus(1700, 60, 10, 300, 0.1, 0.05, rng)
	check(t, err)
	train := &Corpus{corpus.Documents[:1500], 300}
	held := &Corpus{corpus.Documents[1500:], 300}
	floor, err := Perplexity(ctx, truth, held, 0.1, source(94))
	check(t, err)
	s := DefaultTopicSettings()
	s.Topics, s.Steps = 10, 120
	p, err := TopicMirrorDescent(ctx, train, s, rng)
	check(t, err)
	own, err := Perplexity(ctx, p.Mean(), held, 0.1, source(94))
	check(t, err)
	s.Sweeps = 30
	g, err := CollapsedGibbs(ctx, train, s, rng)
	check(t, err)
	gibbs, err := Perplexity(ctx, g.Mean(), held, 0.1, source(94))
	check(t, err)
	t.Logf("perplexity %.1f, %.1f by collapsed Gibbs sampling, %.1f of the true topics; %d and %d of 10 topics found", own, gibbs, floor,
		recovered(p.Mean(), truth), recovered(g.Mean(), truth))
	if own > 1.15*floor || recovered(p.Mean(), truth) < 7 {
		t.Errorf("perplexity %v, %d topics found; want at most 1.15 times %v and at least 7", own, recovered(p.Mean(), truth), floor)
	}
	if gibbs > 1.15*floor || recovered(g.Mean(), truth) < 7 {
		t.Errorf("collapsed Gibbs sampling: perplexity %v, %d topics found; want at most 1.15 times %v and at least 7", gibbs, recovered(g.Mean(), truth), floor)
	}
}

func TestTopicErrors(t *testing.T) {
	good := &Corpus{[][]int{{0, 1}, {1}}, 2}
	for _, c := range []struct {
		corpus *Corpus
		change func(*TopicSettings)
		want   string
	}{
		{&Corpus{}, func(*TopicSettings) {}, "no documents"},
		{&Corpus{[][]int{{2}}, 2}, func(*TopicSettings) {}, "word 0 of document 0 is 2, must be from 0 to 1"},
		{good, func(s *TopicSettings) { s.Batch = 3 }, "Batch is 3"},
		{good, func(s *TopicSettings) { s.Alpha = 0 }, "Alpha is 0, must be positive"},
		{good, func(s *TopicSettings) { s.Sweeps = 0 }, "Sweeps is 0, must be at least 1"},
	} {
		s := DefaultTopicSettings()
		s.Batch = 1
		c.change(s)
		if _, err := TopicMirrorDescent(context.Background(), c.corpus, s, source(1)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}
