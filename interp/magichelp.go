package interp

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	for _, c := range split(src) {
		if c.kind == magicChunk && c.start == at {
			return line, true
		}
	}
	return "", false
}

// completeMagic completes names of magics and, behind them, Go code or files.
func (s *Session) completeMagic(src string, cursor int, line string) Completion {
	name, arg, inArgs := strings.Cut(line, " ")
	if !inArgs {
		out := Completion{Start: cursor - len(line), End: cursor}
		for _, n := range slices.Sorted(maps.Keys(magics)) {
			if strings.HasPrefix(n, line) {
				out.Items = append(out.Items, Item{Text: n, Type: "magic"})
			}
		}
		return out
	}
	if name == "%time" || name == "%timeit" || name == "%bench" || name == "%doc" {
		at := cursor - len(line)
		blank := src[:at] + strings.Repeat(" ", len(name)) + src[at+len(name):]
		return s.Complete(blank, cursor)
	}
	return s.completeFile(arg[strings.LastIndexByte(arg, ' ')+1:], cursor)
}

// completeFile completes the name of a file.
func (s *Session) completeFile(prefix string, cursor int) Completion {
	dir, base := filepath.Split(prefix)
	at := dir
	if !filepath.IsAbs(at) {
		at = filepath.Join(s.opts.Dir, dir)
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
	m := magics[name]
	if m == nil {
		return nil, false
	}
	return map[string]any{"text/plain": m.help(), "text/markdown": "```\n" + m.help() + "```\n"}, true
}
