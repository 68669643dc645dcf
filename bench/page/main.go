// Command page writes docs/benchmarks.md with its pictures, and the summary in README.md, from the records in bench/results.
// Run it in the root of the repository:
//
//	go run ./bench/page
package main

import (
	"log"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("page: ")
	if err := write(); err != nil {
		log.Fatal(err)
	}
}

func write() error {
	groups, err := read("bench/results")
	if err != nil {
		return err
	}
	const pictures = "docs/benchmarks"
	if err := os.MkdirAll(pictures, 0o755); err != nil {
		return err
	}
	for _, g := range groups {
		if err := g.picture().Save(filepath.Join(pictures, g.Name+".png")); err != nil {
			return err
		}
	}
	if err := os.WriteFile("docs/benchmarks.md", []byte(page(groups)), 0o644); err != nil {
		return err
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		return err
	}
	return os.WriteFile("README.md", []byte(withSummary(string(readme), groups)), 0o644)
}

// The summary stands between these lines.
const begin, end = "<!-- make bench writes what follows -->\n", "<!-- until here -->\n"

// withSummary returns the text with the summary between its marks.
func withSummary(text string, groups []*group) string {
	before, rest, ok := strings.Cut(text, begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		log.Fatalf("README.md does not have the lines %q and %q", begin, end)
	}
	return before + begin + "\n" + summary(groups) + "\n" + end + after
}
