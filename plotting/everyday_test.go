package plotting

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
)

type metres float32

func TestNumbers(t *testing.T) {
	for _, v := range []any{[]float64{1, 2}, []int{1, 2}, []uint8{1, 2}, []float32{1, 2}, []metres{1, 2}, [2]int64{1, 2}, []any{1, 2.0}, mat.NewVecDense(2, []float64{1, 2})} {
		if got := numbers("f", "x", v); !slices.Equal(got, []float64{1, 2}) {
			t.Errorf("%T: %v", v, got)
		}
	}
	for name, call := range map[string]func(){
		"plotting: Hist: data is of type []string, must be a slice of numbers":    func() { Hist([]string{"a"}) },
		"plotting: Hist: data is of type int, must be a slice of numbers":         func() { Hist(3) },
		`plotting: Box: data["a"] is of type string, must be a slice of numbers`:  func() { Box(map[string]string{"a": "b"}) },
		"plotting: Scatter: y is of type []time.Time, must be a slice of numbers": func() { Scatter([]int{1}, []time.Time{{}}) },
		"plotting: Points has 1 values for 2 x":                                   func() { Scatter([]int{1, 2}, []int{1}) },
		"plotting: ColorBy has 1 values for 2 x":                                  func() { Scatter([]int{1, 2}, []int{1, 2}, ColorBy([]int{1})) },
		"plotting: SizeBy: value 1 is -2, must not be negative":                   func() { SizeBy([]int{1, -2}) },
		"plotting: Histograms has 1 samples for 2 names":                          func() { New("", "", "").Histograms([]string{"a", "b"}, [][]float64{{1}}, 0, false) },
		"plotting: Boxes has 0 samples for 1 labels":                              func() { New("", "", "").Boxes("", []string{"a"}, nil) },
	} {
		func() {
			defer func() {
				if e := recover(); e != name {
					t.Errorf("%v, want %s", e, name)
				}
			}()
			call()
		}()
	}
}

// Bad samples have sane pictures.
func TestEverydayWithLittleData(t *testing.T) {
	nan := []float64{math.NaN(), math.NaN()}
	for name, f := range map[string]*Figure{
		"hist nan": Hist(nan), "hist empty": Hist([]int{}), "hist nil": Hist(nil), "hist one": Hist([]int{3}),
		"scatter nan": Scatter(nan, nan, ColorBy(nan), SizeBy(nan)), "scatter empty": Scatter([]int{}, []int{}),
		"lines nil": Lines(nil, nil), "lines inf": Lines(nil, []float64{math.Inf(1)}), "lines no time": Lines([]time.Time{{}, {}}, []int{1, 2}),
		"box nan": Box(nan), "box empty": Box(map[string][]float64{}), "violin nan": Violin(nan), "violin same": Violin([]int{2, 2, 2}), "violin one": Violin([]int{2}),
		"bar empty": Bar(nil, nil), "log box": Box([]int{-1, 0, 1}).LogY(),
		"title": Hist([]int{1}).Labels(strings.Repeat("title ", 50), "", ""),
	} {
		b := f.MIMEBundle()
		if len(b["image/png"].([]byte)) < 500 || !strings.HasPrefix(b["image/svg+xml"].(string), "<svg") || strings.Contains(b["image/svg+xml"].(string), "NaN") {
			t.Errorf("%s: no picture", name)
		}
	}
}

// Several histograms are counted in the same bins.
func TestCommonBins(t *testing.T) {
	f := Hist(map[string][]int{"a": {0, 1, 1}, "b": {9, 10}})
	var heights float64
	var edges []float64
	for _, p := range f.drawn {
		b := p.(*Bins)
		if edges != nil && !slices.Equal(edges, b.Edges) {
			t.Errorf("bins %v and %v", edges, b.Edges)
		}
		edges = b.Edges
		for _, h := range b.Heights {
			heights += h
		}
	}
	if want := []float64{-.5, 1.5, 3.5, 5.5, 7.5, 9.5, 11.5}; heights != 5 || !slices.Equal(edges, want) {
		t.Errorf("%g values in bins %v", heights, edges)
	}
}

// The throws of a die have a bin for each face; values that are not whole, or many, have bins as before.
func TestBinsOfWholeNumbers(t *testing.T) {
	var die, large []float64
	for i := range 600 {
		die, large = append(die, float64(1+i%6)), append(large, float64(i*i))
	}
	b := Count(die, 0, true)
	if !slices.Equal(b.Edges, []float64{.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5}) || math.Abs(b.Heights[5]-1./6) > 1e-15 {
		t.Errorf("a die has the bins %v of heights %v", b.Edges, b.Heights)
	}
	if b := Count([]float64{3, 3}, 0, false); !slices.Equal(b.Edges, []float64{2.5, 3.5}) || b.Heights[0] != 2 {
		t.Errorf("one number has %v", b)
	}
	b = Count(large, 0, false)
	sum := 0.
	for _, h := range b.Heights {
		sum += h
	}
	if width := b.Edges[1] - b.Edges[0]; len(b.Heights) > 100 || width != math.Trunc(width) || sum != 600 {
		t.Errorf("%d bins of width %g hold %g of 600 squares", len(b.Heights), width, sum)
	}
	if b := Count([]float64{.5, 1, 2, 3, 4}, 0, false); len(b.Heights) != 5 || b.Edges[0] != .5 || b.Edges[5] != 4 {
		t.Errorf("halves have %v", b)
	}
}

// Whiskers end at the furthest values within one and a half times the height of the box: worked by hand from the definition.
func TestWhiskers(t *testing.T) {
	v := []float64{-8, 1, 2, 3, 4, 5, 6, 7, 8, 9, 20}
	low, high := Quantile(v, .25), Quantile(v, .75) // 2.5 and 7.5, so the whiskers reach from -5 to 15 at most
	if lo, hi := whiskers(v, low, high); low != 2.5 || high != 7.5 || lo != 1 || hi != 9 {
		t.Errorf("box %g to %g, whiskers %g to %g", low, high, lo, hi)
	}
}

// The smoothed density of two far points is that of two normal distributions of Silverman's bandwidth.
func TestSmooth(t *testing.T) {
	at, d := smooth([]float64{-1, 1})
	width := .9 * math.Pow(2, -.2) * min(1, 1/1.34) // standard deviation 1, quartiles 0.5 from the middle
	for i, y := range at {
		want := math.Exp(-(y+1)*(y+1)/(2*width*width)) + math.Exp(-(y-1)*(y-1)/(2*width*width))
		most := 0.0
		for _, z := range at {
			most = max(most, math.Exp(-(z+1)*(z+1)/(2*width*width))+math.Exp(-(z-1)*(z-1)/(2*width*width)))
		}
		if math.Abs(d[i]-want/most) > 1e-9 {
			t.Fatalf("at %g the density is %g, want %g", y, d[i], want/most)
		}
	}
}

func TestRight(t *testing.T) {
	f := New("", "", "").Line("a", []float64{0, 1}, []float64{0, 1})
	g := f.Right("b").Line("b", []float64{0, 5}, []float64{100, 300})
	if f.Right("") != g {
		t.Error("a second axis")
	}
	if r := ranges(f); r[1] < 5 || r[3] > 2 {
		t.Errorf("ranges %v", r)
	}
	if f.drawn[0].(*Line).Color == g.drawn[0].(*Line).Color {
		t.Error("both lines have one colour")
	}
	if calls := actions(f); !strings.Contains(calls, `"300"`) || !strings.Contains(calls, `"b"`) {
		t.Error("the axis at the right has no labels")
	}
}

func TestSavePDF(t *testing.T) {
	file := filepath.Join(t.TempDir(), "figure.pdf")
	f := Scatter([]int{1, 2, 3}, []int{3, 1, 2}, ColorBy([]int{1, 2, 3})).Labels(`$\frac{1}{n}\sum_i \hat\mu_i$`, "$x$", "$y$")
	if err := f.Save(file); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(data), "%PDF") {
		t.Error(err)
	}
}

// The legend of points by size has areas in proportion to its numbers, by the same measure as the points.
func TestSizeLegend(t *testing.T) {
	f := Scatter([]int{1, 2, 3}, []int{1, 2, 3}, SizeBy([]float64{10, 40, 90}))
	var names []string
	for _, e := range f.entries {
		names = append(names, e.name)
		v, err := strconv.ParseFloat(e.name, 64)
		if err != nil {
			t.Fatal(err)
		}
		sample, largest := e.thumbs[0].(*Points).Radius, f.drawn[len(f.drawn)-1].(*Points).Radii[2]
		if got := float64(sample * sample / (largest * largest)); math.Abs(got-v/90) > 1e-12 {
			t.Errorf("%s has %g of the largest area, want %g", e.name, got, v/90)
		}
	}
	if got := strings.Join(names, " "); got != "20 40 60 80" {
		t.Errorf("sizes %s", got)
	}
}
