package plotting

import (
	"bytes"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// A circle of curves has the points of the circle.
func TestWithoutArcs(t *testing.T) {
	var p vg.Path
	p.Arc(vg.Point{X: 1, Y: 2}, 3, 0, 2*math.Pi)
	for _, c := range withoutArcs(p) {
		if d := math.Hypot(float64(c.Pos.X-1), float64(c.Pos.Y-2)); math.Abs(d-3) > 1e-12 {
			t.Errorf("a point is %g from the centre", d)
		}
	}
}

// An image is given to the PDF writer upside down, since it draws from the bottom to the top.
func TestPrintedImage(t *testing.T) {
	c := &recorder.Canvas{}
	f := New("", "", "").Heat(mat.NewDense(2, 1, []float64{0, 1}), 0, 1, 0, 1, nil) // dark below, light above
	f.Draw(draw.NewCanvas(printCanvas{sized{c}, "pdf"}, 300, 200))
	for _, a := range c.Actions {
		if d, ok := a.(*recorder.DrawImage); ok {
			size := d.Image.Bounds().Size()
			if top, want := d.Image.At(0, 0), Viridis.At(0); top != want {
				t.Errorf("the first row of %v is %v, want %v", size, top, want)
			}
			return
		}
	}
	t.Error("no image is drawn")
}

// sized is a recorder with a size.
type sized struct{ *recorder.Canvas }

func (sized) Size() (vg.Length, vg.Length) { return 300, 200 }

func TestEPS(t *testing.T) {
	dir := t.TempDir()
	heat := New("", "", "").Heat(mat.NewDense(1, 1, []float64{1}), 0, 1, 0, 1, nil)
	if err := heat.Save(filepath.Join(dir, "f.eps")); err == nil || !strings.Contains(err.Error(), "PDF") {
		t.Error(err)
	}
	w, err := New("$\\mu$ and text", "", "").Line("", nil, []float64{1, 2}).WriterTo(0, 0, "eps")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := w.WriteTo(&b); err != nil || strings.Contains(b.String(), "findfont") {
		t.Errorf("the file wants fonts: %v", err)
	}
}
