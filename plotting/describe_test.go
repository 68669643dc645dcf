package plotting

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestDescription: sentences for each kind of figure, with numbers that were computed by hand.
func TestDescription(t *testing.T) {
	three := []float64{1, 2, 3}
	for _, c := range []struct {
		f     *Figure
		wants []string
	}{
		{New("", "", ""), []string{"An empty figure."}},
		{New("", "$t$", "yield in t").Line("A", three, []float64{1, 3, 2}).Line("B", three, []float64{2, 2, 3}),
			[]string{"A figure with 2 lines.", "Horizontally t, from 1 to 3; vertically yield in t, from 1 to 3.", "A goes from 1 at 1 to 2 at 3, highest 3 at 2.", "B rises from 2 at 1 to 3 at 3.",
				"At the end A is lowest with 2, B highest with 3.", "A and B cross 2 times."}},
		{New("", "", "").Line("A", three, []float64{0, 2, 4}).Line("B", three, []float64{3, 2.5, 2}), []string{"A and B cross near 2.2."}}, // -3, -0.5 and 2 apart
		{New("", "", "").Line("", nil, []float64{5, 5}), []string{"The line is 5 throughout."}},
		{New("", "", "").Line("gone", three, []float64{math.NaN(), math.Inf(1), math.NaN()}), []string{"gone: no values."}},
		{New("", "", "").LogLog().Line("rate", []float64{1, 10, 100}, []float64{1, .1, .01}), []string{"with slope -1.00 on the logarithmic axes", "logarithmic; vertically"}},
		{New("", "", "").Ribbon("m", three, three, []float64{0, 1, 2.5}, []float64{2, 3, 3.25}), []string{"m rises from 1 at 1 to 3 at 3; its band there is from 2.5 to 3.25."}},
		{New("", "", "").Line("ring", []float64{1, 0, -1, 1}, []float64{0, 1, 0, 0}), []string{"ring is a curve from (1, 0) to (1, 0) within (-1, 0) and (1, 1)."}},
		{New("", "", "").Points("p", three, []float64{2, 4, 6}), []string{"p: 3 points from (1, 2) to (3, 6), with correlation 1.00."}},
		{New("", "", "").Points("one", []float64{1}, []float64{2}), []string{"one: one point at (1, 2)."}},
		{New("", "", "").Points("", three, three).HLine(2, `$\alpha$`).VLine(1, ""), []string{"The points: 3 points", "A horizontal line at 2, alpha.", "A vertical line at 1."}},
		{New("", "", "").Bars("", []string{"early", "late"}, []float64{1100, 850}), []string{"A figure with bars.", "Horizontally early and late;", "The bars: early 1100 and late 850."}},
		{New("", "", "").Histogram("h", []float64{0, 0, 0, 1, 2, 4}, 4, false), []string{"h: 4 bars, the highest with 3 from 0 to 1; the middle half lies between 0.5 and 2.5, the median is near 1."}},
		{New("", "", "").Boxes("", []string{"a", "b"}, [][]float64{{1, 2, 3, 4, 5, 40}, {}}), []string{"Medians with quartiles: a: 3.5 (2.25 to 4.75), 1 far out; b: no values."}},
		{New("", "", "").Violins("", []string{"a"}, [][]float64{{1, 2, 3}}), []string{"a: 2 (1.5 to 2.5)."}},
		{New("", "", "").Heat(mat.NewDense(1, 2, []float64{7, -1}), 0, 2, 0, 1, nil), []string{"The heat map has 1 by 2 values, from -1 at (1.5, 0.5) to 7 at (0.5, 0.5)."}},
		{New("title", "", "").Line("", nil, three).Alt("Mine."), []string{"Mine."}},
	} {
		got := c.f.Description()
		for _, want := range c.wants {
			if !strings.Contains(got, want) {
				t.Errorf("%q lacks %q", got, want)
			}
		}
	}
}

// TestDescriptionOfLines: extremes, ends and crossings of random walks are those that one finds by looking at every point.
func TestDescriptionOfLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 3 + rng.IntN(20)
		x, a, b := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], a[i], b[i] = float64(i), math.Round(100*rng.NormFloat64()), math.Round(100*rng.NormFloat64())+.5
		}
		got := New("", "", "").Line("a", x, a).Line("b", x, b).Description()
		crossings, most := 0, math.Inf(-1)
		for i := range x {
			most = max(most, a[i])
			if i > 0 && (a[i] > b[i]) != (a[i-1] > b[i-1]) {
				crossings++
			}
		}
		var wants []string
		if most > a[0] && most > a[n-1] {
			wants = append(wants, fmt.Sprintf("highest %v at ", most))
		}
		switch {
		case crossings == 1:
			wants = append(wants, "a and b cross near ")
		case crossings > 1:
			wants = append(wants, fmt.Sprintf("a and b cross %d times", crossings))
		case strings.Contains(got, "cross"):
			t.Errorf("lines that do not cross: %s", got)
		}
		low := "a"
		if b[n-1] < a[n-1] {
			low = "b"
		}
		for _, want := range append(wants, "At the end "+low+" is lowest") {
			if !strings.Contains(got, want) {
				t.Errorf("%q lacks %q", got, want)
			}
		}
	}
}

// TestDescribed: the sentences are in each form that a figure has.
func TestDescribed(t *testing.T) {
	f := New("a & b $N^{-1/2}$", "", "").Line("<x>", nil, []float64{1, 2})
	const want = "A figure with a line. Horizontally from 0 to 1; vertically from 1 to 2. <x> rises from 1 at 0 to 2 at 1."
	data, meta := f.forms()
	if data["text/plain"] != "Figure: a & b N to the power minus one half\n"+want {
		t.Errorf("text %q", data["text/plain"])
	}
	for _, form := range []string{"image/png", "image/svg+xml"} {
		if got := meta[form].(map[string]any)["alt"]; got != want {
			t.Errorf("alt of %s is %q", form, got)
		}
	}
	titles := map[string]string{}
	d := xml.NewDecoder(strings.NewReader(data["image/svg+xml"].(string)))
	var within string
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			within = e.Name.Local
			if within == "svg" {
				for _, a := range e.Attr {
					titles[a.Name.Local] = a.Value
				}
			}
		case xml.CharData:
			if titles[within] == "" {
				titles[within] = string(e)
			}
		}
	}
	if titles["role"] != "img" || titles["title"] != "Figure: a & b N to the power minus one half" || titles["desc"] != want {
		t.Errorf("the SVG has %q, %q, %q", titles["role"], titles["title"], titles["desc"])
	}
	if got := f.Interactive().Spec()["description"]; got != want {
		t.Errorf("the specification has %q", got)
	}
	slides := Slider("$\\sigma$", []string{"1", "2"}, []*Figure{f, f}).MIMEBundle()["text/html"].(string)
	if !strings.Contains(slides, `alt="Figure: a &amp; b N to the power minus one half, sigma 2: A figure with a line.`) {
		t.Errorf("the second frame is described otherwise")
	}
	animation := Animate([]*Figure{f, New("", "", "").Line("", nil, []float64{2, 1})}, 2)
	if got := animation.MIMEMetadata()["image/png"].(map[string]any)["alt"].(string); !strings.Contains(got, "The first of 2 frames: ") || !strings.Contains(got, "The last: ") ||
		!strings.Contains(got, "The line falls from 2 at 0 to 1 at 1.") {
		t.Errorf("the animation is %q", got)
	}
}
