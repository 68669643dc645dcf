package plotting

import (
	"bytes"
	"fmt"
	"html"
	"image"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"gaucho/internal/words"
)

// defaults are what figures are drawn with unless they say otherwise.
var defaults = struct {
	sync.Mutex
	width, height vg.Length
	scale         float64
	theme         Theme
}{width: 480, height: 300, scale: 2}

// SetSize sets the size of figures that have none of their own, in points of 1/72 inch. It is 480 by 300 at first, which
// a screen shows as 640 by 400 pixels.
func SetSize(width, height vg.Length) {
	defaults.Lock()
	defer defaults.Unlock()
	defaults.width, defaults.height = max(width, 20), max(height, 20)
}

// SetResolution sets how many pixels of a PNG, JPEG or TIFF go to one pixel of an ordinary screen, which is 1/96 inch: 2 at
// first, which is 192 dpi, and 6.25 for 600 dpi. Figures do not change their size on the page by it, only how sharp they are
// when magnified or printed.
func SetResolution(scale float64) {
	defaults.Lock()
	defer defaults.Unlock()
	defaults.scale = min(max(scale, .5), 10)
}

// A drawing is something of a size that draws itself.
type drawing interface {
	Draw(draw.Canvas)
	extent() (width, height vg.Length)
	heading() string // may be empty
	Description() string
}

func (f *Figure) extent() (width, height vg.Length) {
	defaults.Lock()
	defer defaults.Unlock()
	width, height = defaults.width, defaults.height
	if f.width > 0 && f.height > 0 {
		return f.width, f.height
	}
	return width, height
}

// svgLimit is the size above which an SVG is not sent: the PNG is enough.
const svgLimit = 300_000

// Forms returns the forms of a gonum plot by MIME type, drawn in the house style where the plot itself sets nothing else, and
// what a front end needs to know about them. They are those of a [Figure] with the same contents.
func Forms(p *plot.Plot) (data, metadata map[string]any) { return houseStyle(p).forms() }

// forms returns the figure's bundle and metadata.
func (f *Figure) forms() (data, metadata map[string]any) { return formsOf(f) }

// heading is the title, or what is on the vertical axis.
func (f *Figure) heading() string {
	if title := strings.TrimSpace(f.Title.Text); title != "" {
		return title
	}
	return strings.TrimSpace(f.Plot.Y.Label.Text)
}

// caption is what stands for something drawn in a line of text.
func caption(d drawing) string {
	if title := inWords(d.heading()); title != "" {
		return "Figure: " + title
	}
	return "Figure"
}

func formsOf(d drawing) (data, metadata map[string]any) {
	var err error
	defer func() {
		if err != nil {
			data, metadata = words.Failure("plotting: "+err.Error(), "Figure"), nil
		}
	}()
	defer catchDrawing(&err)
	alt := d.Description()
	data = map[string]any{"image/png": pngOf(d), "text/plain": caption(d) + "\n" + alt}
	limit := svgLimit
	if theme() == Auto {
		limit *= 2 // images may be there twice
	}
	if s := svgOf(d); len(s) <= limit {
		mime, form := shownSVG(s, alt)
		data[mime] = form
	}
	return data, metadataWith(d, alt)
}

// metadataOf is what a front end needs to know of the image: the size at which it is shown, and its alternative text.
func metadataOf(d drawing) map[string]any { return metadataWith(d, d.Description()) }

func metadataWith(d drawing, alt string) map[string]any {
	w, h := d.extent()
	return map[string]any{"image/png": map[string]any{"width": pixels(w), "height": pixels(h), "alt": alt}, "image/svg+xml": map[string]any{"alt": alt}}
}

func pixels(l vg.Length) int { return int(math.Round(float64(l) * 96 / 72)) }

// rasterise draws on an image with so many pixels to one of an ordinary screen.
func rasterise(d drawing, scale float64) image.Image {
	w, h := d.extent()
	return drawnAt(d, w, h, scale).Image()
}

func drawnAt(d drawing, w, h vg.Length, scale float64) *vgimg.Canvas {
	c := vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(int(math.Round(96*scale))))
	d.Draw(themed(onImage(c), theme()))
	return c
}

func resolution() float64 {
	defaults.Lock()
	defer defaults.Unlock()
	return defaults.scale
}

func pngOf(d drawing) []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, rasterise(d, resolution())); err != nil {
		panic(err) // memory takes all that is written
	}
	return b.Bytes()
}

// svgFixes name fonts that take the place of Liberation Sans where it is not installed (Arial and Helvetica have its widths),
// and let images fill their rectangles, where SVG would keep the shape of their pixels: a heat map of 40 by 30 cells, a
// colour bar one pixel wide.
var svgFixes = strings.NewReplacer(
	"<image ", `<image preserveAspectRatio="none" `,
	"font-family:Liberation Sans;", "font-family:'Liberation Sans',Arial,Helvetica,sans-serif;",
	"font-variant:Sans;", "",
	"font-variant:normal;", "", "font-weight:normal;", "", "font-style:normal;", "", ";font-style:normal", "",
	"data:image/jpg;base64", "data:image/png;base64",
	"\n\tstyle=", " style=",
)

// svgOf returns the drawing at its own size as SVG.
func svgOf(d drawing) string {
	w, h := d.extent()
	return svgAt(d, w, h)
}

func svgAt(d drawing, w, h vg.Length) string {
	t := theme()
	if t == Auto {
		return twoThemes(svgIn(Light, d, w, h), svgIn(Dark, d, w, h))
	}
	return svgIn(t, d, w, h)
}

// svgIn returns the drawing in a theme as SVG.
func svgIn(t Theme, d drawing, w, h vg.Length) string {
	c := &svgCanvas{Canvas: vgsvg.New(w, h)}
	d.Draw(themed(c, t))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		panic(err)
	}
	s := b.String()
	if i := strings.Index(s, "<svg"); i > 0 {
		s = s[i:] // without the XML declaration, a page can hold it as it is
	}
	return withDescription(c.fitTexts(svgFixes.Replace(s)), d)
}

// withDescription returns an SVG that programs which read aloud take for one image with a name and a description.
func withDescription(svg string, d drawing) string {
	head, rest, ok := strings.Cut(svg, ">")
	if !ok {
		return svg
	}
	return fmt.Sprintf("%s role=\"img\">\n<title>%s</title>\n<desc>%s</desc>%s", head, html.EscapeString(caption(d)), html.EscapeString(d.Description()), rest)
}

// An svgCanvas knows how wide each text is that it draws. The SVG says so, because a browser without the figures' font
// takes another, whose letters would overlap what is next to them.
type svgCanvas struct {
	*vgsvg.Canvas
	widths []vg.Length
}

// FillString draws a text.
func (c *svgCanvas) FillString(f font.Face, pt vg.Point, text string) {
	c.widths = append(c.widths, f.Width(text))
	c.Canvas.FillString(f, pt, text)
}

// fitTexts adds the widths to the texts of an SVG.
func (c *svgCanvas) fitTexts(svg string) string {
	var b strings.Builder
	for _, w := range c.widths {
		before, after, ok := strings.Cut(svg, "<text ")
		if !ok {
			break
		}
		fmt.Fprintf(&b, `%s<text textLength="%.4g" lengthAdjust="spacingAndGlyphs" `, before, w)
		svg = after
	}
	return b.String() + svg
}

// MIMEBundle returns the figure as SVG and PNG.
func (f *Figure) MIMEBundle() map[string]any {
	data, _ := f.forms()
	return data
}

// MIMEMetadata returns the size at which the PNG is shown, and the alternative text.
func (f *Figure) MIMEMetadata() map[string]any { return metadataOf(f) }

// WriterTo returns the figure in a format that gonum/plot knows: eps, jpg, pdf, png, svg, tex or tiff. A width or height
// of zero stands for the figure's own.
func (f *Figure) WriterTo(w, h vg.Length, format string) (io.WriterTo, error) {
	return writerTo(f, w, h, format)
}

// Save writes the figure at its own size to a file in the format that its name ends in, such as figure.pdf. [Figure.Size]
// sets the size.
func (f *Figure) Save(file string) error { return save(f, file) }

func writerTo(d drawing, w, h vg.Length, format string) (out io.WriterTo, err error) {
	defer catchDrawing(&err)
	if w <= 0 || h <= 0 {
		w, h = d.extent()
	}
	format = strings.ToLower(format)
	switch format {
	case "svg":
		return strings.NewReader(svgAt(d, w, h)), nil
	case "png":
		return vgimg.PngCanvas{Canvas: drawnAt(d, w, h, resolution())}, nil
	case "jpg", "jpeg":
		return vgimg.JpegCanvas{Canvas: drawnAt(d, w, h, resolution())}, nil
	case "tif", "tiff":
		return vgimg.TiffCanvas{Canvas: drawnAt(d, w, h, resolution())}, nil
	}
	c, err := draw.NewFormattedCanvas(w, h, format)
	if err != nil {
		return nil, fmt.Errorf("plotting: format is %q, must be eps, jpg, pdf, png, svg, tex or tiff", format)
	}
	if format == "tex" {
		d.Draw(themed(c, theme()))
		return c, nil
	}
	d.Draw(printed(c, format, theme()))
	return undated{c, format}, nil
}

func save(d drawing, file string) (err error) {
	c, err := writerTo(d, 0, 0, strings.TrimPrefix(filepath.Ext(file), "."))
	if err != nil {
		return err
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() {
		if e := out.Close(); err == nil {
			err = e
		}
	}()
	_, err = c.WriteTo(out)
	return err
}
