package papers

import "embed"

// Sources are the packages of the studies: the records of a study belong to them.
//
//go:embed *.go */*.go
var Sources embed.FS
