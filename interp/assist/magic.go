package assist

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gaucho/interp/cell"
)

// magicLine returns the beginning of the line before the cursor when the line is a magic.
func magicLine(src string, cursor int) (string, bool) {
	from := strings.LastIndexByte(src[:cursor], '\n') + 1
	line := strings.TrimLeft(src[from:cursor], " \t")
	if !strings.HasPrefix(line, "%") && !strings.HasPrefix(line, "!") {
		return "", false
	}
	at := cursor - len(line)
	if strings.HasPrefix(line, "%%") {
		return line, strings.TrimSpace(src[:at]) == ""
	}
	for _, c := range cell.Split(src) {
		if c.Kind == cell.MagicChunk && c.Start == at {
			return line, true
		}
	}
	return "", false
}

// completeMagic completes names of magics and, behind them, Go code or files.
func (v *View) completeMagic(src string, cursor int, line string) Completion {
	name, arg, inArgs := strings.Cut(line, " ")
	if !inArgs {
		out := Completion{Start: cursor - len(line), End: cursor}
		for _, n := range slices.Sorted(maps.Keys(cell.Magics)) {
			if strings.HasPrefix(n, line) {
				out.Items = append(out.Items, Item{Text: n, Type: "magic"})
			}
		}
		return out
	}
	if name == "%time" || name == "%timeit" || name == "%bench" || name == "%doc" {
		at := cursor - len(line)
		blank := src[:at] + strings.Repeat(" ", len(name)) + src[at+len(name):]
		return v.Complete(blank, cursor)
	}
	return v.completeFile(arg[strings.LastIndexByte(arg, ' ')+1:], cursor)
}

// completeFile completes the name of a file.
func (v *View) completeFile(prefix string, cursor int) Completion {
	dir, base := filepath.Split(prefix)
	at := dir
	if !filepath.IsAbs(at) {
		at = filepath.Join(v.Dir, dir)
	}
	out := Completion{Start: cursor - len(base), End: cursor}
	if at == "" {
		at = "."
	}
	entries, err := os.ReadDir(at)
	if err != nil {
		return out
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), base) && (base != "" || !strings.HasPrefix(e.Name(), ".")) {
			name := e.Name()
			if e.IsDir() {
				name += "/"
			}
			out.Items = append(out.Items, Item{Text: name, Type: "path"})
		}
	}
	return out
}

func inspectMagic(line string) (map[string]any, bool) {
	name, _, _ := strings.Cut(line, " ")
	m := cell.Magics[name]
	if m == nil {
		return nil, false
	}
	return map[string]any{"text/plain": m.Help(), "text/markdown": "```\n" + m.Help() + "```\n"}, true
}
