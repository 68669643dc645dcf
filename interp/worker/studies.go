package worker

import (
	"sync/atomic"

	"gaucho/stdlib/display"
	"gaucho/stdlib/study"
)

// sources are the hashes of the sources of the session's studies, as the front end sent them last.
var sources atomic.Pointer[map[string]string]

// tellStudies has studies ask for their sources here, and show bars.
func tellStudies(engine string) {
	study.SetBar(func(total int, label string) study.Bar { return display.NewProgress(total, label) })
	study.SetCells(engine, func(source string) string {
		if known := sources.Load(); known != nil {
			if hash, ok := (*known)[source]; ok {
				return hash
			}
		}
		return source
	})
}
