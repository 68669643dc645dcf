package nn_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/nn"
)

func random(rng *rand.Rand, n, d int) *mat.Dense {
	m := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			m.Set(i, j, rng.NormFloat64())
		}
	}
	return m
}

// networks returns one network of each kind, with parameters that are not small.
func networks(t *testing.T, rng *rand.Rand) map[string]*nn.Network {
	t.Helper()
	out := map[string]*nn.Network{}
	add := func(name string, net *nn.Network, err error) {
		if err != nil {
			t.Fatal(err)
		}
		for i := range net.Params() {
			net.Params()[i] += 0.3 * rng.NormFloat64()
		}
		out[name] = net
	}
	for _, a := range []nn.Activation{nn.Tanh, nn.ReLU, nn.Identity} {
		net, err := nn.NewMLP([]int{3, 7, 5, 2}, a, rng)
		add(string(a), net, err)
	}
	linear, err := nn.NewMLP([]int{3, 2}, nn.Tanh, rng)
	add("linear", linear, err)
	features, err := nn.NewRandomFeatures(3, 11, 2, 1.5, rng)
	add("features", features, err)
	return out
}

// loss is sum_r sin(out_r0) + out_r0 out_r1^2 / 2 with its gradient and Hessian by the outputs.
func loss(out *mat.Dense) (value float64, grad *mat.Dense) {
	n, _ := out.Dims()
	grad = mat.NewDense(n, 2, nil)
	for r := range n {
		a, b := out.At(r, 0), out.At(r, 1)
		value += math.Sin(a) + a*b*b/2
		grad.Set(r, 0, math.Cos(a)+b*b/2)
		grad.Set(r, 1, a*b)
	}
	return value, grad
}

func lossHessian(out, v *mat.Dense) *mat.Dense {
	n, _ := out.Dims()
	hv := mat.NewDense(n, 2, nil)
	for r := range n {
		a, b, va, vb := out.At(r, 0), out.At(r, 1), v.At(r, 0), v.At(r, 1)
		hv.Set(r, 0, -math.Sin(a)*va+b*vb)
		hv.Set(r, 1, b*va+a*vb)
	}
	return hv
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*(1+math.Abs(want))) {
		t.Errorf("%s is %.12g, want %.12g", what, got, want)
	}
}

func TestDerivativesEqualDifferences(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for name, net := range networks(t, rng) {
		t.Run(name, func(t *testing.T) {
			x := random(rng, 6, 3)
			pass, params := net.NewPass(2), net.Params() // grows to 6
			direction := make([]float64, len(params))
			for i := range direction {
				direction[i] = rng.NormFloat64()
			}
			gradient := func() []float64 {
				_, dout := loss(pass.Forward(x))
				g := make([]float64, len(params))
				pass.Backward(g, dout, nil)
				return g
			}
			grad := gradient()
			const h = 1e-6
			for i, old := range params {
				params[i] = old + h
				up, _ := loss(pass.Forward(x))
				params[i] = old - h
				down, _ := loss(pass.Forward(x))
				params[i] = old
				near(t, "gradient", grad[i], (up-down)/(2*h), 1e-6)
			}

			out := mat.DenseCopyOf(pass.Forward(x))
			_, dout := loss(out)
			dx := mat.NewDense(6, 3, nil)
			pass.Backward(nil, dout, dx)
			for r := range 6 {
				for j := range 3 {
					old := x.At(r, j)
					x.Set(r, j, old+h)
					up, _ := loss(pass.Forward(x))
					x.Set(r, j, old-h)
					down, _ := loss(pass.Forward(x))
					x.Set(r, j, old)
					near(t, "input gradient", dx.At(r, j), (up-down)/(2*h), 1e-6)
				}
			}

			pass.Forward(x)
			tangent := mat.DenseCopyOf(pass.Tangent(direction))
			hv := make([]float64, len(params))
			pass.HessianVec(hv, dout, lossHessian(out, tangent))
			start := slices.Clone(params)
			move := func(s float64) {
				for i := range params {
					params[i] = start[i] + s*direction[i]
				}
			}
			move(h)
			up, gradUp := mat.DenseCopyOf(pass.Forward(x)), gradient()
			move(-h)
			down, gradDown := mat.DenseCopyOf(pass.Forward(x)), gradient()
			move(0)
			for r := range 6 {
				for j := range 2 {
					near(t, "tangent", tangent.At(r, j), (up.At(r, j)-down.At(r, j))/(2*h), 1e-6)
				}
			}
			for i := range hv {
				near(t, "Hessian product", hv[i], (gradUp[i]-gradDown[i])/(2*h), 1e-5)
			}
		})
	}
}

// The Hessian is symmetric, and Gauss-Newton's product is the Hessian's for a
// network that is linear in its parameters.
func TestHessianIsSymmetric(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for name, net := range networks(t, rng) {
		x, pass := random(rng, 9, 3), net.NewPass(9)
		out := mat.DenseCopyOf(pass.Forward(x))
		_, dout := loss(out)
		n := len(net.Params())
		u, v := random(rng, 1, n).RawRowView(0), random(rng, 1, n).RawRowView(0)
		product := func(v []float64) []float64 {
			hv := make([]float64, n)
			pass.HessianVec(hv, dout, lossHessian(out, pass.Tangent(v)))
			return hv
		}
		hu, hv := product(u), product(v)
		uhv, vhu := 0.0, 0.0
		for i := range u {
			uhv += u[i] * hv[i]
			vhu += v[i] * hu[i]
		}
		near(t, name+": u'Hv", uhv, vhu, 1e-11)
		if name == "features" || name == "linear" {
			gn := make([]float64, n)
			pass.Backward(gn, lossHessian(out, pass.Tangent(v)), nil)
			for i := range gn {
				near(t, name+": Gauss-Newton", gn[i], hv[i], 1e-11)
			}
		}
	}
}

// Three steps on f(x) = x^2/2 from x = 1 with rate 0.1, by hand with the paper's
// formulas: m1 = .1, v1 = .001, so that the first step is 0.1/(1+1e-8), and on.
func TestAdamByHand(t *testing.T) {
	x := []float64{1}
	adam := nn.NewAdam(0.1)
	m, v, want := 0.0, 0.0, 1.0
	for step := 1; step <= 3; step++ {
		g := want
		m, v = 0.9*m+0.1*g, 0.999*v+0.001*g*g
		mhat, vhat := m/(1-math.Pow(0.9, float64(step))), v/(1-math.Pow(0.999, float64(step)))
		want -= 0.1 * mhat / (math.Sqrt(vhat) + 1e-8)
		adam.Step(x, []float64{x[0]})
		near(t, "x", x[0], want, 1e-14)
	}
	near(t, "x after three steps", x[0], 0.7015862, 1e-6)
}

func TestSGDWithMomentum(t *testing.T) {
	x := []float64{1}
	sgd := &nn.SGD{Rate: 0.1, Momentum: 0.5}
	for _, want := range []float64{0.9, 0.9 - 0.05 - 0.09} {
		sgd.Step(x, []float64{x[0]})
		near(t, "x", x[0], want, 1e-15)
	}
}

func TestSaveAndLoad(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for name, net := range networks(t, rng) {
		data, err := net.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		var again nn.Network
		if err := again.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		x := random(rng, 4, 3)
		if !mat.Equal(net.NewPass(4).Forward(x), again.NewPass(4).Forward(x)) {
			t.Errorf("%s: the network read back has other outputs", name)
		}
		if err := again.UnmarshalBinary(data[:len(data)/2]); err == nil {
			t.Errorf("%s: half of a network was read", name)
		}
	}
}

// TestOneOutput: what a network with one output and a long last layer gives, by products of its own, is what the first output
// of a network with two gives.
func TestOneOutput(t *testing.T) {
	const in, wide, n = 3, 90, 150
	rng := rand.New(rand.NewPCG(8, 1))
	two, err := nn.NewMLP([]int{in, wide, 2}, nn.Tanh, rng)
	if err != nil {
		t.Fatal(err)
	}
	one, err := nn.NewMLP([]int{in, wide, 1}, nn.Tanh, rng)
	if err != nil {
		t.Fatal(err)
	}
	hidden := (in + 1) * wide
	place := func(i int) int { // in the parameters of two of parameter i of one
		if i < hidden {
			return i
		}
		return hidden + 2*(i-hidden)
	}
	direction, other := make([]float64, len(one.Params())), make([]float64, len(two.Params()))
	for i := range one.Params() {
		direction[i] = rng.NormFloat64()
		one.Params()[i], other[place(i)] = two.Params()[place(i)], direction[i]
	}
	x, dout, dboth := random(rng, n, in), random(rng, n, 1), mat.NewDense(n, 2, nil)
	dboth.SetCol(0, mat.Col(nil, 0, dout))
	p, q := one.NewPass(n), two.NewPass(n)
	columns := func(what string, got, want *mat.Dense) {
		for r := range n {
			near(t, what, got.At(r, 0), want.At(r, 0), 1e-13)
		}
	}
	columns("output", p.Forward(x), q.Forward(x))
	columns("tangent", p.Tangent(direction), q.Tangent(other))
	grad, both := make([]float64, len(direction)), make([]float64, len(other))
	vectors := func(what string) {
		for i, g := range grad {
			near(t, what, g, both[place(i)], 1e-12)
		}
	}
	p.Backward(grad, dout, nil)
	q.Backward(both, dboth, nil)
	vectors("gradient")
	p.HessianVec(grad, dout, mat.NewDense(n, 1, nil))
	q.HessianVec(both, dboth, mat.NewDense(n, 2, nil))
	vectors("Hessian's product")
}

func TestBindAndClone(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	net, err := nn.NewMLP([]int{3, 4, 2}, nn.Tanh, rng)
	if err != nil {
		t.Fatal(err)
	}
	x := random(rng, 1, 3)
	before, clone := mat.DenseCopyOf(net.NewPass(1).Forward(x)), net.Clone()
	longer := make([]float64, len(net.Params())+2)
	net.Bind(longer[:len(net.Params())])
	if !mat.Equal(before, net.NewPass(1).Forward(x)) {
		t.Error("Bind changed the outputs")
	}
	clear(longer)
	if mat.Norm(net.NewPass(1).Forward(x), 2) != 0 || !mat.Equal(before, clone.NewPass(1).Forward(x)) {
		t.Error("Bind shares no memory, or Clone does")
	}
}

// A step allocates nothing.
func TestStepsDoNotAllocate(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	net, err := nn.NewMLP([]int{4, 64, 96, 1}, nn.Tanh, rng)
	if err != nil {
		t.Fatal(err)
	}
	x, y := random(rng, 64, 4), random(rng, 64, 1)
	pass, grad, adam := net.NewPass(64), make([]float64, len(net.Params())), nn.NewAdam(1e-3)
	dout := mat.NewDense(64, 1, nil)
	first, last := 0.0, 0.0
	step := func() {
		last = nn.SquaredLoss(dout, pass.Forward(x), y)
		pass.Backward(grad, dout, nil)
		nn.ClipNorm(grad, 1)
		adam.Step(net.Params(), grad)
	}
	step()
	first = last
	if n := testing.AllocsPerRun(200, step); n != 0 {
		t.Errorf("a step allocates %v times, want 0", n)
	}
	if last > 0.6*first {
		t.Errorf("the loss went from %v to %v in 200 steps", first, last)
	}
}

func TestClipNorm(t *testing.T) {
	g := []float64{3, 4}
	near(t, "norm", nn.ClipNorm(g, 1), 5, 1e-15)
	near(t, "clipped", g[1], 0.8, 1e-15)
	near(t, "norm", nn.ClipNorm(g, 2), 1, 1e-15)
}

func TestBadArguments(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	for want, err := range map[string]error{
		"nn: there are 1 sizes, must be at least 2: inputs and outputs":   second(nn.NewMLP([]int{3}, nn.Tanh, rng)),
		"nn: size 1 is 0, must be at least 1":                             second(nn.NewMLP([]int{3, 0, 1}, nn.Tanh, rng)),
		`nn: activation is "softplus", must be tanh, relu or identity`:    second(nn.NewMLP([]int{3, 1}, "softplus", rng)),
		"nn: bandwidth is -1, must be positive":                           second(nn.NewRandomFeatures(1, 1, 1, -1, rng)),
		"nn: 1 inputs, 0 features and 1 outputs, must be at least 1 each": second(nn.NewRandomFeatures(1, 0, 1, 1, rng)),
		"nn: the data hold no network: unexpected EOF":                    new(nn.Network).UnmarshalBinary([]byte{7}),
	} {
		if err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	net, _ := nn.NewMLP([]int{3, 2}, nn.Tanh, rng)
	defer func() {
		if r := recover(); r != "nn: x is 5 x 4, must be 5 x 3" {
			t.Errorf("panic %v", r)
		}
	}()
	net.NewPass(1).Forward(mat.NewDense(5, 4, nil))
}

func second(_ *nn.Network, err error) error { return err }

// BenchmarkGradient is forward, loss and backward for a 4-64-64-1 network and 64 rows.
func BenchmarkGradient(b *testing.B) {
	rng := rand.New(rand.NewPCG(7, 1))
	net, _ := nn.NewMLP([]int{4, 64, 64, 1}, nn.Tanh, rng)
	x, y := random(rng, 64, 4), random(rng, 64, 1)
	pass, grad, dout := net.NewPass(64), make([]float64, len(net.Params())), mat.NewDense(64, 1, nil)
	for b.Loop() {
		nn.SquaredLoss(dout, pass.Forward(x), y)
		pass.Backward(grad, dout, nil)
	}
}

func BenchmarkAdam(b *testing.B) {
	params, grad, adam := make([]float64, 4545), make([]float64, 4545), nn.NewAdam(1e-3)
	for i := range grad {
		grad[i] = float64(i) / 100
	}
	for b.Loop() {
		adam.Step(params, grad)
	}
}

// TestDrawUniform: weights and biases fill the interval of their layer, and no more; fixed layers stay.
func TestDrawUniform(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	m, err := nn.NewMLP([]int{4, 100, 9}, nn.ReLU, rng)
	if err != nil {
		t.Fatal(err)
	}
	m.DrawUniform(rng)
	for _, part := range []struct {
		from, to int
		bound    float64
	}{{0, 400, .5}, {400, 500, .5}, {500, 1400, .1}, {1400, 1409, .1}} {
		least, most, inside := math.Inf(1), math.Inf(-1), 0
		for _, v := range m.Params()[part.from:part.to] {
			least, most = min(least, v), max(most, v)
			if math.Abs(v) < part.bound/2 {
				inside++
			}
		}
		if least < -part.bound || most > part.bound || most-least < part.bound {
			t.Errorf("parameters %d to %d are from %v to %v, want them spread over plus and minus %v", part.from, part.to, least, most, part.bound)
		}
		if n := float64(part.to - part.from); n > 100 && math.Abs(float64(inside)/n-.5) > .1 {
			t.Errorf("%d of %v parameters from %d are in the inner half", inside, n, part.from)
		}
	}
	f, err := nn.NewRandomFeatures(3, 50, 2, 1, rng)
	if err != nil {
		t.Fatal(err)
	}
	x := mat.NewDense(1, 3, []float64{1, 2, 3})
	f.DrawUniform(rand.New(rand.NewPCG(5, 5)))
	before := mat.DenseCopyOf(f.NewPass(1).Forward(x))
	f.DrawUniform(rand.New(rand.NewPCG(5, 5)))
	if !mat.Equal(before, f.NewPass(1).Forward(x)) {
		t.Error("the same draws give other outputs: the random features have moved")
	}
}

// TestClipNormScales: a gradient of any size keeps its direction and has the length asked for.
func TestClipNormScales(t *testing.T) {
	for _, size := range []float64{1e-300, 1e-200, 1, 1e200, 1e300} {
		for _, limit := range []float64{1e-200, 1, 1e200} {
			g := []float64{3 * size, 4 * size}
			norm := nn.ClipNorm(g, limit)
			want := min(5*size, limit)
			if math.Abs(norm-5*size) > 1e-14*norm || math.Abs(g[0]-0.6*want) > 1e-14*want || math.Abs(g[1]-0.8*want) > 1e-14*want {
				t.Errorf("(3, 4) times %g to %g: length %v, gradient %v", size, limit, norm, g)
			}
		}
	}
}
