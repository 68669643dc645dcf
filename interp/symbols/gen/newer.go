package main

import (
	"fmt"
	"slices"
	"strings"
)

// writeNames writes names.txt, and the lines that are otherwise with the newer release.
func writeNames(builds, next []*build, out output) error {
	base, err := namesOf(builds)
	if err != nil {
		return err
	}
	later, err := namesOf(next)
	if err != nil {
		return err
	}
	out[dataDir+"/names.txt"] = []byte(strings.Join(base, ""))
	later = slices.DeleteFunc(later, func(line string) bool { return slices.Contains(base, line) })
	out[newerDir+"/names.txt"] = []byte(strings.Join(later, ""))
	return nil
}

// namesOf returns the lines of names.txt: wrappers that there are, after a - names that are in no table, after a ? packages
// that look for methods in values of type any.
func namesOf(builds []*build) ([]string, error) {
	var first []string
	for i, b := range builds {
		var lines []string
		for _, p := range b.public {
			if p.ImportPath == "unsafe" {
				continue
			}
			if wraps := b.wrappersOf(p); len(wraps) > 0 {
				line := "wrap/" + p.ImportPath
				for _, w := range wraps {
					line += " " + w.name
				}
				lines = append(lines, line+"\n")
			}
			if list := missing(p); len(list) > 0 && !emitted(p.ImportPath) {
				lines = append(lines, "-"+p.ImportPath+" "+strings.Join(list, " ")+"\n")
			}
			if builds[0].asserted.inAny[p.ImportPath] {
				lines = append(lines, "?"+p.ImportPath+"\n")
			}
		}
		if i == 0 {
			first = lines
		} else if !slices.Equal(lines, first) {
			return nil, fmt.Errorf("%v has other wrappers or generic names than %v", b.platform, builds[0].platform)
		}
	}
	return first, nil
}

// writeNewer writes the file of what the newer release adds to the tables, which must be the same on all platforms.
func writeNewer(builds, next []*build, asserted, wrapped methods, out output) error {
	var f *goFile
	for i, b := range next {
		g := &goFile{imports: map[string]bool{}}
		for _, p := range b.public {
			if p.ImportPath == "unsafe" {
				continue
			}
			t, wraps := tableOf(p), b.wrappersOf(p)
			if old := builds[i].pkgs[p.ImportPath]; old != nil && public(old) {
				t = t.without(tableOf(old))
				before := builds[i].wrappersOf(old)
				wraps = slices.DeleteFunc(wraps, func(w wrapper) bool {
					return slices.ContainsFunc(before, func(o wrapper) bool { return o.name == w.name })
				})
			}
			if len(t.names)+len(t.consts) > 0 {
				g.table(t)
			}
			g.wrappers(p.ImportPath, wraps)
		}
		if i == 0 {
			f = g
		} else if g.tables.String() != f.tables.String() || g.wraps.String() != f.wraps.String() {
			return fmt.Errorf("%s adds other names on %v than on %v: tables by platform and release are still to be written", b.release, b.platform, next[0].platform)
		}
	}
	more := next[0].asserted.methods.everywhere(next)
	f.methods("newerAsserted", more.without(asserted))
	extra := methods{}
	for _, p := range next[0].public {
		if sameEverywhere(next, p.ImportPath) {
			extra.addWrappers(next[0].wrappersOf(p))
		}
	}
	f.methods("extraWrapped", extra.without(asserted, wrapped, more))
	src, err := f.source("newer")
	src = append([]byte("//go:build go1.27\n\n"), src...)
	out[tablesDir+"/zgo127.go"] = src
	return err
}

// without returns what another table of the same package has not, and constants that have another value there.
func (t table) without(old table) table {
	rest := table{path: t.path}
	for i, name := range t.names {
		if !slices.Contains(old.names, name) {
			rest.names = append(rest.names, name)
			rest.values = append(rest.values, t.values[i])
		}
	}
	for _, line := range t.consts {
		if !slices.Contains(old.consts, line) {
			rest.consts = append(rest.consts, line)
		}
	}
	return rest
}
