package display

import (
	"fmt"
	"strings"
)

// HTML is text that a front end shows as HTML.
type HTML string

// Markdown is text that a front end shows as Markdown, with formulas between dollar signs.
type Markdown string

// LaTeX is text with formulas between dollar signs, or a bare formula, which is then displayed on a line of its own.
type LaTeX string

// SVG is a drawing as an SVG document.
type SVG string

// JavaScript is code that the front end runs when it shows the value.
type JavaScript string

// PNG is an encoded PNG image.
type PNG []byte

// JPEG is an encoded JPEG image.
type JPEG []byte

// GIF is an encoded GIF image, animated or not.
type GIF []byte

// PDF is a PDF document.
type PDF []byte

// MIMEBundle returns the text as HTML.
func (s HTML) MIMEBundle() map[string]any { return text("text/html", string(s)) }

// MIMEBundle returns the text as Markdown.
func (s Markdown) MIMEBundle() map[string]any { return text("text/markdown", string(s)) }

// MIMEBundle returns the formulas as LaTeX with their delimiters.
func (s LaTeX) MIMEBundle() map[string]any {
	return map[string]any{"text/latex": Delimit(string(s)), "text/plain": string(s)}
}

// MIMEBundle returns the drawing as SVG.
func (s SVG) MIMEBundle() map[string]any {
	return map[string]any{"image/svg+xml": string(s), "text/plain": weigh("SVG drawing", len(s))}
}

// MIMEBundle returns the code to run.
func (s JavaScript) MIMEBundle() map[string]any { return text("application/javascript", string(s)) }

// MIMEBundle returns the image as PNG.
func (b PNG) MIMEBundle() map[string]any { return data("image/png", "PNG image", b) }

// MIMEBundle returns the image as JPEG.
func (b JPEG) MIMEBundle() map[string]any { return data("image/jpeg", "JPEG image", b) }

// MIMEBundle returns the image as GIF.
func (b GIF) MIMEBundle() map[string]any { return data("image/gif", "GIF image", b) }

// MIMEBundle returns the document as PDF.
func (b PDF) MIMEBundle() map[string]any { return data("application/pdf", "PDF document", b) }

// JSON returns a value that a front end shows as a tree that folds. The value must be one that encoding/json can write.
func JSON(v any) Bundle {
	return Bundle{"application/json": v, "text/plain": fmt.Sprint(v)}
}

// Delimit returns LaTeX source as a front end wants it: a bare formula is put between double dollar signs, text that
// has its own delimiters is left alone.
func Delimit(latex string) string {
	for _, own := range []string{"$", `\[`, `\(`, `\begin{equation`, `\begin{align`} {
		if strings.Contains(latex, own) {
			return latex
		}
	}
	return "$$" + strings.TrimSpace(latex) + "$$"
}

func text(mime, s string) map[string]any { return map[string]any{mime: s, "text/plain": s} }

func data(mime, name string, b []byte) map[string]any {
	return map[string]any{mime: b, "text/plain": weigh(name, len(b))}
}

// weigh returns what stands for binary data where only text can be shown.
func weigh(name string, n int) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%s, %d bytes", name, n)
	case n < 999_500:
		return fmt.Sprintf("%s, %.3g kB", name, float64(n)/1e3)
	}
	return fmt.Sprintf("%s, %.3g MB", name, float64(n)/1e6)
}
