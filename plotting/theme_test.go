package plotting

import (
	"bytes"
	"image/color"
	"image/png"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

func pixelsOf(b map[string]any) (int, int) { return sizeOf(b["image/png"].([]byte)) }

func sizeOf(b []byte) (int, int) {
	c, err := png.DecodeConfig(bytes.NewReader(b))
	if err != nil {
		return 0, 0
	}
	return c.Width, c.Height
}

// A plot made with gonum/plot alone is shown in this package's fonts and greys, save what the program has set.
func TestHouseStyle(t *testing.T) {
	p := plot.New()
	p.Title.Text = "Title"
	p.X.Color = color.NRGBA{R: 255, A: 255}
	data, _ := Forms(p)
	svg := data["image/svg+xml"].(string)
	if !strings.Contains(svg, "'Liberation Sans'") || strings.Contains(svg, "Liberation Serif") {
		t.Error("another font")
	}
	if !strings.Contains(svg, "#FF0000") && !strings.Contains(svg, "#ff0000") {
		t.Error("the axis has lost its colour")
	}
	if p.Title.TextStyle.Font.Variant == "Sans" {
		t.Error("the plot itself has been changed")
	}
}

func TestPlainPlot(t *testing.T) {
	p := plot.New()
	p.Title.Text = "plain"
	l, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}})
	if err != nil {
		t.Fatal(err)
	}
	p.Add(l, &Band{X: []float64{0, 1}, Lo: []float64{0, 0}, Hi: []float64{1, 2}, Color: Palette[0]})
	data, meta := Forms(p)
	if w, h := pixelsOf(data); w != 1280 || h != 800 {
		t.Errorf("PNG of %d×%d", w, h)
	}
	const alt = "A figure. Horizontally from 0 to 1; vertically from 0 to 2."
	if !reflect.DeepEqual(meta, map[string]any{"image/png": map[string]any{"width": 640, "height": 400, "alt": alt}, "image/svg+xml": map[string]any{"alt": alt}}) {
		t.Errorf("metadata %v", meta)
	}
	if s := data["image/svg+xml"].(string); !strings.HasPrefix(s, "<svg") || !strings.Contains(s, "plain</text>") {
		t.Errorf("SVG starts %.80s", s)
	}
	if data["text/plain"] != "Figure: plain\n"+alt {
		t.Errorf("text %q", data["text/plain"])
	}
}

// In the dark theme, points keep the colours that the colour bar explains, and clouds, which are drawn as images, have the
// colour of their legend.
func TestDarkColours(t *testing.T) {
	SetTheme(Dark)
	defer SetTheme(Light)
	svg := svgOf(Scatter([]int{1, 2, 3}, []int{1, 2, 3}, ColorBy([]int{1, 2, 3})))
	for _, want := range []color.NRGBA{Viridis.At(0), Viridis.At(.5), Viridis.At(1)} {
		if !strings.Contains(svg, strings.ToUpper(hex(want))) {
			t.Errorf("no point of colour %s", hex(want))
		}
	}
	x := make([]float64, cloud+1)
	for i := range x {
		x[i] = float64(i)
	}
	img := rasterise(New("", "", "").Points("", x, x, Color(color.Black)), 1)
	brightest := uint32(0)
	for i := -8; i <= 8; i++ {
		for j := -8; j <= 8; j++ {
			r, _, _, _ := img.At(img.Bounds().Dx()/2+i, img.Bounds().Dy()/2+j).RGBA()
			brightest = max(brightest, r>>8)
		}
	}
	if brightest < 180 {
		t.Errorf("black points are %d of 255 bright at most", brightest)
	}
}

func TestDarkTheme(t *testing.T) {
	SetTheme(Dark)
	defer SetTheme(Light)
	f := New("Title", "x", "y").Line("", nil, []float64{1, 2})
	img := rasterise(f, 1)
	if r, g, b, _ := img.At(1, 1).RGBA(); max(r, g, b)>>8 > 40 {
		t.Errorf("the ground is %d %d %d", r>>8, g>>8, b>>8)
	}
	brightest := uint32(0)
	for x := range img.Bounds().Dx() {
		for y := range 25 {
			r, _, _, _ := img.At(x, y).RGBA()
			brightest = max(brightest, r>>8)
		}
	}
	if brightest < 180 {
		t.Errorf("the title is %d of 255 bright at most", brightest)
	}
}

// The SVG of the theme Auto is that of the theme Light but for what makes it dark, and little larger.
func TestAutoSVG(t *testing.T) {
	defer SetTheme(Light)
	sheet := regexp.MustCompile(`<style>.*</style>\n`)
	twice := regexp.MustCompile(`<image class="on-dark".*/>`)
	light := strings.NewReplacer(`class="on-light" `, "", "fill: #", "fill:#", "stroke: #", "stroke:#",
		` style="fill:#000000"`, "", "fill:#000000;", "", ";fill:#000000", "") // black is SVG's default
	names, figures := figureKinds()
	for i, f := range figures {
		SetTheme(Light)
		want := svgOf(f)
		SetTheme(Auto)
		auto := svgOf(f)
		once := twice.ReplaceAllString(auto, "")
		if len(once) > len(want)+len(want)/20+2000 {
			t.Errorf("%s: %d bytes, %d in the theme Light", names[i], len(once), len(want))
		}
		if got := light.Replace(sheet.ReplaceAllString(once, "")); got != want {
			t.Errorf("%s is another figure than in the theme Light", names[i])
		}
	}
	b := Lines([]int{1, 2}, []int{1, 2}).MIMEBundle()
	if h, _ := b["text/html"].(string); !strings.Contains(h, "data-jp-theme-light") || b["image/svg+xml"] != nil || b["image/png"] == nil {
		t.Errorf("a figure shows itself as %q", slices.Sorted(maps.Keys(b)))
	}
}
