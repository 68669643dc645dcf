package symbols

import _ "embed"

//go:embed data/types_darwin_arm64.bin
var platformTypes string
