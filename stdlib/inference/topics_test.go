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
		topicStep(beta, counts, 1/float64(b), 0.3, batches, false)
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
		z, share := assign(words, phi, alpha, 8, rng)
		got[[3]int(z)] += 1.0 / n
		for j := range words {
			if math.Abs(share[2*j]+share[2*j+1]-1) > 1e-12 {
				t.Fatalf("shares of word %d are %v, want a sum of 1", j, share[2*j:2*j+2])
			}
		}
	}
	for z, p := range weight {
		if want := p / sum; math.Abs(got[z]-want) > 5*math.Sqrt(want/n) {
			t.Errorf("assignment %v has frequency %v, want %v", z, got[z], want)
		}
	}
}

// TestTopicsFound is the experiment of section 4.6.4 on a corpus of which the topics are known, smaller: every method but one comes
// near the perplexity of the true topics and finds most of them. The pass of sequential Monte Carlo does not: it cannot take back
// what it chose for the first documents.
func TestTopicsFound(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	rng := source(93)
	corpus, truth, err := SimulateCorpus(1700, 60, 10, 300, 0.1, 0.05, rng)
	check(t, err)
	train := &Corpus{corpus.Documents[:1500], 300}
	held := &Corpus{corpus.Documents[1500:], 300}
	floor, err := KnownTopics(truth, 0.1).Perplexity(ctx, held, source(94))
	check(t, err)
	for _, c := range []struct {
		name string
		run  func(s *TopicSettings) (*Topics, error)
		most float64 // times the floor
		find int     // topics
	}{
		{"TopicMirrorDescent", func(s *TopicSettings) (*Topics, error) { return TopicMirrorDescent(ctx, train, s, source(95)) }, 1.15, 8},
		{"three particles", func(s *TopicSettings) (*Topics, error) {
			s.Particles = 3
			return TopicMirrorDescent(ctx, train, s, source(95))
		}, 1.15, 8},
		{"CollapsedGibbs", func(s *TopicSettings) (*Topics, error) {
			s.Sweeps = 30
			return CollapsedGibbs(ctx, train, s, source(95))
		}, 1.15, 8},
		{"TopicVariational", func(s *TopicSettings) (*Topics, error) { return TopicVariational(ctx, train, s, source(95)) }, 1.2, 7},
		{"TopicLangevin", func(s *TopicSettings) (*Topics, error) {
			s.Step = Power(0.05, 100, 0.6)
			return TopicLangevin(ctx, train, s, 5, source(95))
		}, 1.2, 7},
		{"TopicMonteCarlo", func(s *TopicSettings) (*Topics, error) { return TopicMonteCarlo(ctx, train, s, source(95)) }, 2.5, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := DefaultTopicSettings()
			s.Topics, s.Steps = 10, 120
			p, err := c.run(s)
			check(t, err)
			own, err := p.Perplexity(ctx, held, source(94))
			check(t, err)
			variational, err := p.VariationalPerplexity(ctx, held)
			check(t, err)
			found := TopicsFound(p.Mean(), truth, 0.9)
			t.Logf("perplexity %.1f, %.1f with variational proportions, %.1f of the true topics; %d of 10 topics found", own, variational, floor, found)
			if own > c.most*floor || variational > (c.most+0.05)*floor || found < c.find {
				t.Errorf("perplexity %v and %v, %d topics found; want at most %v times %v and at least %d", own, variational, found, c.most, floor, c.find)
			}
		})
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
		{good, func(s *TopicSettings) { s.Alpha = -1 }, "Alpha is -1, must be positive"},
		{good, func(s *TopicSettings) { s.Sweeps = -2 }, "Sweeps is -2, must be at least 0"},
		{good, func(s *TopicSettings) { s.Particles = -1 }, "Particles is -1, must be at least 1"},
	} {
		s := DefaultTopicSettings()
		s.Batch = 1
		c.change(s)
		if _, err := TopicMirrorDescent(context.Background(), c.corpus, s, source(1)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
}
