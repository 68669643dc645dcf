package symbols

import _ "embed"

//go:embed data/types_linux_arm64.bin
var platformTypes string
