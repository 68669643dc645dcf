package plotting

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	stdraw "image/draw"
	"image/gif"
	"image/png"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func waves(n int) []*Figure {
	var frames []*Figure
	for i := range n {
		frames = append(frames, New(fmt.Sprintf("frame %d", i), "x", "y").Size(120, 80).
			Func("", func(x float64) float64 { return float64(i+1) * math.Sin(x+float64(i)) }, 0, 6))
	}
	return frames
}

// Played as the PNG specification says, an animation gives the frames that were drawn.
func TestAnimatedPNG(t *testing.T) {
	a := Animate(waves(4), 8)
	var b bytes.Buffer
	if err := a.WritePNG(&b); err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(bytes.NewReader(b.Bytes())); err != nil {
		t.Fatalf("not a PNG for those who know no animation: %v", err)
	}
	frames, delays := play(t, b.Bytes())
	want := a.images()
	if len(frames) != 4 || delays[0] != .125 {
		t.Fatalf("%d frames, %v seconds each", len(frames), delays)
	}
	for i := range want {
		if !bytes.Equal(frames[i].Pix, want[i].Pix) {
			t.Errorf("frame %d is not the one that was drawn", i)
		}
	}
}

// play decodes an animated PNG whose frames replace parts of the one before.
func play(t *testing.T, file []byte) (frames []*image.RGBA, delays []float64) {
	t.Helper()
	var header []byte
	var canvas *image.RGBA
	var part image.Rectangle
	seq := uint32(0)
	for rest := file[8:]; len(rest) > 0; {
		n := binary.BigEndian.Uint32(rest)
		kind, data := string(rest[4:8]), rest[8:8+n]
		if crc32.ChecksumIEEE(rest[4:8+n]) != binary.BigEndian.Uint32(rest[8+n:]) {
			t.Fatalf("chunk %s has a wrong checksum", kind)
		}
		rest = rest[12+n:]
		u := func(i int) int { return int(binary.BigEndian.Uint32(data[i:])) }
		switch kind {
		case "IHDR":
			header = data
			canvas = image.NewRGBA(image.Rect(0, 0, u(0), u(4)))
		case "fcTL", "fdAT":
			if uint32(u(0)) != seq {
				t.Fatalf("sequence number %d, want %d", u(0), seq)
			}
			seq++
		}
		switch kind {
		case "fcTL":
			part = image.Rect(u(12), u(16), u(12)+u(4), u(16)+u(8))
			delays = append(delays, float64(binary.BigEndian.Uint16(data[20:]))/float64(binary.BigEndian.Uint16(data[22:])))
		case "IDAT", "fdAT":
			if kind == "fdAT" {
				data = data[4:]
			}
			h := bytes.Clone(header)
			binary.BigEndian.PutUint32(h, uint32(part.Dx()))
			binary.BigEndian.PutUint32(h[4:], uint32(part.Dy()))
			one := &apng{}
			one.out.Write(pngSignature)
			one.chunk("IHDR", h)
			one.chunk("IDAT", data)
			img, err := png.Decode(bytes.NewReader(one.bytes()))
			if err != nil {
				t.Fatal(err)
			}
			stdraw.Draw(canvas, part, img, image.Point{}, stdraw.Src)
			frame := image.NewRGBA(canvas.Rect)
			copy(frame.Pix, canvas.Pix)
			frames = append(frames, frame)
		}
	}
	return frames, delays
}

func TestGIF(t *testing.T) {
	a := Animate(waves(3), 10)
	var b bytes.Buffer
	if err := a.WriteGIF(&b); err != nil {
		t.Fatal(err)
	}
	g, err := gif.DecodeAll(&b)
	if err != nil || len(g.Image) != 3 || g.Delay[0] != 10 {
		t.Fatalf("%v, %d frames", err, len(g.Image))
	}
	canvas := image.NewRGBA(g.Image[0].Rect)
	for i, want := range a.images() {
		stdraw.Draw(canvas, g.Image[i].Rect, g.Image[i], g.Image[i].Rect.Min, stdraw.Over)
		sum := 0.0
		for k := range want.Pix {
			sum += math.Abs(float64(want.Pix[k]) - float64(canvas.Pix[k]))
		}
		if mean := sum / float64(len(want.Pix)); mean > 1 {
			t.Errorf("frame %d is off by %.2f of 255 on average", i, mean)
		}
	}
	dir := t.TempDir()
	if err := a.Save(filepath.Join(dir, "a.gif")); err != nil {
		t.Error(err)
	}
	if err := a.Save(filepath.Join(dir, "a.mp4")); err == nil {
		t.Error("no error for a format that is not known")
	}
}

func TestQuantiseKeepsFewColours(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 4, 1))
	want := []color.RGBA{{0, 0, 0, 255}, {255, 255, 255, 255}, {200, 10, 10, 255}, {255, 255, 255, 255}}
	for x, c := range want {
		img.SetRGBA(x, 0, c)
	}
	p := quantise([]*image.RGBA{img}, 255)
	if len(p) != 3 {
		t.Fatalf("%d colours", len(p))
	}
	for _, c := range want {
		if p.Convert(c) != color.Color(c) {
			t.Errorf("%v became %v", c, p.Convert(c))
		}
	}
}

func TestFramesAreAlike(t *testing.T) {
	frames := alike([]*Figure{
		New("", "", "").XRange(0, 1).Line("a", []float64{0, 1}, []float64{0, 1}).Line("b", nil, []float64{0, 1}),
		New("", "", "").XRange(0, 1).Line("a", []float64{0, 1}, []float64{1, 5}).Line("b", nil, []float64{0, 1}),
	})
	if a, b := ranges(frames[0]), ranges(frames[1]); a != b || a[0] != 0 || a[1] != 1 || a[2] > 0 || a[3] < 5 {
		t.Errorf("ranges %v and %v", a, b)
	}
	if frames[0].position != frames[1].position || frames[0].position == Best {
		t.Errorf("legends at %d and %d", frames[0].position, frames[1].position)
	}
	for _, f := range []func(){func() { Animate(nil, 5) }, func() { Animate(waves(1), 0) }, func() { Slider("", []string{"a"}, nil) }} {
		func() {
			defer func() {
				if s, ok := recover().(string); !ok || !strings.HasPrefix(s, "plotting: ") {
					t.Errorf("panic %v", s)
				}
			}()
			f()
		}()
	}
}

func TestSlider(t *testing.T) {
	b := Slider("bandwidth $\\sigma^2$", []string{"1", "<2>"}, waves(2)).MIMEBundle()
	h := b["text/html"].(string)
	for _, s := range []string{"bandwidth σ²", `max="1"`, "&lt;2&gt;"} {
		if !strings.Contains(h, s) {
			t.Errorf("the slider lacks %q", s)
		}
	}
	images := regexp.MustCompile(`data:image/(svg\+xml|png);base64,([^"]+)`).FindAllStringSubmatch(h, -1)
	if len(images) != 2 {
		t.Fatalf("%d images", len(images))
	}
	for i, m := range images {
		raw, err := base64.StdEncoding.DecodeString(m[2])
		if err != nil || m[1] == "svg+xml" && !bytes.Contains(raw, fmt.Appendf(nil, "frame %d", i)) {
			t.Errorf("image %d: %v", i, err)
		}
	}
	if w, _ := pixelsOf(b); w != 320 {
		t.Errorf("PNG is %d wide", w)
	}
}

// find returns all values of a key in a JSON value.
func find(v any, key string) (out []any) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if k == key {
				out = append(out, e)
			}
			out = append(out, find(e, key)...)
		}
	case []any:
		for _, e := range v {
			out = append(out, find(e, key)...)
		}
	}
	return out
}

func TestVegaLite(t *testing.T) {
	n := []float64{0, 1, 10, 100}
	f := New("Rates, $\\sigma^2 = 1$", "points $N$", "MMD").Size(200, 140).LogLog().
		Band("MC", n, []float64{1, .5, .2, .1}, []float64{2, 1, .5, math.Inf(1)}).
		Line("MC", n, []float64{1, .7, .3, math.NaN()}).
		Points("", n, []float64{1, 1, 1, 1}).
		Slope(-.5, "$N^{-1/2}$").HLine(.2, "floor").Text(1, 1, "here")
	b := f.Interactive().MIMEBundle()
	if b["image/png"] == nil || b["image/svg+xml"] != nil {
		t.Error("a PNG goes with Vega-Lite, and no SVG")
	}
	raw, err := json.Marshal(b["application/vnd.vegalite.v5+json"])
	if err != nil {
		t.Fatal(err)
	}
	var spec map[string]any
	if err := json.Unmarshal(raw, &spec); err != nil {
		t.Fatal(err)
	}
	var marks []string
	for _, l := range spec["layer"].([]any) {
		m := l.(map[string]any)
		marks = append(marks, fmt.Sprintf("%v %d", m["mark"].(map[string]any)["type"], len(m["data"].(map[string]any)["values"].([]any))))
	}
	// Points at 0, NaN and infinity have no place on logarithmic axes.
	if want := []string{"area 2", "line 2", "point 2", "point 3", "line 2", "text 1", "rule 1", "text 1"}; !reflect.DeepEqual(marks, want) {
		t.Errorf("layers %v\nwant %v", marks, want)
	}
	if !slices.Contains(find(spec, "type"), any("log")) {
		t.Error("no logarithmic scale")
	}
	if p := find(spec, "params"); len(p) != 1 || len(p[0].([]any)) != 2 {
		t.Errorf("parameters %v", p)
	}
	if got := spec["title"].(map[string]any)["text"]; got != "Rates, σ² = 1" {
		t.Errorf("title %v", got)
	}
	if again, _ := json.Marshal(f.Interactive().Spec()); !bytes.Equal(raw, again) {
		t.Error("one figure, two specifications")
	}
	for _, f := range []*Figure{
		New("", "", ""),
		New("", "", "").Bars("a", []string{"x", "\"y\""}, []float64{1, 2}).Bars("b", []string{"x", "\"y\""}, []float64{1, 2}),
		New("", "", "").Density(func(x, y float64) float64 { return x / y }, -1, 1, -1, 1, 3, nil),
		New("", "", "").Histogram("a", n, 2, true).LogY(),
	} {
		if _, err := json.Marshal(f.Interactive().Spec()); err != nil {
			t.Error(err)
		}
	}
	long := make([]float64, 20_000)
	if raw, _ := json.Marshal(New("", "", "").Line("a", nil, long).Interactive().Spec()); len(raw) > 700_000 {
		t.Errorf("a long series takes %d bytes", len(raw))
	}
}

func TestVegaLitePage(t *testing.T) {
	p := Panels(2, New("a", "", "").Line("s", nil, []float64{1, 2}), nil, New("b", "", "").Points("s", nil, []float64{1, 2})).Titled("both").Size(200, 100)
	b := p.Interactive().MIMEBundle()
	raw, err := json.Marshal(b["application/vnd.vegalite.v5+json"])
	if err != nil || b["image/png"] == nil {
		t.Fatal(err, b)
	}
	var spec map[string]any
	if err := json.Unmarshal(raw, &spec); err != nil {
		t.Fatal(err)
	}
	if len(spec["concat"].([]any)) != 2 || spec["columns"] != 2.0 {
		t.Errorf("%v", spec)
	}
	seen := map[any]bool{}
	for _, params := range find(spec, "params") {
		for _, p := range params.([]any) {
			name := p.(map[string]any)["name"]
			if seen[name] {
				t.Errorf("two parameters are called %v", name)
			}
			seen[name] = true
		}
	}
	if len(seen) != 4 {
		t.Errorf("parameters %v", seen)
	}
}

func TestPlainMath(t *testing.T) {
	for in, want := range map[string]string{
		"$N^{-1/2}$": "N^(−1/2)", "$x_{12}$": "x₁₂", "$x^n$": "xⁿ", `$\hat p$`: "p\u0302", "$10^{-3}$": "10⁻³", "10^{-3}": "10^{-3}", "plain": "plain", "$x^q$": "x^q",
	} {
		if got := plainMath(in); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// TestInteractiveKeeps: what one looks for in a figure of many points, a spike and an outlier, is among those that are shown, and
// the figure says how many are.
func TestInteractiveKeeps(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	cloud := func(n int) (x, y []float64) {
		for range n {
			x, y = append(x, rng.NormFloat64()), append(y, rng.NormFloat64())
		}
		return x, y
	}
	spike := make([]float64, 20_000)
	for i := range spike {
		spike[i] = rng.NormFloat64()
	}
	spike[7777], spike[7] = 50, -50
	x, y := cloud(5000)
	y[7] = 50
	far, away := cloud(100_000)
	far[77_777], away[77_777] = 30, -30
	for name, c := range map[string]struct {
		f    *Figure
		want [][2]float64
		n    int
	}{
		"line":  {New("", "", "").Line("a", nil, spike), [][2]float64{{7777, 50}, {7, -50}, {19_999, spike[19_999]}}, 20_000},
		"cloud": {New("", "", "").Points("a", x, y), [][2]float64{{x[7], 50}}, 5000},
		"large": {New("", "", "").Points("a", far, away), [][2]float64{{30, -30}}, 100_000},
	} {
		spec := c.f.Interactive().Spec()
		values := spec["layer"].([]object)[0]["data"].(object)["values"].([]object)
		if len(values) > vegaLimit || len(values) < vegaLimit/2 {
			t.Errorf("%s: %d points are shown", name, len(values))
		}
		for _, w := range c.want {
			if !slices.ContainsFunc(values, func(v object) bool { return v["y"] == w[1] && (name == "line" || v["x"] == w[0]) }) {
				t.Errorf("%s: the point %v is lost", name, w)
			}
		}
		if got, want := spec["title"].(object)["subtitle"], fmt.Sprintf("%s of %s points shown", thousands(len(values)), thousands(c.n)); got != want {
			t.Errorf("%s: the figure says %q, want %q", name, got, want)
		}
	}
	few := New("", "", "").Line("a", nil, spike[:100]).Interactive().Spec()
	if few["title"] != nil {
		t.Errorf("all of 100 points are shown, and the figure says %v", few["title"])
	}
}

// TestInteractiveTimes: an axis of times is one of Vega's, which makes ticks at each zoom, by the clock of its place.
func TestInteractiveTimes(t *testing.T) {
	berlin := time.FixedZone("", 2*3600)
	start := time.Date(2024, 7, 1, 0, 30, 0, 0, berlin)
	f := New("", "", "").Line("a", Times([]time.Time{start, start.Add(time.Hour)}), []float64{1, 2}).TimeX(berlin)
	layer := f.Interactive().Spec()["layer"].([]object)[0]
	x := layer["encoding"].(object)["x"].(object)
	if x["type"] != "temporal" || x["scale"].(object)["type"] != "utc" || x["axis"].(object)["values"] != nil {
		t.Errorf("the axis is %v", x)
	}
	first := layer["data"].(object)["values"].([]object)[0]
	if want := float64(time.Date(2024, 7, 1, 0, 30, 0, 0, time.UTC).UnixMilli()); first["x"] != want || first["time"] != "2024-07-01 00:30:00" {
		t.Errorf("the first point is %v, want x %v", first, want)
	}
}
