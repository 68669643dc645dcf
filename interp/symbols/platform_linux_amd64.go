package symbols

import _ "embed"

//go:embed data/types_linux_amd64.bin
var platformTypes string
