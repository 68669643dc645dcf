package worker

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"html"
	"maps"
	"slices"
	"strings"
)

// A node of a flame graph is a function under those that called it.
type node struct {
	name  string
	value int64
	under map[string]*node
}

func (n *node) child(name string) *node {
	if n.under == nil {
		n.under = map[string]*node{}
	}
	if n.under[name] == nil {
		n.under[name] = &node{name: name}
	}
	return n.under[name]
}

func (n *node) depth() int {
	d := 0
	for _, c := range n.under {
		d = max(d, c.depth())
	}
	return d + 1
}

const (
	flameWidth = 900.0
	flameRow   = 18
	flameText  = 6.2 // width of a character
)

// flameGraph draws stacks: what is called is above its caller, as wide as what was spent in it. A function's whole name
// and share show when the pointer rests on it.
func flameGraph(stacks []stack, unit func(int64) string) string {
	root := &node{name: "cell"}
	for _, s := range stacks {
		root.value += s.value
		n := root
		for _, f := range s.frames {
			n = n.child(f)
			n.value += s.value
		}
	}
	height := root.depth() * flameRow
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %d" style="max-width:100%%;width:%.0fpx;font:11px sans-serif">`, flameWidth, height, flameWidth)
	root.draw(&b, 0, height-flameRow, flameWidth, root.value, unit)
	b.WriteString("</svg>")
	return b.String()
}

func (n *node) draw(b *strings.Builder, x float64, y int, width float64, all int64, unit func(int64) string) {
	if width < 0.5 {
		return
	}
	h := fnv.New32a()
	h.Write([]byte(packageOf(n.name)))
	hue := 10 + h.Sum32()%50
	fmt.Fprintf(b, `<g><title>%s: %s, %.1f%%</title><rect x="%.1f" y="%d" width="%.1f" height="%d" fill="hsl(%d,75%%,68%%)" stroke="white" stroke-width="0.5"/>`,
		html.EscapeString(n.name), unit(n.value), 100*float64(n.value)/float64(max(all, 1)), x, y, width, flameRow-1, hue)
	if room := int(width/flameText) - 1; room >= 3 {
		text := []rune(shortName(n.name))
		if len(text) > room {
			text = append(text[:room-1], '…')
		}
		fmt.Fprintf(b, `<text x="%.1f" y="%d" fill="black">%s</text>`, x+3, y+flameRow-6, html.EscapeString(string(text)))
	}
	b.WriteString("</g>")
	for _, name := range slices.SortedFunc(maps.Keys(n.under), func(p, q string) int {
		return cmp.Or(cmp.Compare(n.under[q].value, n.under[p].value), cmp.Compare(p, q))
	}) {
		c := n.under[name]
		w := width * float64(c.value) / float64(max(n.value, 1))
		c.draw(b, x, y-flameRow, w, all, unit)
		x += w
	}
}

// shortName is a function's name without the path of its package.
func shortName(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }

func packageOf(name string) string {
	i := strings.LastIndexByte(name, '/') + 1
	pkg, _, _ := strings.Cut(name[i:], ".")
	return name[:i] + pkg
}
