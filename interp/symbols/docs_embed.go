//go:build !js

package symbols

import _ "embed"

var (
	//go:embed data/docs.bin
	docsFile string
	//go:embed data/docs.txt
	ownDocsFile string
)

func docsFiles() (archive, own string) { return docsFile, ownDocsFile }
