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

// writeDocs writes the documentation of all packages that cells can import.
func writeDocs(builds []*build, out output) error {
	all := map[string][]byte{}
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
					return err
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
					return err
				}
				d.AddFile(f)
			}
		}
	}
	own := map[string]docs.Docs{}
	for path, d := range texts {
		if strings.HasPrefix(path, modpath.Short+"/") {
			own[path] = d
			continue
		}
		var b bytes.Buffer
		for _, key := range slices.Sorted(maps.Keys(d)) {
			b.WriteString(key + "\x00" + d[key] + "\x00")
		}
		all[path] = b.Bytes()
	}
	union := &build{pkgs: map[string]*pkg{}}
	for _, b := range builds {
		maps.Copy(union.pkgs, b.pkgs)
	}
	out[dataDir+"/docs.bin"] = archive(union, all)
	text, err := docs.WriteAll(own)
	out[dataDir+"/docs.txt"] = []byte(text)
	return err
}

// build0 is the platform whose examples are taken.
func build0() *gobuild.Context {
	c := gobuild.Default
	c.GOOS, c.GOARCH, c.CgoEnabled = platforms[0].os, platforms[0].arch, false
	return &c
}
