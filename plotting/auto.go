package plotting

import (
	"encoding/base64"
	"fmt"
	"html"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A browser draws an SVG image in the colour scheme of the element that shows it. JupyterLab's themes set none, they only mark
// the page as light or not, so with Auto a figure comes as HTML with a style that sets it.

const followsTheme = "gaucho-follows-theme"

// themeClass returns the attribute of images that follow the theme.
func themeClass() string {
	if theme() != Auto {
		return ""
	}
	return ` class="` + followsTheme + `"`
}

// themeStyle returns the style that such images need in JupyterLab.
func themeStyle() string {
	if theme() != Auto {
		return ""
	}
	return "<style>[data-jp-theme-light=false] ." + followsTheme + "{color-scheme:dark}</style>"
}

// shownSVG returns the form in which a figure's SVG is shown, and its MIME type.
func shownSVG(svg, alt string) (mime, form string) {
	if theme() != Auto {
		return "image/svg+xml", svg
	}
	return "text/html", fmt.Sprintf(`%s<img%s src="data:image/svg+xml;base64,%s" alt="%s" style="max-width:100%%">`,
		themeStyle(), themeClass(), base64.StdEncoding.EncodeToString([]byte(svg)), html.EscapeString(alt))
}

var (
	svgStyle  = regexp.MustCompile(`style="[^"]*"`)
	svgColour = regexp.MustCompile(`(fill|stroke):(#[0-9A-F]{6})`)
)

// twoThemes returns one SVG of a drawing that was drawn in both themes: elements and lines of both are the same but for
// colours and images. It is the light SVG with a style sheet for dark pages, which has a rule for each colour that changes.
// Images that differ are there twice.
func twoThemes(light, dark string) string {
	lights, darks := strings.Split(light, "\n"), strings.Split(dark, "\n")
	rules := map[string]string{}
	for i, d := range darks {
		l := lights[i]
		if l != d && strings.HasPrefix(d, "<image ") {
			lights[i] = strings.Replace(l, "<image ", `<image class="on-light" `, 1) +
				strings.Replace(d, "<image ", `<image class="on-dark" display="none" `, 1)
			rules["image.on-light"], rules["image.on-dark"] = "display:none", "display:inline"
			continue
		}
		lights[i] = svgStyle.ReplaceAllStringFunc(d, func(style string) string {
			return lightStyle(style, svgStyle.FindString(l), rules)
		})
	}
	var css strings.Builder
	for _, selector := range slices.Sorted(maps.Keys(rules)) {
		css.WriteString(selector + "{" + rules[selector] + "}")
	}
	before, after, _ := strings.Cut(strings.Join(lights, "\n"), "<g ")
	return before + "<style>@media (prefers-color-scheme:dark){" + css.String() + "}</style>\n<g " + after
}

// lightStyle returns the light style of an element, and adds the rules that turn it into the dark one.
func lightStyle(dark, light string, rules map[string]string) string {
	colours := map[string]string{"fill": "#000000"} // the default, which is not written
	for _, m := range svgColour.FindAllStringSubmatch(light, -1) {
		colours[m[1]] = m[2]
	}
	return svgColour.ReplaceAllStringFunc(dark, func(declaration string) string {
		property, colour, _ := strings.Cut(declaration, ":")
		if colours[property] == colour {
			return property + ": " + colour // by the space, no rule for the same colour elsewhere finds it
		}
		own := property + ":" + colours[property]
		rules[`[style*="`+own+`"]`] = declaration + "!important"
		return own
	})
}
