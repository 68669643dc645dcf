package main

import (
	"bytes"
	"fmt"
	"os"

	"gaucho/stdlib/study"
	"gaucho/studies"
)

// studyCompact keeps what is needed of a finished study for the page on reproduction.
func studyCompact(f studyFlags, s *study.Study) error {
	res, err := loadStudy(f, s)
	if err != nil {
		return err
	}
	c, err := studies.NewCompact(res, studies.Size(f.size))
	if err != nil {
		return err
	}
	path, err := c.WriteFile(f.compact)
	if err == nil {
		fmt.Fprintln(f.out, path)
	}
	return err
}

// studyReport writes the page on reproduction.
func studyReport(f studyFlags) error {
	var page bytes.Buffer
	if err := studies.Report(&page, f.compact); err != nil {
		return err
	}
	return os.WriteFile(f.page, page.Bytes(), 0o666)
}
