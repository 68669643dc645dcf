// Gallery makes docs/gallery.md: the figures of notebooks that were executed, with links to the notebooks.
//
//	for n in notebooks/papers/*.ipynb; do ./gaucho run $n -p size=paper -o dist/$(basename $n); done
//	go run ./docs/gallery dist/*.ipynb
package main

import (
	"encoding/base64"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"gaucho/command/notebook"
)

// most is how many figures of one notebook are shown.
const most = 4

func main() {
	log.SetFlags(0)
	var page strings.Builder
	page.WriteString("# Gallery\n\nThe figures of the papers' notebooks at the size `paper`. Experiments are drawn from the records of the studies; the other figures are computed. `make gallery` writes this page.\n")
	for _, path := range os.Args[1:] {
		nb, err := notebook.ReadFile(path)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Fprintf(&page, "\n## [%s](../notebooks/papers/%s.ipynb)\n\n", heading(nb), nb.Name)
		for i, figure := range figures(nb) {
			if i == most {
				break
			}
			name := fmt.Sprintf("%s-%d.png", nb.Name, i+1)
			if err := os.WriteFile(filepath.Join("docs", "gallery", name), figure.png, 0o644); err != nil {
				log.Fatal(err)
			}
			fmt.Fprintf(&page, "![%s](gallery/%s)\n", figure.title, name)
		}
	}
	if err := os.WriteFile(filepath.Join("docs", "gallery.md"), []byte(page.String()), 0o644); err != nil {
		log.Fatal(err)
	}
}

// heading is the notebook's title.
func heading(nb *notebook.Notebook) string {
	for _, c := range nb.Cells {
		if title, ok := strings.CutPrefix(c.Source, "# "); ok && c.Type == "markdown" {
			title, _, _ = strings.Cut(title, "\n")
			return title
		}
	}
	return nb.Name
}

type figure struct {
	title string
	png   []byte
}

// figures are the pictures that a notebook shows, of each cell the last. Those that stand for widgets are left out.
func figures(nb *notebook.Notebook) (list []figure) {
	for _, c := range nb.Cells {
		var last *figure
		for _, o := range c.Outputs {
			text, _ := o.Data["image/png"].(string)
			png, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(text, "\n", ""))
			_, widget := o.Data["application/vnd.jupyter.widget-view+json"]
			if err != nil || widget || len(png) == 0 || len(png) > 400<<10 {
				continue
			}
			title, _ := o.Data["text/plain"].(string)
			title, _, _ = strings.Cut(title, "\n")
			last = &figure{strings.TrimPrefix(title, "Figure: "), png}
		}
		if last != nil {
			list = append(list, *last)
		}
	}
	return list
}
