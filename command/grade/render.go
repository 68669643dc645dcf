package grade

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"gaucho/command/grade/fence"
	"gaucho/command/notebook"
	"gaucho/command/page"
)

// What one page may take. The process that writes it ends by itself when it has used its processor time; the clock is for
// one that cannot.
const (
	pageTime   = 20 * time.Second
	pageClock  = 3 * time.Minute
	pageMemory = 1 << 30
	pageBytes  = 32 << 20
)

// A draft is what a page is made from.
type draft struct {
	Title    string
	Notebook []byte
}

// renderPage makes a page of what students wrote, in a process of its own with limits: text can be made that a page takes hours
// or gigabytes to show. An error is that there is no such page.
func renderPage(nb *notebook.Notebook, title string) ([]byte, error) {
	var file bytes.Buffer
	if err := nb.Encode(&file); err != nil {
		return nil, err
	}
	in, err := json.Marshal(draft{title, file.Bytes()})
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), pageClock)
	defer cancel()
	cmd := exec.CommandContext(ctx, self, "grade-page")
	cmd.Stdin = bytes.NewReader(in)
	ownGroup(cmd, false) // an interrupt is for the grader, which stops between pages
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	html, err := io.ReadAll(io.LimitReader(out, pageBytes+1))
	if len(html) > pageBytes {
		err = fmt.Errorf("the page is larger than %s", size(pageBytes))
		cancel()
	}
	if e := cmd.Wait(); err == nil {
		err = e
	}
	return html, err
}

// Page is the main function of the process that makes a page: it reads a draft from standard input and writes HTML to standard
// output.
func Page([]string) int {
	var d draft
	err := fence.Limit(fence.Rules{Data: pageMemory, CPU: pageTime})
	if err == nil {
		err = json.NewDecoder(os.Stdin).Decode(&d)
	}
	var nb *notebook.Notebook
	if err == nil {
		nb, err = notebook.Decode(d.Notebook)
	}
	if err == nil {
		go endAfter(os.Getppid())
		err = page.Write(os.Stdout, nb, &page.Options{Title: d.Title, Untrusted: true})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "this command is started by gaucho grade, not by hand:", err)
		return 1
	}
	return 0
}

// pageNotebook is a notebook of which a page is made.
func pageNotebook(cells []*notebook.Cell) *notebook.Notebook {
	return &notebook.Notebook{Metadata: map[string]any{"language_info": map[string]any{"name": "go"}}, Cells: cells, Minor: 4}
}
