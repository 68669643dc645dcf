package plotting

import (
	"encoding/base64"
	"fmt"
	"html"
	"strings"
)

// Slides are figures of which a slider chooses one. The figures are drawn beforehand, so the slider moves in a saved page
// too, where no program runs.
type Slides struct {
	name   string
	labels []string
	frames []*Figure
}

// Slider puts figures under a slider. The name says what the slider changes, the labels what it is for each figure. Axes and
// legends are made alike as [Animate] does. It panics unless there is one label for each figure, and a figure.
func Slider(name string, labels []string, frames []*Figure) *Slides {
	if len(frames) == 0 || len(labels) != len(frames) {
		panic(fmt.Sprintf("plotting: Slider has %d labels for %d figures", len(labels), len(frames)))
	}
	return &Slides{name, labels, alike(frames)}
}

// The slider shows the image of its number, and of the labels after it the one of its number.
const slide = `const b=this.closest('div').parentNode;` +
	`for(const k of b.querySelectorAll('[data-slide]'))k.style.display=k.dataset.slide==this.value?'':'none'`

// MIMEBundle returns the slider as HTML, with the first figure as PNG.
func (s *Slides) MIMEBundle() map[string]any {
	var b strings.Builder
	fmt.Fprintf(&b, `<div><div style="display:flex;align-items:center;gap:.75em;font-size:13px"><label style="display:flex;align-items:center;gap:.75em">%s `+
		`<input type="range" min="0" max="%d" value="0" style="width:18em" oninput="%s"></label>`,
		html.EscapeString(plainMath(s.name)), len(s.frames)-1, slide)
	for i, l := range s.labels {
		fmt.Fprintf(&b, `<span data-slide="%d"%s>%s</span>`, i, hidden(i), html.EscapeString(plainMath(l)))
	}
	b.WriteString("</div>")
	var first []byte
	for i, f := range s.frames {
		raster := pngOf(f)
		if i == 0 {
			first = raster
		}
		mime, raw := "image/png", raster
		if v := svgOf(f); len(v) < len(raster) {
			mime, raw = "image/svg+xml", []byte(v)
		}
		w, h := f.extent()
		fmt.Fprintf(&b, `<img data-slide="%d"%s%s width="%d" height="%d" alt="%s" src="data:%s;base64,%s">`,
			i, hidden(i), themeClass(), pixels(w), pixels(h), html.EscapeString(s.frame(i)), mime, base64.StdEncoding.EncodeToString(raw))
	}
	b.WriteString("</div>" + themeStyle())
	return map[string]any{"text/html": b.String(), "image/png": first,
		"text/plain": fmt.Sprintf("Slider: %s, %d figures from %s to %s\n%s", inWords(s.name), len(s.frames), inWords(s.labels[0]), inWords(s.labels[len(s.labels)-1]),
			s.frame(0))}
}

// frame describes a figure with the place of the slider at which it is shown.
func (s *Slides) frame(i int) string {
	f := s.frames[i]
	return fmt.Sprintf("%s, %s %s: %s", caption(f), inWords(s.name), inWords(s.labels[i]), f.Description())
}

func hidden(i int) string {
	if i == 0 {
		return ""
	}
	return ` style="display:none"`
}

// MIMEMetadata returns the size at which the first figure is shown where the slider is not, and its alternative text.
func (s *Slides) MIMEMetadata() map[string]any { return s.frames[0].MIMEMetadata() }
