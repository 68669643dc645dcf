package page

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html"
	"html/template"
	"io"
	"strconv"
	"strings"

	"gaucho/command/notebook"
)

// Options say how a page is made. The zero value is good.
type Options struct {
	Title string // of the browser's tab; by default the first heading, else the notebook's name
	// Untrusted has the page show what the notebook brings, but let nothing of it act: HTML and scripts of its texts and
	// outputs are left out, and the browser is asked to run none but the page's own.
	Untrusted bool
}

//go:embed page.html page.css page.js
var assets embed.FS

var pageTemplate = template.Must(template.ParseFS(assets, "page.html"))

// Write writes the notebook with its outputs as one HTML page that loads nothing: style and images are in it, and
// formulas are MathML, which browsers draw, with a font for them. Code that outputs and text cells bring as HTML is kept as it is.
//
// Tags of cells are honoured as nbconvert's and Jupyter Book's users know them: remove-cell, remove-input,
// remove-output, hide-input.
func Write(w io.Writer, nb *notebook.Notebook, o *Options) error {
	if o == nil {
		o = &Options{}
	}
	m := newMarkdown(nb.Dir, !o.Untrusted)
	var cells []pageCell
	for _, c := range nb.Cells {
		if pc, ok := m.cell(c, nb.Language()); ok {
			cells = append(cells, pc)
		}
	}
	mathStyle, err := m.mathStyle()
	if err != nil {
		return err
	}
	page := map[string]any{
		"Title":    pageTitle(nb, o, m.headings),
		"Program":  program(nb),
		"Cells":    cells,
		"Contents": contents(m.headings),
		"Style":    template.CSS(asset("page.css") + mathStyle),
		"Script":   template.JS(asset("page.js")),
	}
	if o.Untrusted {
		page["Nonce"] = nonce(page["Title"], cells)
	}
	return pageTemplate.Execute(w, page)
}

// nonce is the word by which the browser knows the page's own scripts. It depends on all that the page shows, so the same
// page has the same bytes, and nobody can write text that holds the word which it leads to.
func nonce(shown ...any) string {
	h := sha256.New()
	for _, s := range shown {
		fmt.Fprintf(h, "%#v\n", s)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// A pageCell is a cell as the page's template takes it.
type pageCell struct {
	Text   template.HTML // of a Markdown cell
	Raw    string        // of a raw cell
	Prompt string        // of a code cell: its number, or nothing
	Code   template.HTML
	Folded bool // the code is folded away
	Output []template.HTML
}

// cell renders one cell; false says that it has no place on the page.
func (m *markdown) cell(c *notebook.Cell, language string) (pageCell, bool) {
	if c.HasTag("remove-cell") || c.Empty() && len(c.Outputs) == 0 {
		return pageCell{}, false
	}
	switch c.Type {
	case "markdown":
		return pageCell{Text: template.HTML(m.render(c.Source, c.Attachments()))}, true
	case "raw":
		return pageCell{Raw: c.Source}, true
	}
	var pc pageCell
	if c.Count > 0 {
		pc.Prompt = strconv.Itoa(c.Count)
	}
	if !c.HasTag("remove-input") && !c.Empty() {
		source := strings.TrimRight(c.Source, "\n")
		if language == "go" {
			pc.Code = template.HTML(highlightGo(source))
		} else {
			pc.Code = template.HTML(html.EscapeString(source))
		}
		jupyter, _ := c.Metadata["jupyter"].(map[string]any)
		pc.Folded = jupyter["source_hidden"] == true || c.HasTag("hide-input")
	}
	if !c.HasTag("remove-output") {
		for _, o := range c.Outputs {
			if s := m.renderOutput(o); s != "" {
				pc.Output = append(pc.Output, template.HTML(s))
			}
		}
	}
	return pc, pc.Code != "" || len(pc.Output) > 0
}

// program names what ran the notebook, with its revision if the notebook says so.
func program(nb *notebook.Notebook) string {
	lang, _ := nb.Metadata["language_info"].(map[string]any)
	version, _ := lang["gaucho"].(string)
	return strings.TrimSpace("Gaucho " + version)
}

func pageTitle(nb *notebook.Notebook, o *Options, headings []heading) string {
	switch {
	case o.Title != "":
		return o.Title
	case len(headings) > 0:
		return headings[0].Text
	case nb.Name != "":
		return nb.Name
	}
	return "Notebook"
}

// An entry is a line of the page's contents.
type entry struct {
	Level int
	Href  string
	HTML  template.HTML
}

// contents lists the headings of the first three levels if there are enough to need a list.
func contents(headings []heading) []entry {
	var list []entry
	for _, h := range headings {
		if h.Level <= 3 {
			list = append(list, entry{h.Level, "#" + h.ID, template.HTML(h.HTML)})
		}
	}
	if len(list) < 3 {
		return nil
	}
	return list
}

func asset(name string) string {
	data, err := assets.ReadFile(name)
	if err != nil {
		panic(err) // embedded
	}
	return string(data)
}
