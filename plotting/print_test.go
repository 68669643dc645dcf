package plotting

import (
	"bytes"
	"compress/zlib"
	"image"
	"image/color"
	_ "image/jpeg"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	_ "golang.org/x/image/tiff"
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
	f.Draw(draw.NewCanvas(printCanvas{CanvasSizer: sized{c}, format: "pdf"}, 300, 200))
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

// fileOf is a figure as a file of a format.
func fileOf(t *testing.T, f *Figure, format string) string {
	t.Helper()
	w, err := f.WriterTo(0, 0, format)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := w.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// translucent has a bar in a colour through which the ground is seen.
func translucent() *Figure {
	return New("", "", "").Ribbon("", []float64{0, 1}, []float64{1, 2}, []float64{0, 1}, []float64{2, 3}, Color(color.NRGBA{0, 0x71, 0xb1, 0xff}))
}

// TestPrintedColours reads back the fill of a band, which is the palette's first colour at an alpha of 46/255: in a PDF file the colour
// itself, and in an EPS file what it gives on white, each component c as 1-(1-c)*46/255.
func TestPrintedColours(t *testing.T) {
	pdf := fileOf(t, translucent(), "pdf")
	var text strings.Builder
	for _, part := range strings.Split(pdf, "stream\n") {
		if r, err := zlib.NewReader(strings.NewReader(part)); err == nil {
			io.Copy(&text, r)
		}
	}
	if !strings.Contains(text.String(), "0.000 0.443 0.694 rg") || !strings.Contains(pdf, "/ca 0.180") {
		t.Errorf("a PDF file's fills are %q", regexp.MustCompile(`.* rg`).FindAllString(text.String(), -1))
	}
	eps := fileOf(t, translucent(), "eps")
	want := false
	for _, set := range regexp.MustCompile(`(\S+) (\S+) (\S+) setrgbcolor`).FindAllStringSubmatch(eps, -1) {
		off := 0.0
		for i, c := range []float64{0, 0x71, 0xb1} {
			x, err := strconv.ParseFloat(set[i+1], 64)
			if err != nil {
				t.Fatal(err)
			}
			off = max(off, math.Abs(x-(1-(1-c/255)*46/255)))
		}
		want = want || off < 1./255
	}
	if !want {
		t.Errorf("an EPS file's colours are %q", regexp.MustCompile(`.* setrgbcolor`).FindAllString(eps, -1))
	}
}

// TestSameBytes: the same figure is the same file in every format, and a PDF file says nothing of the time, which is in seconds.
func TestSameBytes(t *testing.T) {
	for _, format := range []string{"pdf", "eps", "svg", "png", "jpg", "tiff"} {
		first, again := fileOf(t, translucent(), format), fileOf(t, translucent(), format)
		if first != again {
			t.Errorf("%s files of one figure differ", format)
		}
	}
	if pdf := fileOf(t, translucent(), "pdf"); strings.Contains(pdf, time.Now().Format("(D:2006")) || strings.Count(pdf, "(D:19700101000000)") != 2 {
		t.Error("a PDF file says when it was made")
	}
}

// TestSavedResolution: 3.5 inches at 600 dpi are 2,100 pixels.
func TestSavedResolution(t *testing.T) {
	SetResolution(6.25)
	defer SetResolution(2)
	for _, format := range []string{"png", "jpg", "tiff"} {
		img, _, err := image.DecodeConfig(strings.NewReader(fileOf(t, translucent().Size(252, 72), format)))
		if err != nil || img.Width != 2100 || img.Height != 600 {
			t.Errorf("%s: %d by %d pixels, %v", format, img.Width, img.Height, err)
		}
	}
}
