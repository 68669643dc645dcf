package assist

import (
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gaucho/interp/api"
)

// openString returns what has been typed of the string literal that the cursor is in.
func openString(src string, cursor int) (prefix string, ok bool) {
	var s scanner.Scanner
	open := -1
	fset := token.NewFileSet()
	s.Init(fset.AddFile("", -1, cursor), []byte(src[:cursor]), func(pos token.Position, msg string) {
		if strings.HasSuffix(msg, "string literal not terminated") {
			open = pos.Offset
		}
	}, 0)
	for {
		_, tok, lit := s.Scan()
		if tok == token.EOF {
			return "", false
		}
		if tok != token.STRING || open < 0 {
			continue
		}
		if open+len(lit) == cursor { // it is the last thing before the cursor
			return lit[1:], true
		}
		open = -1
	}
}

// completeFile completes the name of a file.
func (v *View) completeFile(prefix string, cursor int) api.Completion {
	dir, base := filepath.Split(prefix)
	at := dir
	if !filepath.IsAbs(at) {
		at = filepath.Join(v.Dir, dir)
	}
	out := api.Completion{Start: cursor - len(base), End: cursor}
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
			out.Items = append(out.Items, api.Item{Text: name, Type: "path"})
		}
	}
	return out
}

// completeCommand completes the name of a program or, after a slash, of a file.
func (v *View) completeCommand(prefix string, cursor int) api.Completion {
	if strings.Contains(prefix, "/") || prefix == "" {
		return v.completeFile(prefix, cursor)
	}
	out := api.Completion{Start: cursor - len(prefix), End: cursor}
	var names []string
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), prefix) && !e.IsDir() {
				names = append(names, e.Name())
			}
		}
	}
	slices.Sort(names)
	for _, n := range slices.Compact(names) {
		out.Items = append(out.Items, api.Item{Text: n, Type: "path"})
	}
	return out
}
