package page

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"gaucho/internal/tex"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	ghtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
)

// A heading is an entry of a page's contents.
type heading struct {
	Level int
	ID    string
	HTML  string // without links
	Text  string
}

// A markdown renders the text cells of one page, whose headings it gathers and gives anchors.
type markdown struct {
	md       goldmark.Markdown
	dir      string // where files that the text names are looked for; "" for nowhere
	used     map[string]int
	formulas []formula // of the cell being rendered
	headings []heading
	macros   tex.Macros
	math     strings.Builder // the characters of all formulas
	trusted  bool            // HTML is kept as it is
	left     int             // effort that may still be spent on tangled text
}

func newMarkdown(dir string, trusted bool) *markdown {
	m := &markdown{dir: dir, used: map[string]int{}, trusted: trusted, left: maxEffort}
	options := []renderer.Option{renderer.WithNodeRenderers(util.Prioritized(m, 100))}
	if trusted {
		options = append(options, ghtml.WithUnsafe()) // HTML in text is part of the notebook, as its code is
	}
	m.md = goldmark.New(
		goldmark.WithExtensions(extension.GFM, extension.Footnote),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(options...),
	)
	return m
}

// render returns a text as HTML; attachments are the cell's. Text that would take too long is shown as it is written.
func (m *markdown) render(source string, attachments map[string]map[string]string) string {
	cost := effort(source)
	if cost > m.left {
		return "<pre>" + html.EscapeString(source) + "</pre>"
	}
	m.left -= cost
	text, formulas := takeFormulas(source)
	m.typeset(formulas)
	m.formulas = formulas
	var buf bytes.Buffer
	if err := m.md.Convert([]byte(text), &buf, parser.WithContext(parser.NewContext(parser.WithIDs(m)))); err != nil {
		return "<pre>" + html.EscapeString(source) + "</pre>"
	}
	return m.inlineImages(putFormulas(buf.String(), formulas), attachments)
}

// Generate makes a heading's anchor as Jupyter does, so that links written there work here: its text with hyphens for
// spaces. An anchor that is taken gets a number.
func (m *markdown) Generate(value []byte, kind ast.NodeKind) []byte {
	text := putHolders(string(value), m.formulas, func(f formula) string { return f.tex })
	id := strings.Join(strings.Fields(strings.NewReplacer("`", "", "*", "").Replace(text)), "-")
	if id == "" {
		id = "section"
	}
	if m.used[id]++; m.used[id] > 1 {
		id = fmt.Sprintf("%s-%d", id, m.used[id])
	}
	return []byte(id)
}

// Put reserves an anchor that the text itself sets.
func (m *markdown) Put(value []byte) { m.used[string(value)]++ }

// RegisterFuncs takes over headings, which get a link to themselves, and code blocks, which get colours.
func (m *markdown) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindHeading, m.renderHeading)
	reg.Register(ast.KindFencedCodeBlock, renderFence)
}

func (m *markdown) renderHeading(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n := node.(*ast.Heading)
	id := ""
	if v, ok := n.AttributeString("id"); ok {
		if b, ok := v.([]byte); ok {
			id = string(b)
		}
	}
	if entering {
		fmt.Fprintf(w, `<h%d id="%s">`, n.Level, html.EscapeString(id))
		text := plainText(n, source)
		plain := putHolders(text, m.formulas, func(f formula) string { return f.tex })
		m.headings = append(m.headings, heading{n.Level, id, putFormulas(html.EscapeString(text), m.formulas), plain})
		return ast.WalkContinue, nil
	}
	fmt.Fprintf(w, ` <a class="anchor" href="#%s" aria-label="link to this section">#</a></h%d>`+"\n",
		html.EscapeString(url.PathEscape(id)), n.Level)
	return ast.WalkContinue, nil
}

// plainText is the text of a node without its markup.
func plainText(n ast.Node, source []byte) string {
	var b strings.Builder
	ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			switch c := c.(type) {
			case *ast.Text:
				text := c.Segment.Value(source)
				if !c.IsRaw() {
					text = util.UnescapePunctuations(text)
				}
				b.Write(text)
				if c.SoftLineBreak() {
					b.WriteByte(' ')
				}
			case *ast.String:
				b.Write(c.Value)
			}
		}
		return ast.WalkContinue, nil
	})
	return html.UnescapeString(b.String())
}

func renderFence(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	n := node.(*ast.FencedCodeBlock)
	var code strings.Builder
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		code.Write(line.Value(source))
	}
	text := html.EscapeString(code.String())
	if lang := strings.ToLower(string(n.Language(source))); lang == "go" || lang == "golang" {
		text = highlightGo(code.String())
	}
	fmt.Fprintf(w, "<pre class=\"fence\"><code>%s</code></pre>\n", text)
	return ast.WalkSkipChildren, nil
}

var imageSource = regexp.MustCompile(`(<img\b[^>]*?\bsrc=")([^"]*)(")`)

// inlineImages puts the images of files and attachments into the page itself. One that cannot be read stays a link.
func (m *markdown) inlineImages(page string, attachments map[string]map[string]string) string {
	return imageSource.ReplaceAllStringFunc(page, func(tag string) string {
		parts := imageSource.FindStringSubmatch(tag)
		src := html.UnescapeString(parts[2])
		if name, ok := strings.CutPrefix(src, "attachment:"); ok {
			name = unescapePath(name)
			if kinds := slices.Sorted(maps.Keys(attachments[name])); len(kinds) > 0 {
				return parts[1] + dataURI(kinds[0], attachments[name][kinds[0]]) + parts[3]
			}
			return tag
		}
		if u, err := url.Parse(src); err != nil || u.IsAbs() || u.Host != "" || m.dir == "" {
			return tag
		}
		path := filepath.FromSlash(unescapePath(src))
		if !filepath.IsAbs(path) {
			path = filepath.Join(m.dir, path)
		}
		const most = 32 << 20
		if st, err := os.Stat(path); err != nil || !st.Mode().IsRegular() || st.Size() > most {
			return tag
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return tag
		}
		kind := "image/svg+xml"
		if strings.ToLower(filepath.Ext(path)) != ".svg" {
			if kind = http.DetectContentType(data); !strings.HasPrefix(kind, "image/") {
				return tag
			}
		}
		return parts[1] + "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(data) + parts[3]
	})
}

func unescapePath(s string) string {
	if t, err := url.PathUnescape(s); err == nil {
		return t
	}
	return s
}

// dataURI returns a bundle's image as an address that holds it: data is base64, or text for SVG.
func dataURI(kind, data string) string {
	if kind == "image/svg+xml" {
		data = base64.StdEncoding.EncodeToString([]byte(data))
	}
	return "data:" + kind + ";base64," + html.EscapeString(strings.Join(strings.Fields(data), ""))
}
