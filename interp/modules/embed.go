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

// findPatterns finds the files that //go:embed directives of a package name.
func (p *Package) findPatterns() error {
	p.Patterns = map[string][]string{}
	for _, patterns := range p.embedding() {
		for _, pattern := range patterns {
			files, err := embedded(os.DirFS(p.Dir), []string{pattern})
			if err != nil {
				return err
			}
			p.Patterns[pattern] = files
		}
	}
	return nil
}

// findEmbeds finds the variables that have these files, of a package that was checked.
func (p *Package) findEmbeds() {
	p.Embeds = map[*types.Var][]string{}
	for id, patterns := range p.embedding() {
		if v, ok := p.Info.Defs[id].(*types.Var); ok {
			for _, pattern := range patterns {
				p.Embeds[v] = append(p.Embeds[v], p.Patterns[pattern]...)
			}
		}
	}
}

// embedding are the variables with //go:embed directives, and their patterns.
func (p *Package) embedding() map[*ast.Ident][]string {
	found := map[*ast.Ident][]string{}
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
				if patterns := embedPatterns(doc); patterns != nil {
					found[spec.Names[0]] = patterns
				}
			}
		}
	}
	return found
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
