package kernelmachine

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash"
	"hash/crc64"
	"io"
	"math"
	"reflect"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/rkhs"
)

// formatVersion says how a machine is written and how features are made from seeds.
const formatVersion = 1

// magic starts every file.
const magic = "gaucho kernel machine\n"

// A part is a kernel, a loss or a divergence by the name of its type, with its
// parameters, and with the kernels that it is made of.
type part struct {
	Type   string
	Fields json.RawMessage `json:",omitempty"`
	Parts  []part          `json:",omitempty"`
}

// header is what a file has before the numbers.
type header struct {
	Format   int
	NORMA    bool `json:",omitempty"`
	Kernel   part
	Loss     part
	Settings Settings
	Chosen   Step
	Seed     uint64
	Dim      int
	Steps    int
	Drawn    int
	Offset   float64
	Scale    float64
	Averaged int
	Sum      float64
	Offsets  float64
}

// writable are the types that can be written, by name.
var writable = map[string]reflect.Type{}

func init() {
	for _, v := range []any{
		rkhs.Gaussian{}, rkhs.Laplace{}, rkhs.Cauchy{}, rkhs.Matern{}, rkhs.SkewedChiSquare{}, rkhs.SkewedIntersection{},
		rkhs.Hellinger{}, rkhs.ChiSquare{}, rkhs.Intersection{}, rkhs.JensenShannon{}, rkhs.ExponentialSemigroup{},
		rkhs.ReciprocalSemigroup{}, rkhs.ArcCosine{}, rkhs.Linear{}, rkhs.Constant{}, rkhs.DotProduct{}, rkhs.Polynomial{},
		rkhs.RationalQuadratic{}, rkhs.Cosine{}, rkhs.Min{}, rkhs.Trigonometric{},
		Squared{}, Huber{}, EpsilonInsensitive{}, Quantile{}, Hinge{}, SquaredHinge{}, SmoothHinge{}, Logistic{},
		MultiLogistic{}, Embedding{}, Novelty{}, KL{}, NoveltyRatio{}, Pearson{},
	} {
		t := reflect.TypeOf(v)
		writable[t.Name()] = t
	}
}

// pack describes a kernel, loss or divergence.
func pack(v any) (part, error) {
	switch v := v.(type) {
	case rkhs.Sum:
		return packAll("Sum", nil, v)
	case rkhs.Product:
		return packAll("Product", nil, v)
	case rkhs.Scaled:
		factor, err := json.Marshal(v.Factor)
		if err != nil {
			return part{}, err
		}
		return packAll("Scaled", factor, []rkhs.Kernel{v.Kernel})
	case DensityRatio:
		inner, err := pack(v.divergence())
		return part{Type: "DensityRatio", Parts: []part{inner}}, err
	}
	t := reflect.TypeOf(v)
	if writable[t.Name()] != t {
		return part{}, fmt.Errorf("kernelmachine: a machine with %T cannot be written", v)
	}
	fields, err := json.Marshal(v)
	return part{Type: t.Name(), Fields: fields}, err
}

func packAll(name string, fields json.RawMessage, kernels []rkhs.Kernel) (part, error) {
	out := part{Type: name, Fields: fields}
	for _, k := range kernels {
		p, err := pack(k)
		if err != nil {
			return part{}, err
		}
		out.Parts = append(out.Parts, p)
	}
	return out, nil
}

// unpack makes what pack described.
func unpack(p part) (any, error) {
	var kernels []rkhs.Kernel
	var inner any
	for _, q := range p.Parts {
		v, err := unpack(q)
		if err != nil {
			return nil, err
		}
		inner = v
		if k, ok := v.(rkhs.Kernel); ok {
			kernels = append(kernels, k)
		}
	}
	switch {
	case p.Type == "Sum":
		return rkhs.Sum(kernels), nil
	case p.Type == "Product":
		return rkhs.Product(kernels), nil
	case p.Type == "Scaled" && len(kernels) == 1:
		s := rkhs.Scaled{Kernel: kernels[0]}
		return s, json.Unmarshal(p.Fields, &s.Factor)
	case p.Type == "DensityRatio":
		d, ok := inner.(Divergence)
		if !ok {
			return nil, fmt.Errorf("kernelmachine: a density ratio without a divergence")
		}
		return DensityRatio{Divergence: d}, nil
	}
	t := writable[p.Type]
	if t == nil {
		return nil, fmt.Errorf("kernelmachine: there is no %q", p.Type)
	}
	v := reflect.New(t)
	err := json.Unmarshal(p.Fields, v.Interface())
	return v.Elem().Interface(), err
}

// Save writes the machine, all it needs to predict and to go on training: what it
// does after [Load] has the same bits. About 8 bytes for each coefficient. A machine
// with a kernel or loss of another package cannot be saved.
func (m *Machine) Save(w io.Writer) error {
	kernel, err := pack(m.kernel)
	if err != nil {
		return err
	}
	loss, err := pack(m.loss)
	if err != nil {
		return err
	}
	head, err := json.Marshal(header{formatVersion, m.norma, kernel, loss, m.settings, m.step, m.seed, m.d, m.t, m.drawn, m.offset,
		m.scale, m.averaged, m.sum, m.offsets})
	if err != nil {
		return err
	}
	sum := crc64.New(crc64.MakeTable(crc64.ECMA))
	out := &numbers{w: bufio.NewWriter(io.MultiWriter(w, sum))}
	out.bytes([]byte(magic))
	out.bytes(binary.LittleEndian.AppendUint64(nil, uint64(len(head))))
	out.bytes(head)
	m.eachNumber(func(v []float64) { out.floats(v) })
	if out.err == nil {
		out.err = out.w.Flush()
	}
	if out.err != nil {
		return out.err
	}
	_, err = w.Write(sum.Sum(nil))
	return err
}

// eachNumber calls f for all that a machine keeps in slices, in the order in which it
// is written.
func (m *Machine) eachNumber(f func([]float64)) {
	for p := range m.u {
		rows := min(m.per, m.t-p*m.per) * m.width()
		n := rows * m.outputs
		f(m.u[p].RawMatrix().Data[:n])
		if m.past != nil {
			f(m.past[p].RawMatrix().Data[:n])
		}
		if s, ok := m.basis.(*supports); ok {
			f(s.points[p].RawMatrix().Data[:rows*m.d])
		}
	}
	f(m.entry)
}

// numbers writes until the first error.
type numbers struct {
	w   *bufio.Writer
	err error
}

func (n *numbers) bytes(b []byte) {
	if n.err == nil {
		_, n.err = n.w.Write(b)
	}
}

func (n *numbers) floats(v []float64) {
	var b [8]byte
	for _, x := range v {
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(x))
		n.bytes(b[:])
	}
}

// summed reads and adds up what it read.
type summed struct {
	r   io.Reader
	sum hash.Hash64
}

func (s summed) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.sum.Write(p[:n])
	return n, err
}

// Load reads a machine that [Machine.Save] wrote. Its Progress is nil.
func Load(r io.Reader) (*Machine, error) {
	if r == nil {
		return nil, fmt.Errorf("kernelmachine: the reader is nil")
	}
	buffered := bufio.NewReader(r)
	in := summed{buffered, crc64.New(crc64.MakeTable(crc64.ECMA))}
	h, err := readHeader(in)
	if err != nil {
		return nil, err
	}
	m, err := h.machine()
	if err != nil {
		return nil, err
	}
	m.eachNumber(func(v []float64) {
		b := make([]byte, 8*len(v))
		if err == nil {
			_, err = io.ReadFull(in, b)
		}
		for i := range v {
			v[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
		}
	})
	want := in.sum.Sum(nil)
	var got [8]byte
	if err == nil {
		_, err = io.ReadFull(buffered, got[:])
	}
	if err != nil {
		return nil, fmt.Errorf("kernelmachine: file ends too early: %w", err)
	}
	if string(want) != string(got[:]) {
		return nil, fmt.Errorf("kernelmachine: file is damaged")
	}
	return m, nil
}

func readHeader(in io.Reader) (*header, error) {
	start := make([]byte, len(magic)+8)
	if _, err := io.ReadFull(in, start); err != nil || string(start[:len(magic)]) != magic {
		return nil, fmt.Errorf("kernelmachine: this is no machine's file")
	}
	size := binary.LittleEndian.Uint64(start[len(magic):])
	if size > 1<<20 {
		return nil, fmt.Errorf("kernelmachine: file has a header of %d bytes, must be at most %d", size, 1<<20)
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(in, text); err != nil {
		return nil, fmt.Errorf("kernelmachine: file ends too early: %w", err)
	}
	var h header
	if err := json.Unmarshal(text, &h); err != nil {
		return nil, fmt.Errorf("kernelmachine: header: %w", err)
	}
	if h.Format != formatVersion {
		return nil, fmt.Errorf("kernelmachine: file has format %d, must be %d", h.Format, formatVersion)
	}
	return &h, nil
}

// machine makes the machine of a header, with zeros for its numbers.
func (h *header) machine() (*Machine, error) {
	k, err := unpack(h.Kernel)
	if err != nil {
		return nil, err
	}
	l, err := unpack(h.Loss)
	if err != nil {
		return nil, err
	}
	kernel, isKernel := k.(rkhs.Kernel)
	loss, isLoss := l.(Loss)
	if !isKernel || !isLoss || h.Dim < 0 || h.Steps < 0 || h.Averaged < 0 {
		return nil, fmt.Errorf("kernelmachine: file is damaged")
	}
	m, err := newMachine(loss, kernel, &h.Settings)
	if err != nil {
		return nil, err
	}
	m.norma, m.seed = h.NORMA, h.Seed
	if h.Dim == 0 {
		return m, nil
	}
	if err := m.open(h.Dim); err != nil {
		return nil, err
	}
	outputs, _ := loss.Dims()
	m.step = h.Chosen
	m.state = state{per: m.basis.panelBlocks(), width: m.width(), outputs: outputs, t: h.Steps, drawn: h.Drawn, offset: h.Offset, scale: h.Scale,
		averaged: h.Averaged, sum: h.Sum, offsets: h.Offsets}
	for range (h.Steps + m.per - 1) / m.per {
		m.u = append(m.u, mat.NewDense(m.per*m.state.width, outputs, nil))
		if m.settings.Average {
			m.past = append(m.past, mat.NewDense(m.per*m.state.width, outputs, nil))
		}
		if s, ok := m.basis.(*supports); ok {
			s.points = append(s.points, mat.NewDense(s.per*s.width, s.d, nil))
		}
	}
	if m.settings.Average {
		m.entry = make([]float64, h.Steps)
	}
	return m, nil
}
