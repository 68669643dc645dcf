//go:build !js

package symbols

import _ "embed"

//go:embed data/docs.bin
var docsFile string

func docsArchive() string { return docsFile }
