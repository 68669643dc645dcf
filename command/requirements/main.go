// Requirements writes which modules Gaucho's packages need, and which the modules need whose packages cells may import.
//
//	go run ./requirements -o requirements.txt
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"

	"gaucho/internal/modpath"
)

var out = flag.String("o", "", "the `file` to write")

func main() {
	log.SetFlags(0)
	flag.Parse()
	roots, err := roots()
	if err != nil {
		log.Fatal(err)
	}
	var b bytes.Buffer
	for _, root := range slices.Sorted(maps.Keys(roots)) {
		needed := map[string]bool{}
		for _, system := range []string{"linux", "darwin", "windows"} { // which import different packages
			modules, err := list(system, append([]string{"-deps", "-f", "{{with .Module}}{{.Path}}{{end}}"}, roots[root]...)...)
			if err != nil {
				log.Fatal(err)
			}
			for _, m := range modules {
				needed[m] = true
			}
		}
		delete(needed, modpath.Path)
		if len(needed) > 0 {
			fmt.Fprintf(&b, "%s: %s\n", root, strings.Join(slices.Sorted(maps.Keys(needed)), " "))
		}
	}
	if err := os.WriteFile(*out, b.Bytes(), 0o666); err != nil {
		log.Fatal(err)
	}
}

// roots returns the packages of each line: one of Gaucho's, or those of a module that Gaucho's packages or cells import.
func roots() (map[string][]string, error) {
	roots := map[string][]string{}
	ours, err := list("linux", modpath.Path+"/stdlib/...", modpath.Path+"/plotting/...", modpath.Path+"/render", modpath.Path+"/internal/...")
	if err != nil {
		return nil, err
	}
	for _, p := range ours {
		roots[modpath.Cell(p)] = []string{p}
	}
	offered, err := list("linux", "-f", "{{join .Imports \"\\n\"}}", modpath.Own("gaucho/interp/symbols/tables"))
	if err != nil {
		return nil, err
	}
	for _, module := range []string{"gonum.org/v1/gonum", "gonum.org/v1/plot"} {
		for _, p := range offered {
			if strings.HasPrefix(p, module+"/") {
				roots[module] = append(roots[module], p)
			}
		}
	}
	return roots, nil
}

func list(system string, args ...string) ([]string, error) {
	cmd := exec.Command("go", append([]string{"list"}, args...)...)
	cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	return strings.Fields(string(text)), err
}
