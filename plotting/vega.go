package plotting

import (
	"cmp"
	"fmt"
	"image/color"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"gaucho/stdlib/display"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

// Interactive is a figure that answers the mouse: values under the pointer, zoom by the wheel and by dragging, series
// chosen in the legend. It is described in Vega-Lite, which JupyterLab draws without any extension; the same figure as PNG
// goes along for viewers that do not.
type Interactive struct {
	of      display.Bundle // the still form
	meta    map[string]any
	figures []*Figure
	columns int // 0 for a figure on its own
	title   string
	width   vg.Length // of one figure
	height  vg.Length
}

// Interactive returns the figure in a form that answers the mouse. What Figure's own methods have added is in it, except
// contours, boxes, violins, arrows and the axis at the right; of gonum/plot's plotters lines, functions, scatters, histograms, bars and error bars are, and others are in the
// PNG only. A plot made with gonum/plot alone is given so by Wrap(p).Interactive().
func (f *Figure) Interactive() *Interactive {
	w, h := f.extent()
	return &Interactive{of: f.MIMEBundle(), meta: f.MIMEMetadata(), figures: []*Figure{f}, width: w, height: h}
}

// Interactive returns the page in a form that answers the mouse, as [Figure.Interactive] does.
func (p *Page) Interactive() *Interactive {
	w, h := p.extent()
	return &Interactive{of: p.MIMEBundle(), meta: p.MIMEMetadata(), figures: p.figures, columns: p.columns, title: p.title,
		width: w / vg.Length(p.columns), height: h / vg.Length(max(p.rows(), 1))}
}

// MIMEBundle returns the figure as Vega-Lite and as PNG.
func (v *Interactive) MIMEBundle() map[string]any {
	data := maps.Clone(v.of)
	delete(data, "image/svg+xml") // a front end that likes it better would show it instead
	data["application/vnd.vegalite.v5+json"] = v.Spec()
	return data
}

// Description says what the figure shows, as [Figure.Description] does.
func (v *Interactive) Description() string {
	if v.columns == 0 {
		return v.figures[0].Description()
	}
	return (&Page{figures: v.figures}).Description()
}

// MIMEMetadata returns the size at which the PNG is shown, and the alternative text.
func (v *Interactive) MIMEMetadata() map[string]any { return v.meta }

// object is a JSON object.
type object = map[string]any

// Spec returns the Vega-Lite specification, of values that encoding/json can write.
func (v *Interactive) Spec() map[string]any {
	spec := object{}
	if v.columns == 0 {
		spec = v.view(v.figures[0], "")
	} else {
		var views []object
		for i, f := range v.figures {
			if f != nil {
				views = append(views, v.view(f, strconv.Itoa(i+1)))
			}
		}
		spec["concat"], spec["columns"] = views, v.columns
		spec["resolve"] = object{"scale": object{"color": "independent"}}
		if v.title != "" {
			spec["title"] = object{"text": plainMath(v.title), "anchor": "middle", "fontWeight": "normal", "fontSize": 16}
		}
	}
	spec["description"] = v.Description()
	spec["$schema"] = "https://vega.github.io/schema/vega-lite/v5.json"
	ink := func(c color.Color) string {
		if theme() == Dark {
			c = darkened(c)
		}
		return hex(c)
	}
	axis := object{"gridColor": ink(inkGrid), "domainColor": ink(inkAxis), "tickColor": ink(inkAxis),
		"titleFontWeight": "normal", "titleFontSize": 13, "labelFontSize": 12}
	// Figures have a ground of their own, since a front end's dark theme would change some of the colours and not the others.
	text := object{"fill": ink(inkText)}
	spec["config"] = object{"view": object{"stroke": nil}, "axis": axis, "legend": object{"labelFontSize": 12}, "background": ink(color.White),
		"title": object{"color": ink(inkText)}, "style": object{"guide-label": text, "guide-title": text}}
	return spec
}

// view returns the specification of one figure; the suffix makes the names of its parameters its own.
func (v *Interactive) view(f *Figure, suffix string) object {
	q := f.settle()
	s := &vegaSpec{f: f, x: vegaAxis(&q.X), y: vegaAxis(&q.Y), chosen: "series" + suffix}
	if times, ok := q.X.Tick.Marker.(TimeTicks); ok {
		s.in = cmp.Or(times.In, time.UTC)
		s.x = object{"type": "temporal", "title": plainMath(q.X.Label.Text), "axis": object{"grid": false},
			"scale": object{"domain": []float64{s.at(q.X.Min), s.at(q.X.Max)}, "nice": false, "zero": false, "type": "utc"}}
	}
	marks := f.series()
	for _, m := range marks {
		if name := plainMath(m.name); name != "" && !slices.Contains(s.names, name) {
			s.names = append(s.names, name)
			s.colors = append(s.colors, hex(m.look.color))
		}
	}
	for _, p := range f.drawn {
		if h, ok := p.(*Heat); ok {
			s.heat(h)
		}
	}
	for _, m := range marks {
		s.series(m)
	}
	for _, p := range f.drawn {
		switch p := p.(type) {
		case *Slope:
			s.slope(p, &q)
		case *Rule:
			s.rule(p)
		case *Note:
			s.note(p)
		}
	}
	if len(s.layers) == 0 {
		s.layers = []object{{"mark": "point", "data": object{"values": []any{}}}}
	}
	params := []object{{"name": "zoom" + suffix, "select": "interval", "bind": "scales"}}
	if len(s.names) > 0 {
		params = append(params, object{"name": s.chosen, "select": object{"type": "point", "fields": []string{"series"}}, "bind": "legend"})
	}
	s.layers[0]["params"] = params
	out := object{"width": max(pixels(v.width)-120, 50), "height": max(pixels(v.height)-90, 50), "layer": s.layers}
	shown := ""
	if s.shown < s.given {
		shown = fmt.Sprintf("%s of %s points shown", thousands(s.shown), thousands(s.given))
	}
	if f.Title.Text != "" || shown != "" {
		title := object{"text": plainMath(f.Title.Text), "anchor": "start", "fontWeight": "normal", "fontSize": 15}
		if shown != "" {
			title["subtitle"], title["subtitleFontSize"] = shown, 11
		}
		out["title"] = title
	}
	return out
}

// vegaSpec builds the layers of a specification.
type vegaSpec struct {
	f             *Figure
	x, y          object // scale and axis of the positions
	names, colors []string
	chosen        string // parameter that holds the series chosen in the legend
	layers        []object

	in           *time.Location // of an axis of times, else nil
	given, shown int            // points
}

// at is a place on the horizontal axis: of times milliseconds of the clock there, which Vega shows as those of UTC.
func (s *vegaSpec) at(x float64) float64 {
	if s.in == nil || math.Abs(x) > 1e12 {
		return x
	}
	_, ahead := time.Unix(int64(math.Floor(x)), 0).In(s.in).Zone()
	return math.Round((x + float64(ahead)) * 1000)
}

// vegaAxis returns what the encoding of a position says of its axis.
func vegaAxis(a *plot.Axis) object {
	scale := object{"domain": []float64{max(a.Min, -math.MaxFloat64), min(a.Max, math.MaxFloat64)}, "nice": false, "zero": false}
	switch a.Scale.(type) {
	case LogScale, plot.LogScale:
		scale["type"] = "log"
	}
	out := object{"type": "quantitative", "scale": scale, "title": plainMath(a.Label.Text)}
	named, ok := a.Tick.Marker.(plot.ConstantTicks)
	if ok {
		var values []float64
		var cases strings.Builder
		for _, t := range named {
			values = append(values, t.Value)
			fmt.Fprintf(&cases, "datum.value == %g ? %q : ", t.Value, plainMath(t.Label))
		}
		out["axis"] = object{"values": values, "labelExpr": cases.String() + "''", "grid": false}
	}
	return out
}

// at returns an axis's encoding of a field.
func at(axis object, field string) object {
	out := object{"field": field}
	maps.Copy(out, axis)
	return out
}

func (s *vegaSpec) add(mark object, values []object, encoding object) {
	if len(values) == 0 {
		return
	}
	s.layers = append(s.layers, object{"mark": mark, "data": object{"values": values}, "encoding": encoding})
}

// series adds what was given to the figure as one series.
func (s *vegaSpec) series(m mark) {
	values := s.values(m)
	enc := object{"x": at(s.x, "x"), "y": at(s.y, "y")}
	if m.name != "" {
		enc["color"] = object{"field": "series", "type": "nominal", "title": nil, "legend": object{"symbolOpacity": 1}, "scale": object{"domain": s.names, "range": s.colors}}
		enc["opacity"] = object{"condition": object{"param": s.chosen, "value": m.look.alpha}, "value": .06}
	}
	tooltip := []object{}
	if m.name != "" {
		tooltip = append(tooltip, object{"field": "series", "title": "series"})
	}
	across := object{"field": "x", "title": title(s.x, "x"), "format": ".5~g"}
	if s.in != nil {
		across = object{"field": "time", "title": title(s.x, "x")}
	}
	tooltip = append(tooltip, across, object{"field": "y", "title": title(s.y, "y"), "format": ".5~g"})
	stroke := object{}
	if m.name == "" {
		stroke["color"] = hex(m.look.color)
	}
	with := func(more object) object {
		maps.Copy(more, stroke)
		return more
	}
	switch m.kind {
	case "line":
		line := with(object{"type": "line", "strokeWidth": float64(m.look.width) * 96 / 72, "clip": true})
		if m.look.dashes != nil {
			line["strokeDash"] = dashes(m.look.dashes)
		}
		enc["order"] = object{"field": "i"}
		s.add(line, values, enc)
		hover := object{"x": enc["x"], "y": enc["y"], "tooltip": tooltip}
		s.add(object{"type": "point", "filled": true, "opacity": 0, "size": 90, "clip": true}, values, hover)
	case "point":
		if m.look.colorBy != nil {
			enc["color"] = object{"field": "value", "type": "quantitative", "title": nil, "scale": object{"range": hexes(Viridis)}}
			tooltip = append(tooltip, object{"field": "value", "format": ".5~g"})
		}
		enc["tooltip"] = tooltip
		s.add(with(object{"type": "point", "filled": true, "size": 4 * math.Pow(float64(m.look.radius), 2), "clip": true}), values, enc)
	case "band":
		enc["y2"] = object{"field": "y2"}
		if o, ok := enc["opacity"].(object); ok {
			o["condition"] = object{"param": s.chosen, "value": .2 * m.look.alpha}
			o["value"] = .02
		}
		s.add(with(object{"type": "area", "clip": true, "opacity": .2}), values, enc)
	case "bar":
		enc["x2"], enc["tooltip"] = object{"field": "x2"}, tooltip
		foot := 0.0
		if scale := s.y["scale"].(object); scale["type"] == "log" {
			foot = scale["domain"].([]float64)[0]
		}
		enc["y2"] = object{"datum": foot}
		s.add(with(object{"type": "bar", "clip": true}), values, enc)
	}
}

// values returns the points of a series that have a place on the axes.
func (s *vegaSpec) values(m mark) []object {
	if m.bars != nil {
		m.x, m.x2 = m.bars.left(0), m.bars.left(1)
	}
	var points []int
	for i := range m.x {
		if fits(s.x, m.x[i]) && fits(s.y, m.y[i]) && (m.y2 == nil || fits(s.y, m.y2[i])) &&
			(m.look.colorBy == nil || fits(object{"scale": object{}}, m.look.colorBy[i])) {
			points = append(points, i)
		}
	}
	show := kept(&m, points)
	s.given, s.shown = s.given+len(points), s.shown+len(show)
	var out []object
	for _, i := range show {
		v := object{"x": s.at(m.x[i]), "y": m.y[i], "i": i}
		if s.in != nil {
			v["time"] = time.UnixMilli(int64(s.at(m.x[i]))).UTC().Format("2006-01-02 15:04:05")
		}
		if m.x2 != nil {
			v["x2"] = s.at(m.x2[i])
		}
		if m.y2 != nil {
			v["y2"] = m.y2[i]
		}
		if m.look.colorBy != nil {
			v["value"] = m.look.colorBy[i]
		}
		if m.name != "" {
			v["series"] = plainMath(m.name)
		}
		out = append(out, v)
	}
	return out
}

// fits reports whether a value has a place on an axis.
func fits(axis object, v float64) bool {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return false
	}
	return axis["scale"].(object)["type"] != "log" || v > 0
}

func title(axis object, otherwise string) string {
	if t, _ := axis["title"].(string); t != "" {
		return t
	}
	return otherwise
}

// heat adds a heat map of moderate size as rectangles.
func (s *vegaSpec) heat(h *Heat) {
	rows, cols := h.Values.Dims()
	si, sj := (rows+99)/100, (cols+99)/100
	dx, dy := (h.XMax-h.XMin)/float64(cols), (h.YMax-h.YMin)/float64(rows)
	var values []object
	for i := 0; i < rows; i += si {
		for j := 0; j < cols; j += sj {
			v := h.Values.At(i, j)
			if math.IsNaN(v) || math.IsInf(v, 0) {
				continue
			}
			values = append(values, object{"x": s.at(h.XMin + float64(j)*dx), "x2": s.at(h.XMin + float64(min(j+sj, cols))*dx),
				"y": h.YMin + float64(i)*dy, "y2": h.YMin + float64(min(i+si, rows))*dy, "z": v})
		}
	}
	fill := object{"field": "z", "type": "quantitative", "title": nil, "scale": object{"domain": []float64{h.Min, h.Max}, "range": hexes(h.Map)}}
	s.add(object{"type": "rect", "clip": true, "strokeWidth": 0}, values, object{"x": at(s.x, "x"), "x2": object{"field": "x2"}, "y": at(s.y, "y"), "y2": object{"field": "y2"},
		"fill": fill, "tooltip": []object{{"field": "z", "title": "value", "format": ".5~g"}}})
}

// slope adds a reference line.
func (s *vegaSpec) slope(p *Slope, q *plot.Plot) {
	if !(p.X > 0 && p.Y > 0 && q.X.Max > p.X) {
		return
	}
	end := p.Y * math.Pow(q.X.Max/p.X, p.Exponent)
	values := []object{{"x": s.at(p.X), "y": p.Y}, {"x": s.at(q.X.Max), "y": end}}
	enc := object{"x": at(s.x, "x"), "y": at(s.y, "y")}
	s.add(object{"type": "line", "color": hex(inkMuted), "strokeDash": []float64{2, 3}, "strokeWidth": 1.2, "clip": true}, values, enc)
	s.add(object{"type": "text", "align": "right", "dx": -4, "dy": -14, "color": hex(inkMuted), "text": plainMath(p.Label)}, values[1:], enc)
}

// rule adds a line across the plot.
func (s *vegaSpec) rule(p *Rule) {
	field, axis, place := "y", s.y, p.At
	if p.Vertical {
		field, axis, place = "x", s.x, s.at(p.At)
	}
	if !fits(axis, p.At) {
		return
	}
	enc := object{field: at(axis, field)}
	s.add(object{"type": "rule", "color": hex(inkMuted), "strokeDash": []float64{2, 3}, "tooltip": plainMath(p.Label)}, []object{{field: place}}, enc)
}

// note adds text.
func (s *vegaSpec) note(n *Note) {
	if fits(s.x, n.X) && fits(s.y, n.Y) {
		s.add(object{"type": "text", "align": "left", "dx": 5, "text": plainMath(n.Text)}, []object{{"x": s.at(n.X), "y": n.Y}}, object{"x": at(s.x, "x"), "y": at(s.y, "y")})
	}
}

func dashes(d []vg.Length) (out []float64) {
	for _, l := range d {
		out = append(out, float64(l)*96/72)
	}
	return out
}

// hexes returns the colours of a map.
func hexes(m ColorMap) (out []string) {
	for _, c := range m {
		out = append(out, hex(c))
	}
	return out
}

// hex returns a colour as #rrggbb.
func hex(c color.Color) string {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	const digits = "0123456789abcdef"
	b := []byte{'#'}
	for _, x := range []uint8{n.R, n.G, n.B} {
		b = append(b, digits[x>>4], digits[x&15])
	}
	return string(b)
}
