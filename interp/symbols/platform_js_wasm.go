package symbols

import _ "embed"

//go:embed data/types_js_wasm.bin
var platformTypes string
