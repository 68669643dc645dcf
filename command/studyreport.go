package command

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gaucho/papers"
	"gaucho/papers/catalog"
	"gaucho/papers/claims"
	"gaucho/stdlib/reproduction"
	"gaucho/stdlib/study"
)

// studyCompact keeps what is needed of a finished study for the page on reproduction.
func studyCompact(f studyFlags, s *study.Study) error {
	res, err := loadStudy(f, s)
	if err != nil {
		return err
	}
	c, err := papers.NewCompact(res, papers.Size(f.size))
	if err != nil {
		return err
	}
	path, err := papers.WriteCompact(f.compact, c)
	if err == nil {
		fmt.Fprintln(f.out, path)
	}
	return err
}

// studyReport writes the page on reproduction with those that it leads to, and the claims on them next to the compact records in a directory,
// for notebooks.
func studyReport(f studyFlags) error {
	if err := holdsRecords(f.compact); err != nil {
		return err
	}
	pages, err := claims.Pages(f.compact)
	if err != nil {
		return err
	}
	if f.compact != "" {
		file, err := claims.JSON(f.compact)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(f.compact, "claims.json"), file, 0o666); err != nil {
			return err
		}
	}
	const summary = "REPRODUCTION.md"
	path := cmp.Or(f.page, summary)
	for name, text := range pages {
		file := filepath.Join(filepath.Dir(path), filepath.FromSlash(name))
		if name == summary {
			file = path
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// studyPage writes a page on one study: what its records say, how they were made, and the claims that were saved beside its compact
// record.
func studyPage(f studyFlags, s *study.Study) error {
	res, err := loadStudy(f, s)
	if err != nil {
		return err
	}
	if res.Len() == 0 {
		return fmt.Errorf("%s has no records: gaucho study run makes them", s.Name)
	}
	path := cmp.Or(f.page, s.Name+".md")
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", s.Name)
	if s.About != "" {
		fmt.Fprintf(&b, "%s\n\n", s.About)
	}
	fmt.Fprintf(&b, "%d points × %d replications, seed %d", len(s.Points), s.Replications, s.Seed)
	if s.Version != "" {
		fmt.Fprintf(&b, ", version %s", s.Version)
	}
	fmt.Fprintf(&b, "; %d records, %d failed, %d missing. Made by %s.\n", res.Len(), len(res.Failures), res.Missing, strings.Join(res.Made, ", "))
	for _, n := range res.Notes {
		fmt.Fprintf(&b, "\nNote: %s.\n", n)
	}
	claims, err := reproduction.ReadClaims(filepath.Join(f.compact, "claims.json"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if claims = claims.Of(s.Name); len(claims) > 0 {
		fmt.Fprintf(&b, "\n## Claims\n\n%s", claims.Markdown())
	}
	fmt.Fprintf(&b, "\n## Results\n\n%s", res.Markdown())
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		return err
	}
	fmt.Fprintln(f.out, path)
	return nil
}

// holdsRecords returns an error for a directory without a compact record, from which a page would say that nothing was run.
func holdsRecords(dir string) error {
	if dir == "" {
		return nil
	}
	for _, s := range catalog.All(papers.Paper) {
		if _, err := papers.ReadCompact(dir, s.Name); !errors.Is(err, fs.ErrNotExist) {
			return nil
		}
	}
	return fmt.Errorf("%s holds no compact record of a study: gaucho study compact writes one; without --compact, the records that come with Gaucho are taken", dir)
}
