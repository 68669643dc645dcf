package command

import (
	"fmt"
	"os"
	"path/filepath"

	"gaucho/papers"
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
	path, err := papers.WriteCompact(f.compact, c)
	if err == nil {
		fmt.Fprintln(f.out, path)
	}
	return err
}

// studyReport writes the page on reproduction, and the claims on it next to the compact records, for notebooks.
func studyReport(f studyFlags) error {
	page, err := claims.Page(f.compact)
	if err != nil {
		return err
	}
	file, err := claims.JSON(f.compact)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(f.compact, 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(f.compact, "claims.json"), file, 0o666); err != nil {
		return err
	}
	return os.WriteFile(f.page, page, 0o666)
}
