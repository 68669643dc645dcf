package rl

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"math"
	"math/rand/v2"
)

// A Scene is a picture of shapes in the plane, the first at the back.
type Scene struct {
	XMin, XMax, YMin, YMax float64
	Shapes                 []Shape
}

// A Shape is a line from (X1, Y1) to (X2, Y2) with round ends; of length 0 it is a
// disc. A Box is the rectangle with these corners instead, and Width is the radius
// of its corners.
type Shape struct {
	X1, Y1, X2, Y2, Width float64
	Box                   bool
	Color                 color.NRGBA
}

// Colours of scenes, of a palette that everybody can tell apart.
var (
	inkColor    = color.NRGBA{0x33, 0x33, 0x33, 0xFF}
	groundColor = color.NRGBA{0xBB, 0xBB, 0xBB, 0xFF}
	bodyColor   = color.NRGBA{0x00, 0x72, 0xB2, 0xFF}
	limbColor   = color.NRGBA{0xE6, 0x9F, 0x00, 0xFF}
	goalColor   = color.NRGBA{0x00, 0x9E, 0x73, 0xFF}
	dangerColor = color.NRGBA{0xD5, 0x5E, 0x00, 0xFF}
	iceColor    = color.NRGBA{0xDD, 0xEC, 0xF6, 0xFF}
)

func line(x1, y1, x2, y2, width float64, c color.NRGBA) Shape {
	return Shape{X1: x1, Y1: y1, X2: x2, Y2: y2, Width: width, Color: c}
}

func disc(x, y, diameter float64, c color.NRGBA) Shape { return line(x, y, x, y, diameter, c) }

func box(x1, y1, x2, y2 float64, c color.NRGBA) Shape {
	return Shape{X1: x1, Y1: y1, X2: x2, Y2: y2, Box: true, Color: c}
}

// distance returns how far (x, y) is outside of the shape, negative inside.
func (s *Shape) distance(x, y float64) float64 {
	if s.Box {
		dx := math.Abs(x-(s.X1+s.X2)/2) - math.Abs(s.X2-s.X1)/2
		dy := math.Abs(y-(s.Y1+s.Y2)/2) - math.Abs(s.Y2-s.Y1)/2
		return max(dx, dy)
	}
	dx, dy := s.X2-s.X1, s.Y2-s.Y1
	along := 0.0
	if l := dx*dx + dy*dy; l > 0 {
		along = min(max(((x-s.X1)*dx+(y-s.Y1)*dy)/l, 0), 1)
	}
	ex, ey := x-s.X1-along*dx, y-s.Y1-along*dy
	return math.Sqrt(ex*ex+ey*ey) - s.Width/2
}

// Image draws the scene on white, with soft edges. Both axes have one scale; the
// scene is in the middle. It panics when there are no pixels.
func (s Scene) Image(width, height int) image.Image {
	if width < 1 || height < 1 {
		panic(fmt.Sprintf("rl: the picture is %d x %d, must have pixels", width, height))
	}
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range img.Pix {
		img.Pix[i] = 0xFF
	}
	scale := min(float64(width)/(s.XMax-s.XMin), float64(height)/(s.YMax-s.YMin))
	left := (s.XMin+s.XMax)/2 - float64(width)/2/scale
	top := (s.YMin+s.YMax)/2 + float64(height)/2/scale
	for i := range s.Shapes {
		shape := &s.Shapes[i]
		reach := shape.Width/2 + 1/scale
		x1 := pixel((min(shape.X1, shape.X2)-reach-left)*scale, width)
		x2 := pixel((max(shape.X1, shape.X2)+reach-left)*scale+1, width)
		y1 := pixel((top-max(shape.Y1, shape.Y2)-reach)*scale, height)
		y2 := pixel((top-min(shape.Y1, shape.Y2)+reach)*scale+1, height)
		for py := y1; py < y2; py++ {
			for px := x1; px < x2; px++ {
				cover := 0.5 - scale*shape.distance(left+(float64(px)+0.5)/scale, top-(float64(py)+0.5)/scale)
				blend(img.Pix[img.PixOffset(px, py):], shape.Color, min(max(cover, 0), 1))
			}
		}
	}
	return img
}

// pixel brings a coordinate into [0, n].
func pixel(v float64, n int) int { return int(min(max(v, 0), float64(n))) }

// blend lays c over the pixel where it covers it.
func blend(pixel []uint8, c color.NRGBA, cover float64) {
	a := cover * float64(c.A) / 255
	for i, v := range [3]uint8{c.R, c.G, c.B} {
		pixel[i] = uint8(float64(pixel[i])*(1-a) + float64(v)*a + 0.5)
	}
}

// A Film is an animation; a notebook shows it as a GIF.
type Film struct {
	Frames []image.Image
	// FPS is the number of frames a second; a GIF keeps time in hundredths of
	// a second.
	FPS float64
}

// Record plays one episode under a policy, at most steps long, and draws every
// state: width x height pixels, of which a hundred thousand take about a millisecond.
func Record(ctx context.Context, env *Env, act func(observation []float64) []float64, steps, width, height int, fps float64) (*Film, error) {
	if env == nil || act == nil {
		return nil, fmt.Errorf("rl: environment or actions are nil")
	}
	f := &Film{FPS: fps}
	seen := env.Reset()
	f.Frames = append(f.Frames, env.Render(width, height))
	for range steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		next, _, terminated, truncated := env.Step(act(seen)...)
		f.Frames = append(f.Frames, env.Render(width, height))
		if terminated || truncated {
			break
		}
		seen = next
	}
	return f, nil
}

// Animate plays an episode by the mean or likeliest actions of an actor and draws it,
// 240 x 180 pixels and 25 frames a second, 500 steps at most. Seed chooses the start. An
// observation or action that is none panics, as in [Env.Step] and [Policy.Act].
func Animate(ctx context.Context, system System, actor Actor, seed uint64) (*Film, error) {
	rng := rand.New(rand.NewPCG(seed, 0))
	if err := checkGiven(system, rng); err != nil {
		return nil, err
	}
	if actor == nil {
		return nil, fmt.Errorf("rl: actor is nil")
	}
	return Record(ctx, NewEnv(system, rng), actor.Mode, 500, 240, 180, 25)
}

// String is the length of the film, where nothing can be shown.
func (f *Film) String() string { return fmt.Sprintf("film of %d frames", len(f.Frames)) }

// GIF returns the film as an animated GIF that runs for ever.
func (f *Film) GIF() ([]byte, error) {
	if len(f.Frames) == 0 {
		return nil, fmt.Errorf("rl: the film has no frames, must have at least 1")
	}
	if !(f.FPS > 0) || math.IsInf(f.FPS, 1) {
		return nil, fmt.Errorf("rl: fps is %v, must be positive", f.FPS)
	}
	out := &gif.GIF{}
	for i, frame := range f.Frames {
		out.Image = append(out.Image, reduce(frame))
		due := func(i int) int { return int(100*float64(i)/f.FPS + 0.5) }
		out.Delay = append(out.Delay, due(i+1)-due(i))
	}
	var buf bytes.Buffer
	err := gif.EncodeAll(&buf, out)
	return buf.Bytes(), err
}

// reduce gives a frame a palette of its colours with four bits a channel, of which
// scenes have few; beyond 256 the last stands for the rest.
func reduce(frame image.Image) *image.Paletted {
	b := frame.Bounds()
	out := image.NewPaletted(image.Rect(0, 0, b.Dx(), b.Dy()), nil)
	index := map[[3]uint8]uint8{}
	for y := range b.Dy() {
		for x := range b.Dx() {
			r, g, bl, _ := frame.At(b.Min.X+x, b.Min.Y+y).RGBA()
			key := [3]uint8{uint8(r >> 12), uint8(g >> 12), uint8(bl >> 12)}
			i, ok := index[key]
			if !ok {
				if len(out.Palette) < 256 {
					out.Palette = append(out.Palette, color.RGBA{key[0] * 17, key[1] * 17, key[2] * 17, 255})
				}
				i = uint8(len(out.Palette) - 1)
				index[key] = i
			}
			out.Pix[y*out.Stride+x] = i
		}
	}
	return out
}
