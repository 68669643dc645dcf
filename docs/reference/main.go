// Reference writes a page for each package that cells use, from its doc comments and examples, into a directory.
// Run it in the root of the repository:
//
//	go run ./docs/reference dist/reference
package main

import (
	"fmt"
	"log"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gaucho/internal/modpath"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("reference: ")
	if len(os.Args) != 2 {
		log.Fatal("usage: go run ./docs/reference DIRECTORY")
	}
	all, err := pages(".")
	if err != nil {
		log.Fatal(err)
	}
	if err := os.MkdirAll(os.Args[1], 0o755); err != nil {
		log.Fatal(err)
	}
	for name, text := range all {
		if err := os.WriteFile(filepath.Join(os.Args[1], name), []byte(text), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// pages returns the text of each page by its file's name.
func pages(root string) (map[string]string, error) {
	all := map[string]*library{}
	for _, pattern := range []string{"plotting", "render", "stdlib/*", "stdlib/table/parquet"} {
		dirs, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		for _, dir := range dirs {
			if info, err := os.Stat(dir); err != nil || !info.IsDir() || filepath.Base(dir) == "internal" {
				continue
			}
			rel, err := filepath.Rel(root, dir)
			if err != nil {
				return nil, err
			}
			p, err := load(dir, path.Join(modpath.Path, filepath.ToSlash(rel)))
			if err != nil {
				return nil, err
			}
			all[p.Name] = p
		}
	}
	pages := map[string]string{}
	var index strings.Builder
	index.WriteString("# Reference\n\nThe packages that cells use without an import.\n\n| package | |\n| --- | --- |\n")
	for _, name := range slices.Sorted(maps.Keys(all)) {
		p := all[name]
		pages[name+".md"] = p.page()
		fmt.Fprintf(&index, "| [%s](%s.md) | %s |\n", name, name, strings.TrimPrefix(p.Synopsis(p.Doc), "Package "+name+" "))
	}
	pages["index.md"] = index.String()
	return pages, nil
}
