package symbols

import (
	"cmp"
	"io"
	"net/http"
	"syscall/js"
)

// docsFiles fetches the files, which lie beside the script of the Web Worker, so that a page that shows no documentation need not load them.
// Where one cannot be had, names have none.
func docsFiles() (archive, own string) { return cmp.Or(fetch("docs.bin"), noDocs), fetch("docs.txt") }

func fetch(name string) string {
	url := js.Global().Get("URL").New(name, js.Global().Get("location").Get("href"))
	response, err := http.Get(url.Get("href").String())
	if err != nil {
		return ""
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		return ""
	}
	return string(data)
}

// noDocs is an archive of no packages.
const noDocs = "\x00"
