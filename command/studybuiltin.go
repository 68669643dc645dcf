package command

import (
	"strings"

	"gaucho/interp"
	"gaucho/papers"
	"gaucho/papers/catalog"
	"gaucho/stdlib/study"
)

func init() { interp.AddSources("papers", papers.Sources) }

// builtinStudy returns a study of the papers. Its records belong to the package that it is in, which is the first word of its
// name, with all of Gaucho's library that this imports.
func builtinStudy(name, size string) (*study.Study, error) {
	s, err := catalog.Get(name, papers.Size(size))
	if err != nil {
		return nil, err
	}
	dir, _, _ := strings.Cut(name, "-")
	s.Source = interp.LibraryContent("papers/" + dir)
	return s, nil
}
