package plotting

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansitalic"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
)

// How far the SVG that a browser draws may be from the PNG: both are cut into squares of 4 by 4 pixels of the page, and in
// none may the mean of a channel differ by more than this part of 255. Renderers differ in how they smooth edges and place
// letters; a line, a label or a picture that is elsewhere differs by far more.
const (
	browserScale     = 2
	browserBlock     = 4 * browserScale
	browserTolerance = 40
)

// A notebook shows the SVG, files and the gallery the PNG: they are the same picture, as a browser draws them.
func TestSVGInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	testInBrowser(t, svgOf)
}

// Where the page is dark, figures of the theme Auto are those of the theme Dark.
func TestAutoInBrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	SetTheme(Dark)
	defer SetTheme(Light)
	testInBrowser(t, func(d drawing) string {
		SetTheme(Auto)
		defer SetTheme(Dark)
		return strings.Replace(svgOf(d), "@media (prefers-color-scheme:dark)", "@media all", 1)
	})
}

// testInBrowser compares the SVG of every kind of figure, as a browser draws it, with the PNG.
func testInBrowser(t *testing.T, svg func(drawing) string) {
	chromium := findChromium(t)
	names, figures := figureKinds()
	const columns = 5
	var page strings.Builder
	page.WriteString("<!DOCTYPE html><meta charset=utf-8><style>body{margin:0;background:white}body>div{position:absolute}")
	for _, f := range []struct {
		data  []byte
		style string
	}{{liberationsansregular.TTF, ""}, {liberationsansitalic.TTF, "font-style:italic"}, {liberationsansbold.TTF, "font-weight:bold"}} {
		fmt.Fprintf(&page, "@font-face{font-family:'Liberation Sans';src:url(data:font/ttf;base64,%s);%s}", base64.StdEncoding.EncodeToString(f.data), f.style)
	}
	page.WriteString("</style>")
	at := make([]image.Point, len(figures))
	var width, height, rowHeight, x, y int
	for i, f := range figures {
		if i%columns == 0 {
			x, y, rowHeight = 0, y+rowHeight, 0
		}
		w, h := f.extent()
		at[i] = image.Pt(x, y)
		// A style in a shadow tree reaches nothing outside.
		fmt.Fprintf(&page, "<div style='left:%dpx;top:%dpx'><template shadowrootmode=open><style>svg{display:block}</style>%s</template></div>", x, y, svg(f))
		x += pixels(w) + 4
		rowHeight = max(rowHeight, pixels(h)+4)
		width, height = max(width, x), max(height, y+rowHeight)
	}
	shot := screenshot(t, chromium, page.String(), width, height)
	for i, f := range figures {
		t.Run(names[i], func(t *testing.T) {
			want := onWhite(rasterise(f, browserScale))
			got := image.NewRGBA(want.Rect)
			draw.Draw(got, got.Rect, shot, at[i].Mul(browserScale), draw.Src)
			if worst, where := differ(got, want); worst > browserTolerance {
				dir := t.ArtifactDir()
				writePNG(t, filepath.Join(dir, "browser.png"), got)
				writePNG(t, filepath.Join(dir, "png.png"), want)
				t.Errorf("at pixel %v the SVG differs from the PNG by %.0f of 255, at most %d is allowed; run with -artifacts to keep both in %s",
					where.Div(browserScale), worst, browserTolerance, dir)
			}
		})
	}
}

// A browser that has none of the figures' fonts takes another: the words of a label still end where they should, and what
// follows them does not overlap.
func TestSVGTextsInAnotherFont(t *testing.T) {
	chromium := findChromium(t)
	f := New("", "the number of all points $N$ of a rule", "").Size(300, 120)
	w, h := f.extent()
	svg := strings.ReplaceAll(svgOf(f), "'Liberation Sans',Arial,Helvetica,sans-serif", "monospace")
	shot := screenshot(t, chromium, "<!DOCTYPE html><meta charset=utf-8><style>body{margin:0;background:white}svg{display:block}</style>"+svg, pixels(w), pixels(h))
	label := image.Rect(0, pixels(h)-20, pixels(w), pixels(h)) // the lowest line of the figure
	got, want := inkColumns(shot, label), inkColumns(onWhite(rasterise(f, browserScale)), label)
	for i, v := range want {
		if d := got[i] - v; d < -4*browserScale || d > 4*browserScale {
			t.Errorf("the label's ink is from %d to %d, want %d to %d", got[0], got[1], want[0], want[1])
		}
	}
	if want[1]-want[0] < 200*browserScale {
		t.Errorf("the label is %d pixels wide: the test looks at something else", want[1]-want[0])
	}
}

// inkColumns returns the first and the last column of an image that has dark pixels in a rectangle of the page.
func inkColumns(img image.Image, page image.Rectangle) [2]int {
	out := [2]int{-1, -1}
	r := image.Rectangle{page.Min.Mul(browserScale), page.Max.Mul(browserScale)}
	for x := r.Min.X; x < r.Max.X; x++ {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			if v, _, _, _ := img.At(x, y).RGBA(); v < 0x8000 {
				if out[0] < 0 {
					out[0] = x
				}
				out[1] = x
			}
		}
	}
	return out
}

// findChromium returns the browser, without which the test is left out, except where CI is set to true.
func findChromium(t *testing.T) string {
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path
		}
	}
	if os.Getenv("CI") == "true" {
		t.Fatal("no Chromium: install it or set CHROMIUM to its path")
	}
	t.Skip("no Chromium: install it or set CHROMIUM to its path")
	return ""
}

// screenshot returns what a browser shows of a page of some size.
func screenshot(t *testing.T, chromium, page string, width, height int) image.Image {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "page.html"), filepath.Join(dir, "page.png")
	if err := os.WriteFile(in, []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
		"--user-data-dir="+filepath.Join(dir, "profile"), fmt.Sprintf("--force-device-scale-factor=%d", browserScale),
		fmt.Sprintf("--window-size=%d,%d", width, height), "--screenshot="+out, "file://"+in)
	if log, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("waited for %s to draw %d by %d pixels: %v\n%s", chromium, width, height, err, log)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if s := img.Bounds().Size(); s != image.Pt(width, height).Mul(browserScale) {
		t.Fatalf("the screenshot is %v, want %d by %d times %d", s, width, height, browserScale)
	}
	return img
}

func onWhite(img image.Image) *image.RGBA {
	out := image.NewRGBA(image.Rectangle{Max: img.Bounds().Size()})
	draw.Draw(out, out.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(out, out.Rect, img, img.Bounds().Min, draw.Over)
	return out
}

// differ returns the largest difference of the mean of a channel in a block of two images, and the block.
func differ(a, b *image.RGBA) (worst float64, where image.Point) {
	for y := 0; y+browserBlock <= a.Rect.Dy(); y += browserBlock {
		for x := 0; x+browserBlock <= a.Rect.Dx(); x += browserBlock {
			for channel := range 3 {
				sum := 0
				for j := range browserBlock {
					for i := range browserBlock {
						at := a.PixOffset(x+i, y+j) + channel
						sum += int(a.Pix[at]) - int(b.Pix[at])
					}
				}
				if d := float64(max(sum, -sum)) / (browserBlock * browserBlock); d > worst {
					worst, where = d, image.Pt(x, y)
				}
			}
		}
	}
	return worst, where
}

func writePNG(t *testing.T, name string, img image.Image) {
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}
