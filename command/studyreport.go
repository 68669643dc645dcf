package command

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"gaucho/papers"
	"gaucho/papers/catalog"
	"gaucho/papers/claims"
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
	path, err := papers.WriteCompact(cmp.Or(f.compact, "reproduction"), c)
	if err == nil {
		fmt.Fprintln(f.out, path)
	}
	return err
}

// studyReport writes the page on reproduction, and the claims on it next to the compact records in a directory, for notebooks.
func studyReport(f studyFlags) error {
	if err := holdsRecords(f.compact); err != nil {
		return err
	}
	page, err := claims.Page(f.compact)
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
	return os.WriteFile(f.page, page, 0o666)
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
