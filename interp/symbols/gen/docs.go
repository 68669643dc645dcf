package main

import (
	"bytes"
	gobuild "go/build"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"gaucho/internal/modpath"
	"gaucho/interp/docs"
)

// writeDocs writes the documentation of all packages that cells can import. Of the newer release it writes what has another text.
func writeDocs(builds, next []*build, out output) error {
	base, err := docsOf(builds)
	if err != nil {
		return err
	}
	later, err := docsOf(next)
	if err != nil {
		return err
	}
	for path, d := range later {
		maps.DeleteFunc(d, func(key, text string) bool { return text == base[path][key] })
		if len(d) == 0 {
			delete(later, path)
		}
	}
	own := map[string]docs.Docs{}
	for path, d := range base {
		if strings.HasPrefix(path, modpath.Short+"/") {
			own[path] = d
		}
	}
	text, err := docs.WriteAll(own)
	if err != nil {
		return err
	}
	out[dataDir+"/docs.txt"] = []byte(text)
	out[dataDir+"/docs.bin"] = archive(union(builds), docsData(base))
	out[newerDir+"/docs.bin"] = archive(union(next), docsData(later))
	return nil
}

// docsOf reads the documentation of the packages, by path.
func docsOf(builds []*build) (map[string]docs.Docs, error) {
	parsed := map[string]bool{}
	texts := map[string]docs.Docs{}
	for _, b := range builds {
		for _, p := range append(b.public, b.pkgs["builtin"]) {
			if emitted(p.ImportPath) {
				continue
			}
			d := texts[p.ImportPath]
			if d == nil {
				d = docs.Docs{}
				texts[p.ImportPath] = d
				if err := d.AddExamples(p.Dir, build0()); err != nil {
					return nil, err
				}
			}
			for _, name := range p.GoFiles {
				file := filepath.Join(p.Dir, name)
				if parsed[file] {
					continue
				}
				parsed[file] = true
				f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
				if err != nil {
					return nil, err
				}
				d.AddFile(f)
			}
		}
	}
	return texts, nil
}

// docsData returns the documentation of the packages that are not Gaucho's own, in the form of the archive.
func docsData(texts map[string]docs.Docs) map[string][]byte {
	all := map[string][]byte{}
	for path, d := range texts {
		if strings.HasPrefix(path, modpath.Short+"/") {
			continue
		}
		var b bytes.Buffer
		for _, key := range slices.Sorted(maps.Keys(d)) {
			b.WriteString(key + "\x00" + d[key] + "\x00")
		}
		all[path] = b.Bytes()
	}
	return all
}

// build0 is the platform whose examples are taken.
func build0() *gobuild.Context {
	c := gobuild.Default
	c.GOOS, c.GOARCH, c.CgoEnabled = platforms[0].os, platforms[0].arch, false
	return &c
}
