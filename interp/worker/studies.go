package worker

import (
	"sync/atomic"

	"gaucho/stdlib/study"
)

// sources are the hashes of the sources of the session's studies, as the front end sent them last.
var sources atomic.Pointer[map[string]string]

// tellStudies has studies ask for their sources here.
func tellStudies(engine string) {
	study.SetCells(engine, func(source string) string {
		if known := sources.Load(); known != nil {
			if hash, ok := (*known)[source]; ok {
				return hash
			}
		}
		return source
	})
}
