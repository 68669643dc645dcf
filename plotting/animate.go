package plotting

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	stdraw "image/draw"
	"image/gif"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot/vg/draw"
)

// Animation is figures shown one after the other, again and again. As the value of a cell it shows itself as an animated
// PNG, which keeps all colours and which every browser and the notebook's own viewers play.
type Animation struct {
	frames []*Figure
	fps    float64
}

// Animate shows figures at so many a second. Ends of axes that no figure fixes are the same in all frames: those that hold
// the data of all; and the legend keeps its place. It panics without frames or with a rate outside (0, 100].
func Animate(frames []*Figure, fps float64) *Animation {
	if len(frames) == 0 {
		panic("plotting: Animate has 0 frames, must have at least 1")
	}
	if !(fps > 0 && fps <= 100) {
		panic(fmt.Sprintf("plotting: frames a second are %g, must be in (0, 100]", fps))
	}
	return &Animation{alike(frames), fps}
}

// alike returns copies of figures that have the same axes, size and place of the legend.
func alike(frames []*Figure) []*Figure {
	var ends [4]float64
	position, width, height := Position(-1), frames[0].width, frames[0].height
	for i, f := range frames {
		q := f.settle()
		if i == 0 {
			ends = [4]float64{q.X.Min, q.X.Max, q.Y.Min, q.Y.Max}
		}
		ends = [4]float64{min(ends[0], q.X.Min), max(ends[1], q.X.Max), min(ends[2], q.Y.Min), max(ends[3], q.Y.Max)}
	}
	out := make([]*Figure, len(frames))
	for i, f := range frames {
		c := *f
		p := *f.Plot
		c.Plot = &p
		c.width, c.height = width, height
		for k, e := range c.ends() {
			if !f.ranges[k].fixed {
				*e = ends[k]
				c.ranges[k] = limit{ends[k], true}
			}
		}
		out[i] = &c
		if len(c.entries) > 0 {
			w, h := c.extent()
			at := c.fit(draw.New(clearCanvas(w, h, 36))).legend.position
			if position >= 0 && at != position {
				at = Outside
			}
			position = at
		}
	}
	for _, c := range out {
		if position >= 0 {
			c.position = position
		}
	}
	return out
}

// images draws all frames.
func (a *Animation) images() []*image.RGBA {
	defaults.Lock()
	scale := defaults.scale
	defaults.Unlock()
	out := make([]*image.RGBA, len(a.frames))
	for i, f := range a.frames {
		img := rasterise(f, scale)
		flat := image.NewRGBA(img.Bounds())
		stdraw.Draw(flat, flat.Rect, image.White, image.Point{}, stdraw.Src)
		stdraw.Draw(flat, flat.Rect, img, img.Bounds().Min, stdraw.Over)
		out[i] = flat
	}
	return out
}

// changed returns the rectangle outside of which two images are equal; it holds at least one pixel.
func changed(a, b *image.RGBA) image.Rectangle {
	r := image.Rectangle{Min: b.Rect.Max, Max: b.Rect.Min}
	for y := b.Rect.Min.Y; y < b.Rect.Max.Y; y++ {
		i := b.PixOffset(b.Rect.Min.X, y)
		row, old := b.Pix[i:i+4*b.Rect.Dx()], a.Pix[i:i+4*b.Rect.Dx()]
		if bytes.Equal(row, old) {
			continue
		}
		r.Min.Y, r.Max.Y = min(r.Min.Y, y), y+1
		for x := 0; x < b.Rect.Dx(); x++ {
			if !bytes.Equal(row[4*x:4*x+4], old[4*x:4*x+4]) {
				r.Min.X, r.Max.X = min(r.Min.X, x), max(r.Max.X, x+1)
			}
		}
	}
	if r.Empty() {
		return image.Rect(0, 0, 1, 1)
	}
	return r
}

// WritePNG writes the animation as an animated PNG. Viewers that do not know the form show its first frame.
func (a *Animation) WritePNG(w io.Writer) error {
	frames := a.images()
	out := newAPNG(len(frames), a.fps)
	for i, img := range frames {
		part := img
		if i > 0 {
			part = img.SubImage(changed(frames[i-1], img)).(*image.RGBA)
		}
		if err := out.add(part); err != nil {
			return err
		}
	}
	_, err := w.Write(out.bytes())
	return err
}

// WriteGIF writes the animation as a GIF of at most 255 colours, for where an animated PNG does not play.
func (a *Animation) WriteGIF(w io.Writer) error {
	frames := a.images()
	palette := quantise(frames, 255)
	index := newIndexer(palette)
	g := &gif.GIF{}
	delay := max(2, int(math.Round(100/a.fps)))
	for i, img := range frames {
		r := img.Rect
		if i > 0 {
			r = changed(frames[i-1], img)
		}
		p := image.NewPaletted(r, palette)
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				p.SetColorIndex(x, y, index.of(img.RGBAAt(x, y)))
			}
		}
		g.Image = append(g.Image, p)
		g.Delay = append(g.Delay, delay)
		g.Disposal = append(g.Disposal, gif.DisposalNone)
	}
	g.Config = image.Config{ColorModel: color.Palette(palette), Width: frames[0].Rect.Dx(), Height: frames[0].Rect.Dy()}
	return gif.EncodeAll(w, g)
}

// Save writes the animation to a file whose name ends in .png, .apng or .gif.
func (a *Animation) Save(file string) error {
	var b bytes.Buffer
	var err error
	switch ext := strings.ToLower(filepath.Ext(file)); ext {
	case ".png", ".apng":
		err = a.WritePNG(&b)
	case ".gif":
		err = a.WriteGIF(&b)
	default:
		return fmt.Errorf("plotting: format of an animation is %q, must be .png, .apng or .gif", ext)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o666)
}

// MIMEBundle returns the animation as an animated PNG.
func (a *Animation) MIMEBundle() map[string]any {
	text := fmt.Sprintf("Animation: %d frames, %g a second\n%s", len(a.frames), a.fps, a.Description())
	var b bytes.Buffer
	if err := a.WritePNG(&b); err != nil {
		return map[string]any{"text/plain": text + ": " + err.Error()}
	}
	return map[string]any{"image/png": b.Bytes(), "text/plain": text}
}

// Description says what the first and the last frame show, as [Figure.Description] does.
func (a *Animation) Description() string {
	last := len(a.frames) - 1
	if last == 0 {
		return a.frames[0].Description()
	}
	return fmt.Sprintf("The first of %d frames: %s The last: %s", len(a.frames), a.frames[0].Description(), a.frames[last].Description())
}

// MIMEMetadata returns the size at which the animation is shown, and its alternative text.
func (a *Animation) MIMEMetadata() map[string]any {
	metadata := a.frames[0].MIMEMetadata()
	metadata["image/png"].(map[string]any)["alt"] = a.Description()
	return metadata
}
