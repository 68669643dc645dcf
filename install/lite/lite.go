// Package lite is Gaucho for JupyterLite, where a notebook runs in the browser alone.
//
// Program is what runs there, built for js/wasm. Directory extension holds what brings it into the page, as the browser reads
// it: remoteEntry.js is what JupyterLite loads first, kernel.js and drive.js belong to the page, worker.js, ring.js, and files.js
// to the Web Workers in which the program runs. Of these there are two for a kernel:
//
//	page             messages of Jupyter    kernel           messages of package wire    worker
//	kernel.js      <---------------------> worker.js  <---------------------------------> worker.js
//	drive.js                                               (ring.js, or postMessage)
//	      <------------------------- files of the drive (files.js) --------------------------->
//
// A third, program.js, has brought the program before: from the browser's cache, or fetched, and unpacked by zstd.js. One
// WebAssembly.Module serves them all. The kernel can end the worker at any time and start another, as it does with processes
// elsewhere.
package lite

import "embed"

//go:embed extension/*.js
var extension embed.FS

// Scripts returns the files of the extension, by name.
func Scripts() (map[string][]byte, error) {
	list, err := extension.ReadDir("extension")
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, e := range list {
		if files[e.Name()], err = extension.ReadFile("extension/" + e.Name()); err != nil {
			return nil, err
		}
	}
	return files, nil
}
