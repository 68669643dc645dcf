package main

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"gaucho/interp/symbols/internal/export"
)

func sortBy[T any](list []T, key func(T) string) {
	sort.Slice(list, func(i, j int) bool { return key(list[i]) < key(list[j]) })
}

// chunks returns the export data of all packages that cells can import and of what these refer to, by package path.
func (b *build) chunks() (map[string][]byte, error) {
	names := map[string]map[string]bool{} // package path to the objects needed
	var queue []string
	need := func(path, name string) {
		set := names[path]
		if set == nil {
			set = map[string]bool{}
			names[path] = set
			queue = append(queue, path)
		}
		if name != "" && !set[name] {
			set[name] = true
			if !slices.Contains(queue, path) {
				queue = append(queue, path)
			}
		}
	}
	for _, p := range b.public {
		if p.ImportPath == "unsafe" {
			continue
		}
		need(p.ImportPath, "")
		for _, name := range exported(p) {
			need(p.ImportPath, name)
		}
	}
	result := map[string][]byte{}
	for len(queue) > 0 {
		path := queue[0]
		queue = queue[1:]
		chunk, refs, err := export.Write(b.pkgs[path].types, slices.Sorted(maps.Keys(names[path])))
		if err != nil {
			return nil, err
		}
		result[path] = chunk
		for _, r := range refs {
			need(r.Pkg.Path(), r.Name)
		}
	}
	return result, nil
}

// exported returns the exported package-level names of a package, sorted.
func exported(p *pkg) []string {
	var list []string
	for _, name := range p.types.Scope().Names() {
		if p.types.Scope().Lookup(name).Exported() {
			list = append(list, name)
		}
	}
	return list
}

// writeExport writes the export data: an archive of what is the same on all platforms, and one for each platform.
func writeExport(builds, next []*build, out output) error {
	base, err := exportArchives(builds)
	if err != nil {
		return err
	}
	later, err := exportArchives(next)
	if err != nil {
		return err
	}
	for name, chunks := range base {
		out[dataDir+"/"+name] = archive(union(builds), chunks)
		out[newerDir+"/"+name] = archive(union(next), changed(chunks, later[name]))
	}
	return nil
}

// exportArchives returns what the archives hold, by their file's name.
func exportArchives(builds []*build) (map[string]map[string][]byte, error) {
	all := make([]map[string][]byte, len(builds))
	for i, b := range builds {
		var err error
		if all[i], err = b.chunks(); err != nil {
			return nil, err
		}
	}
	common := maps.Clone(all[0])
	for _, chunks := range all[1:] {
		maps.DeleteFunc(common, func(path string, c []byte) bool { return !bytes.Equal(c, chunks[path]) })
	}
	archives := map[string]map[string][]byte{"types.bin": common}
	for i, b := range builds {
		own := maps.Clone(all[i])
		maps.DeleteFunc(own, func(path string, _ []byte) bool { return common[path] != nil })
		archives["types_"+b.platform.String()+".bin"] = own
	}
	return archives, nil
}

// changed returns the entries that are not the same in the older archive.
func changed(old, entries map[string][]byte) map[string][]byte {
	rest := maps.Clone(entries)
	maps.DeleteFunc(rest, func(path string, data []byte) bool {
		before, ok := old[path]
		return ok && bytes.Equal(data, before)
	})
	return rest
}

// union is a build with the packages of all platforms.
func union(builds []*build) *build {
	u := &build{pkgs: map[string]*pkg{}}
	for _, b := range builds {
		maps.Copy(u.pkgs, b.pkgs)
	}
	return u
}

// archive packs entries, each compressed on its own. It starts with the number of entries; for each entry follow path,
// package name (empty where equal to the path's last element), whether cells can import it, and the length of the
// compressed data; then all data.
func archive(b *build, entries map[string][]byte) []byte {
	var index, data []byte
	text := func(s string) {
		index = binary.AppendUvarint(index, uint64(len(s)))
		index = append(index, s...)
	}
	index = binary.AppendUvarint(index, uint64(len(entries)))
	for _, path := range slices.Sorted(maps.Keys(entries)) {
		p := b.pkgs[path]
		text(path)
		if name := p.Name; path[strings.LastIndexByte(path, '/')+1:] == name {
			text("")
		} else {
			text(name)
		}
		flag := uint64(0)
		if public(p) && !emitted(path) {
			flag = 1
		}
		index = binary.AppendUvarint(index, flag)
		c := compress(entries[path])
		index = binary.AppendUvarint(index, uint64(len(c)))
		data = append(data, c...)
	}
	return append(index, data...)
}

func compress(data []byte) []byte {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(fmt.Sprintf("compress: %v", err)) // writing to memory does not fail
	}
	return b.Bytes()
}
