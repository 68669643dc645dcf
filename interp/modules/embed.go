package modules

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
)

// embed finds the files that //go:embed directives of a package name.
func (p *Package) embed() error {
	p.Embeds, p.Patterns = map[*types.Var][]string{}, map[string][]string{}
	for _, f := range p.Files {
		for _, d := range f.Decls {
			gen, ok := d.(*ast.GenDecl)
			if !ok || gen.Tok != token.VAR {
				continue
			}
			for _, sp := range gen.Specs {
				spec := sp.(*ast.ValueSpec)
				doc := spec.Doc
				if doc == nil {
					doc = gen.Doc
				}
				patterns := embedPatterns(doc)
				v, ok := p.Info.Defs[spec.Names[0]].(*types.Var)
				if patterns == nil || !ok {
					continue
				}
				for _, pattern := range patterns {
					files, err := embedded(os.DirFS(p.Dir), []string{pattern})
					if err != nil {
						return err
					}
					p.Patterns[pattern] = files
					p.Embeds[v] = append(p.Embeds[v], files...)
				}
			}
		}
	}
	return nil
}

// embedPatterns are what the //go:embed lines of a comment name.
func embedPatterns(doc *ast.CommentGroup) []string {
	var out []string
	if doc == nil {
		return nil
	}
	for _, c := range doc.List {
		rest, ok := strings.CutPrefix(c.Text, "//go:embed ")
		for rest = strings.TrimSpace(rest); ok && rest != ""; rest = strings.TrimSpace(rest) {
			word := ""
			if quoted, err := strconv.QuotedPrefix(rest); err == nil {
				word, _ = strconv.Unquote(quoted)
				rest = rest[len(quoted):]
			} else {
				word, rest, _ = strings.Cut(rest, " ")
			}
			out = append(out, word)
		}
	}
	return out
}

// embedded are the files that patterns match, directories with all below them save what begins with a dot or an underscore.
func embedded(dir fs.FS, patterns []string) ([]string, error) {
	var out []string
	for _, pattern := range patterns {
		glob, all := strings.CutPrefix(pattern, "all:")
		found, err := fs.Glob(dir, path.Clean(glob))
		if err != nil || len(found) == 0 {
			return nil, fmt.Errorf("pattern %s: no matching files found", pattern)
		}
		for _, root := range found {
			err := fs.WalkDir(dir, root, func(name string, d fs.DirEntry, err error) error {
				hidden := name != root && !all && strings.ContainsAny(path.Base(name)[:1], "._")
				switch {
				case err != nil:
					return err
				case hidden && d.IsDir():
					return fs.SkipDir
				case !hidden && d.Type().IsRegular():
					out = append(out, name)
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}
