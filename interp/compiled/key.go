package compiled

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gaucho/interp/kit"
	"gaucho/interp/modules"
)

// key names the object of a package of a module by all that it is compiled from: its files, and the keys of those that it imports. What
// the compiler gets besides follows from these. The kit has the compiler, the program's packages and what else belongs to the build.
func (b *Builder) key(p *modules.Package, path string) (key kit.Key, err error) {
	h := sha256.New()
	writeText(h, b.kit.ID, b.CompiledPath(path), p.Module.String(), p.Language())
	writeText(h, packageFlags...)
	b.mu.Lock()
	for _, im := range p.ImportPaths() {
		dep := b.keys[b.CompiledPath(im)]
		writeText(h, im, string(dep[:])) // no key for a package of the program
	}
	b.mu.Unlock()
	var files []string
	for _, f := range p.Files {
		files = append(files, p.Fset.File(f.FileStart).Name())
	}
	files = append(files, p.Assembly...)
	if len(p.Assembly) > 0 {
		headers, _ := filepath.Glob(filepath.Join(p.Dir, "*.[hi]*"))
		files = append(files, headers...)
	}
	for _, pattern := range slices.Sorted(maps.Keys(p.Patterns)) {
		writeText(h, pattern)
		for _, f := range p.Patterns[pattern] {
			files = append(files, filepath.Join(p.Dir, filepath.FromSlash(f)))
		}
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return key, err
		}
		writeText(h, strings.TrimPrefix(file, p.Dir), string(text))
	}
	return kit.Key(h.Sum(nil)), nil
}

// writeText writes texts so that no others write the same.
func writeText(h hash.Hash, texts ...string) {
	for _, t := range texts {
		binary.Write(h, binary.LittleEndian, int64(len(t)))
		h.Write([]byte(t))
	}
}
