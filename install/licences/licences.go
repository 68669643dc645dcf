// Package licences holds the texts of the licences of what a built program consists of, which go wherever it goes.
package licences

import _ "embed"

//go:generate go run ./gen -o LICENSES.txt

// Text is the texts, each after the modules and files that have it.
//
//go:embed LICENSES.txt
var Text string
