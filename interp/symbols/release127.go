//go:build go1.27

package symbols

import "embed"

//go:embed data/go127
var newerFiles embed.FS

// newerFile returns the file with what Go 1.27 has otherwise than the file of that name in data.
func newerFile(name string) string {
	data, err := newerFiles.ReadFile("data/go127/" + name)
	if err != nil {
		panic("symbols: " + err.Error()) // embedded
	}
	return string(data)
}
