package assist

import (
	"strings"

	"gaucho/interp/api"
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

// completeMagic completes names of magics and, after them, Go code or files.
func (v *View) completeMagic(src string, cursor int, line string) api.Completion {
	name, arg, inArgs := strings.Cut(line, " ")
	if command, ok := strings.CutPrefix(line, "!"); ok && !inArgs {
		return v.completeCommand(command, cursor)
	}
	if !inArgs {
		out := api.Completion{Start: cursor - len(line), End: cursor}
		for _, n := range cell.MagicNames() {
			if strings.HasPrefix(n, line) {
				out.Items = append(out.Items, api.Item{Text: n, Type: "magic"})
			}
		}
		return out
	}
	if m := cell.MagicNamed(name); m != nil && m.Code() {
		at := cursor - len(line)
		blank := src[:at] + strings.Repeat(" ", len(name)) + src[at+len(name):]
		return v.Complete(blank, cursor)
	}
	return v.completeFile(arg[strings.LastIndexByte(arg, ' ')+1:], cursor)
}

func inspectMagic(line string) map[string]any {
	name, _, _ := strings.Cut(line, " ")
	m := cell.MagicNamed(name)
	if m == nil {
		return nil
	}
	return map[string]any{"text/plain": m.Help(), "text/markdown": "```\n" + m.Help() + "```\n"}
}
