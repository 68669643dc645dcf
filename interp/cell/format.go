package cell

import (
	"go/format"
	"strings"
)

// Format returns the text of a cell as gofmt would write it. Magics, and what gofmt cannot take, stay as they are.
func Format(source string) string {
	t := Read(source)
	src := t.Source
	if strings.HasPrefix(strings.TrimSpace(src), "%%") {
		head, body, _ := strings.Cut(strings.TrimLeft(src, " \t\n"), "\n")
		switch name, _, _ := strings.Cut(head, " "); name {
		case "%%", "%%time", "%%timeit", "%%bench", "%%capture", "%%prof", "%%compile":
			return head + "\n" + Format(body)
		}
		return src
	}
	var b strings.Builder
	at := 0
	for i := 0; i < len(t.chunks); {
		c := t.chunks[i]
		j := i + 1
		for c.Kind != MagicChunk && j < len(t.chunks) && t.chunks[j].Kind != MagicChunk && t.chunks[j].statement() == c.statement() {
			j++
		}
		b.WriteString(src[at:c.Start])
		at = t.chunks[j-1].End
		text := src[c.Start:at]
		if semi := strings.TrimRight(src[at:], " \t"); c.Kind != MagicChunk && !strings.HasPrefix(semi, ";") {
			text = formatted(text)
		}
		b.WriteString(text)
		i = j
	}
	b.WriteString(src[at:])
	return b.String()
}

// statement reports whether a chunk is inside of a function in Go.
func (c Chunk) statement() bool { return c.Kind == StmtChunk || c.Kind == VarChunk }

// formatted is Go code of one kind as gofmt writes it, or as it is.
func formatted(text string) string {
	out, err := format.Source([]byte(text))
	if err != nil {
		return text
	}
	return strings.TrimRight(string(out), "\n")
}

// Without returns the text of a cell without the lines that are a magic.
func Without(source, magic string) string {
	t := Read(source)
	var b strings.Builder
	at := 0
	for _, c := range t.chunks {
		if c.Kind == MagicChunk && strings.TrimSpace(t.Source[c.Start:c.End]) == magic {
			b.WriteString(t.Source[at:c.Start])
			at = c.End
			if strings.HasPrefix(t.Source[at:], "\n") {
				at++
			}
		}
	}
	return b.String() + t.Source[at:]
}
