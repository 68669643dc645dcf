// Command page writes docs/benchmarks.md with its pictures, and a table in README.md, from the records in bench/results.
// Run it in the root of the repository:
//
//	go run ./bench/page
package main

import (
	"fmt"
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
		if len(g.peers()) == 0 {
			continue
		}
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
	text, err := withSummary(string(readme), groups)
	if err != nil {
		return err
	}
	return os.WriteFile("README.md", []byte(text), 0o644)
}

// withSummary returns README's text with the summary between the comments around it.
func withSummary(text string, groups []*group) (string, error) {
	const begin, end = "<!-- make bench writes the summary -->\n", "<!-- end of the summary -->\n"
	before, rest, ok := strings.Cut(text, begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return "", fmt.Errorf("README.md does not have the lines %q and %q", begin, end)
	}
	return before + begin + "\n" + summary(groups) + "\n" + end + after, nil
}
