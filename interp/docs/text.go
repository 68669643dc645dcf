package docs

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Documentation of packages as text, of which a change of one comment changes the lines of that comment: a line for each package, one for each
// key in it, and what the key has.
const (
	packageLine = "§§ "
	keyLine     = "§ "
)

// WriteAll writes the documentation of packages, by their paths.
func WriteAll(all map[string]Docs) (string, error) {
	var b strings.Builder
	for _, path := range slices.Sorted(maps.Keys(all)) {
		b.WriteString(packageLine + path + "\n")
		for _, key := range slices.Sorted(maps.Keys(all[path])) {
			text := all[path][key]
			if strings.HasPrefix(text, "§") || strings.Contains(text, "\n§") {
				return "", fmt.Errorf("a line of the documentation of %s.%s begins with §", path, key)
			}
			b.WriteString(keyLine + key + "\n" + text + "\n")
		}
	}
	return b.String(), nil
}

// Split returns what WriteAll has written of each package, by its path, for Parse.
func Split(text string) map[string]string {
	return sections(strings.TrimSuffix(text, "\n"), packageLine)
}

// Parse reads the documentation of a package.
func Parse(text string) Docs { return sections(text, keyLine) }

// sections are the parts of a text that begin with a line of a kind, without the end of their last line, by the rest of that line.
func sections(text, line string) map[string]string {
	all := map[string]string{}
	for _, part := range strings.Split("\n"+text, "\n"+line)[1:] {
		name, rest, _ := strings.Cut(part, "\n")
		all[name] = rest
	}
	return all
}
