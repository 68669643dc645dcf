package symbols

import (
	"io"
	"net/http"
	"syscall/js"
)

// docsArchive fetches the archive, which lies beside the script of the Web Worker, so that a page that shows no documentation need not
// load it. Where it cannot be had, names have none.
func docsArchive() string {
	url := js.Global().Get("URL").New("docs.bin", js.Global().Get("location").Get("href"))
	response, err := http.Get(url.Get("href").String())
	if err != nil {
		return noDocs
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		return noDocs
	}
	return string(data)
}

// noDocs is an archive of no packages.
const noDocs = "\x00"
