package symbols

import _ "embed"

//go:embed data/types_windows_amd64.bin
var platformTypes string
