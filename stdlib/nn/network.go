package nn

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// An Activation is what a layer applies to its weighted sums z.
type Activation string

const (
	// Identity leaves z as it is.
	Identity Activation = "identity"
	// Tanh is the hyperbolic tangent.
	Tanh Activation = "tanh"
	// ReLU is max(z, 0), with derivative 0 at 0.
	ReLU Activation = "relu"
	// cosine is sqrt(2/D) cos z, the random features.
	cosine Activation = "cosine"
)

// A Network maps rows of inputs to rows of outputs through layers. It is made by
// [NewMLP] or [NewRandomFeatures].
type Network struct {
	layers []layer
	params []float64
}

// A layer computes activation(x W + b), for W in x out by rows. Weights and
// biases follow each other, in the parameters of the network or in fixed.
type layer struct {
	in, out    int
	activation Activation
	at         int       // where its weights start in the parameters
	fixed      []float64 // weights that are not learnt, in place of parameters
}

// size returns the number of weights and biases.
func (l *layer) size() int { return (l.in + 1) * l.out }

// split returns the weights and biases of the layer in a vector like the
// parameters, nil for a layer that is not learnt.
func (l *layer) split(vector []float64) (w, b []float64) {
	if l.fixed != nil {
		return nil, nil
	}
	v := vector[l.at : l.at+l.size()]
	return v[:l.in*l.out], v[l.in*l.out:]
}

// weights returns the weights and biases that are in force.
func (l *layer) weights(params []float64) (w, b []float64) {
	if l.fixed != nil {
		return l.fixed[:l.in*l.out], l.fixed[l.in*l.out:]
	}
	return l.split(params)
}

// NewMLP returns a multilayer perceptron: sizes holds the number of inputs, the
// widths of the hidden layers and the number of outputs; the output layer is
// linear. Weights are uniform with variance 2/(in+out) for Tanh and Identity
// (Glorot & Bengio 2010), normal with variance 2/in below a ReLU (He et al. 2015);
// biases are 0.
func NewMLP(sizes []int, hidden Activation, rng *rand.Rand) (*Network, error) {
	if rng == nil {
		return nil, fmt.Errorf("nn: rng is nil, must be a source of random numbers")
	}
	if len(sizes) < 2 {
		return nil, fmt.Errorf("nn: there are %d sizes, must be at least 2: inputs and outputs", len(sizes))
	}
	for i, n := range sizes {
		if n < 1 {
			return nil, fmt.Errorf("nn: size %d is %d, must be at least 1", i, n)
		}
	}
	if hidden != Tanh && hidden != ReLU && hidden != Identity {
		return nil, fmt.Errorf("nn: activation is %q, must be tanh, relu or identity", hidden)
	}
	m := &Network{}
	for i := 1; i < len(sizes); i++ {
		l := layer{in: sizes[i-1], out: sizes[i], activation: hidden, at: len(m.params)}
		if i == len(sizes)-1 {
			l.activation = Identity
		}
		m.layers = append(m.layers, l)
		m.params = append(m.params, make([]float64, l.size())...)
		w, _ := l.split(m.params)
		for j := range w {
			if l.activation == ReLU {
				w[j] = math.Sqrt(2/float64(l.in)) * rng.NormFloat64()
			} else {
				w[j] = math.Sqrt(6/float64(l.in+l.out)) * (2*rng.Float64() - 1)
			}
		}
	}
	return m, nil
}

// NewRandomFeatures returns a network that is linear in random features of the
// Gaussian kernel exp(-|x-y|^2 / 2 bandwidth^2): the first layer, sqrt(2/D) cos(w'x
// + b) for D features, is drawn and stays; weights and biases of the outputs start
// at 0 and are all the parameters.
func NewRandomFeatures(in, features, out int, bandwidth float64, rng *rand.Rand) (*Network, error) {
	if rng == nil {
		return nil, fmt.Errorf("nn: rng is nil, must be a source of random numbers")
	}
	if in < 1 || features < 1 || out < 1 {
		return nil, fmt.Errorf("nn: %d inputs, %d features and %d outputs, must be at least 1 each", in, features, out)
	}
	if !(bandwidth > 0) || math.IsInf(bandwidth, 1) {
		return nil, fmt.Errorf("nn: bandwidth is %v, must be positive", bandwidth)
	}
	first := layer{in: in, out: features, activation: cosine}
	first.fixed = make([]float64, first.size())
	w, b := first.weights(nil)
	for j := range w {
		w[j] = rng.NormFloat64() / bandwidth
	}
	for j := range b {
		b[j] = 2 * math.Pi * rng.Float64()
	}
	second := layer{in: features, out: out, activation: Identity}
	return &Network{layers: []layer{first, second}, params: make([]float64, second.size())}, nil
}

// Dims returns the number of inputs and of outputs.
func (m *Network) Dims() (in, out int) { return m.layers[0].in, m.layers[len(m.layers)-1].out }

// Params returns the parameters, not a copy: for each layer that is learnt its
// weights, inputs x outputs by rows, then its biases.
func (m *Network) Params() []float64 { return m.params }

// Bind moves the parameters into the given vector, which must have their number
// of elements, so that they can be part of a longer one.
func (m *Network) Bind(vector []float64) {
	if len(vector) != len(m.params) {
		panic(fmt.Sprintf("nn: %d elements for %d parameters", len(vector), len(m.params)))
	}
	copy(vector, m.params)
	m.params = vector
}

// ScaleOutput multiplies the weights of the output layer, so that a policy can
// start close to indifference.
func (m *Network) ScaleOutput(factor float64) {
	w, _ := m.layers[len(m.layers)-1].split(m.params)
	for i := range w {
		w[i] *= factor
	}
}

// DrawUniform draws the weights and the biases of each layer anew, uniformly from plus
// and minus one over the root of its inputs' number: outputs are a fifth as large as
// after [NewMLP]'s weights for ReLU, and biases are not all 0.
func (m *Network) DrawUniform(rng *rand.Rand) {
	if rng == nil {
		panic("nn: rng is nil, must be a source of random numbers")
	}
	for i := range m.layers {
		l := &m.layers[i]
		if l.fixed != nil {
			continue
		}
		bound := 1 / math.Sqrt(float64(l.in))
		for j := range m.params[l.at : l.at+l.size()] {
			m.params[l.at+j] = bound * (2*rng.Float64() - 1)
		}
	}
}

// Clone returns a copy with memory of its own.
func (m *Network) Clone() *Network {
	return &Network{layers: m.layers, params: slices.Clone(m.params)}
}

// saved is what MarshalBinary writes.
type saved struct {
	Layers []savedLayer
	Params []float64
}

type savedLayer struct {
	In, Out    int
	Activation Activation
	Fixed      []float64
}

// MarshalBinary writes the network with all bits of its parameters.
func (m *Network) MarshalBinary() ([]byte, error) {
	s := saved{Params: m.params}
	for _, l := range m.layers {
		s.Layers = append(s.Layers, savedLayer{l.in, l.out, l.activation, l.fixed})
	}
	var buf bytes.Buffer
	err := gob.NewEncoder(&buf).Encode(s)
	return buf.Bytes(), err
}

// UnmarshalBinary reads what MarshalBinary wrote. It fails, and leaves the
// network alone, when the data are no network.
func (m *Network) UnmarshalBinary(data []byte) error {
	var s saved
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&s); err != nil {
		return fmt.Errorf("nn: the data hold no network: %w", err)
	}
	read, at := Network{params: s.Params}, 0
	for i, l := range s.Layers {
		next := layer{l.In, l.Out, l.Activation, at, l.Fixed}
		switch {
		case l.In < 1 || l.Out < 1 || i > 0 && l.In != s.Layers[i-1].Out:
			return fmt.Errorf("nn: layer %d maps %d inputs to %d outputs, which does not fit", i, l.In, l.Out)
		case !slices.Contains([]Activation{Identity, Tanh, ReLU, cosine}, l.Activation):
			return fmt.Errorf("nn: layer %d has the activation %q, must be identity, tanh, relu or cosine", i, l.Activation)
		case l.Fixed != nil && len(l.Fixed) != next.size():
			return fmt.Errorf("nn: layer %d has %d fixed weights, must be %d", i, len(l.Fixed), next.size())
		case l.Fixed == nil:
			at += next.size()
		}
		read.layers = append(read.layers, next)
	}
	if len(read.layers) == 0 || at != len(s.Params) {
		return fmt.Errorf("nn: %d parameters for %d layers that need %d", len(s.Params), len(s.Layers), at)
	}
	*m = read
	return nil
}
