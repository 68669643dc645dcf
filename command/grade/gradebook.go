package grade

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"gaucho/command/notebook"
)

// A gradebook is a directory with marks: grades.csv, a page of feedback for each student, pages of all answers to questions that a
// person marks, the notebooks as they ran, and what has been marked from what, so that a run that was ended goes on where it
// was. Every mark is in the table as soon as there is one.
type gradebook struct {
	dir     string
	title   string
	reports []*Report // of all students, in their order
	keys    []string  // what each is made from
	at      map[string]int
	files   map[string]string // what a student's files are called, without their extensions
	hand    *handBook
	marked  *os.File

	mu   sync.Mutex
	errs []error
}

const (
	gradesFile = "grades.csv"
	// markedFile has a line for each submission that was marked: what it was made from, and the marks.
	markedFile = "marked.jsonl"
	// tablesFile has the hash of each table of marks that was written, before it was.
	tablesFile = "tables.sha256"
)

type markedLine struct {
	Key    string
	Report *Report
}

// Grade marks submissions into a directory: grades.csv, which is whole at any time, feedback/STUDENT.html, and questions/CELL.html
// for what a person marks, in marks.csv. Submissions that were marked there before, from the same files and with the same
// limits, keep their marks, unless the options say otherwise. A table that somebody else has changed is an error.
func (a *Assignment) Grade(ctx context.Context, all []Submission, dir, title string, o *Options) error {
	if o == nil {
		o = DefaultOptions()
	}
	if err := os.MkdirAll(filepath.Join(dir, "feedback"), 0o755); err != nil {
		return fmt.Errorf("grade: %w", err)
	}
	b := &gradebook{dir: dir, title: title, at: map[string]int{}, files: fileNames(all)}
	var err error
	if b.hand, err = readHandBook(filepath.Join(dir, handFile), a, all); err != nil {
		return fmt.Errorf("grade: %w", err)
	}
	for i, sub := range all {
		b.at[sub.Student] = i
		b.keys = append(b.keys, a.origin(sub, o))
		b.reports = append(b.reports, a.unmarked(sub))
	}
	left, err := b.open(all, o.Fresh)
	if err != nil {
		return fmt.Errorf("grade: %w", err)
	}
	defer b.marked.Close()
	for _, r := range b.reports {
		r.hand = b.hand.students[text(r.Student)]
	}
	if err := b.writeTable(); err != nil {
		return fmt.Errorf("grade: %w", err)
	}
	for _, r := range b.reports {
		if !r.unmarked && !b.fresh(r) {
			r.cells = b.cellsOf(r)
			b.note(r, b.writePage(r))
		}
	}
	options := *o
	options.Done = func(r *Report) {
		b.enter(r)
		if o.Done != nil {
			o.Done(r)
		}
	}
	options.after = func(r *Report) {
		b.note(r, b.writePage(r))
		r.cells = nil
	}
	_, err = a.Run(ctx, left, &options)
	if err == nil {
		err = errors.Join(b.hand.invite(filepath.Join(dir, handFile), a, b.reports), b.writeQuestions(a))
	}
	return errors.Join(err, errors.Join(b.errs...))
}

// open takes over what was marked before, and returns what is left to be marked.
func (b *gradebook) open(all []Submission, fresh bool) (left []Submission, err error) {
	path := filepath.Join(b.dir, markedFile)
	mode := os.O_RDWR | os.O_CREATE | os.O_APPEND
	if fresh {
		mode |= os.O_TRUNC
	}
	if b.marked, err = os.OpenFile(path, mode, 0o644); err != nil {
		return nil, err
	}
	before := map[string]*Report{}
	lines := bufio.NewReader(b.marked)
	for {
		line, err := lines.ReadBytes('\n')
		var m markedLine
		if err == nil && json.Unmarshal(line, &m) == nil && m.Report != nil {
			before[m.Key] = m.Report // a line that is torn is of a submission that is marked again
		}
		if err != nil {
			if len(line) > 0 {
				b.marked.WriteString("\n")
			}
			break
		}
	}
	for i, sub := range all {
		if r := before[b.keys[i]]; r != nil && r.Student == sub.Student && r.End != replaced {
			_, err1 := os.Stat(b.page(sub.Student))
			_, err2 := os.Stat(b.ran(sub.Student))
			if err1 == nil && err2 == nil {
				b.reports[i] = r
				continue
			}
		}
		left = append(left, sub)
	}
	return left, nil
}

// enter writes the marks.
func (b *gradebook) enter(r *Report) {
	i := b.at[r.Student]
	r.hand = b.hand.students[text(r.Student)]
	b.reports[i] = r
	line, err := json.Marshal(markedLine{b.keys[i], r})
	if err == nil {
		_, err = b.marked.Write(append(line, '\n'))
	}
	b.note(r, errors.Join(err, b.writeTable()))
}

// note keeps an error about a report for the end.
func (b *gradebook) note(r *Report, err error) {
	if err != nil {
		b.mu.Lock()
		b.errs = append(b.errs, fmt.Errorf("grade: %q: %w", r.Student, err))
		b.mu.Unlock()
	}
}

// writeTable writes the table of marks, unless what is there is not what a grader wrote: then somebody has put work into it.
func (b *gradebook) writeTable() error {
	var table bytes.Buffer
	if err := writeCSV(&table, b.reports); err != nil {
		return err
	}
	path, tables := filepath.Join(b.dir, gradesFile), filepath.Join(b.dir, tablesFile)
	hash := func(b []byte) string { h := sha256.Sum256(b); return hex.EncodeToString(h[:]) }
	old, err := os.ReadFile(path)
	if err == nil {
		if bytes.Equal(old, table.Bytes()) {
			return nil
		}
		written, _ := os.ReadFile(tables)
		if !bytes.Contains(written, []byte(hash(old)+"\n")) {
			return fmt.Errorf("%s was changed by hand, and is not overwritten: enter points and comments in %s (%s), "+
				"then rename or remove it", path, filepath.Join(b.dir, handFile), strings.Join(handHeader, ","))
		}
	}
	f, err := os.OpenFile(tables, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	_, err = f.WriteString(hash(table.Bytes()) + "\n")
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return writeFile(path, table.Bytes())
}

func writeFile(path string, data []byte) error { return notebook.WriteFile(path, data) }

// writePage writes the notebook as it ran, and the page of a student's feedback.
func (b *gradebook) writePage(r *Report) error {
	if err := pageNotebook(r.cells).WriteFile(b.ran(r.Student)); err != nil {
		return err
	}
	html := b.render(r.pageCells(b.title), b.title+": "+r.Student)
	if html == nil {
		html = b.render(r.plainCells(b.title), b.title+": "+r.Student)
	}
	if html == nil {
		return errors.New("its page cannot be made")
	}
	return writeFile(b.page(r.Student), append(html, r.stamp()...))
}

// render makes a page, or returns nil if it would take too much.
func (b *gradebook) render(cells []*notebook.Cell, title string) []byte {
	html, err := renderPage(pageNotebook(cells), title)
	if err != nil {
		return nil
	}
	return html
}

// stamp is the end of a page, which tells pages with other marks apart.
func (r *Report) stamp() []byte {
	h := sha256.New()
	json.NewEncoder(h).Encode([]any{r, r.hand.cells, r.hand.others})
	return fmt.Appendf(nil, "<!-- %x -->\n", h.Sum(nil))
}

// fresh reports whether a student's page has the marks.
func (b *gradebook) fresh(r *Report) bool {
	html, err := os.ReadFile(b.page(r.Student))
	return err == nil && bytes.HasSuffix(html, r.stamp())
}

// cellsOf reads the cells of a notebook as it ran.
func (b *gradebook) cellsOf(r *Report) []*notebook.Cell {
	nb, err := notebook.ReadFile(b.ran(r.Student))
	if err != nil {
		return nil
	}
	return nb.Cells
}

// page is the file of a student's feedback, and ran that of the notebook as it ran.
func (b *gradebook) page(student string) string {
	return filepath.Join(b.dir, "feedback", b.files[student]+".html")
}

func (b *gradebook) ran(student string) string {
	return filepath.Join(b.dir, "ran", b.files[student]+".ipynb")
}

// fileNames returns what each student's files are called. A name that is no good for a file gets one that is, and names that would
// share a file, where a file system does not distinguish upper case from lower case, are told apart.
func fileNames(all []Submission) map[string]string {
	names := map[string]string{}
	for _, s := range all {
		names[s.Student] = fileOf(s.Student)
	}
	for {
		count := map[string]int{}
		for _, n := range names {
			count[strings.ToLower(n)]++
		}
		if len(count) == len(names) {
			return names
		}
		for s, n := range names {
			if count[strings.ToLower(n)] > 1 {
				names[s] = n + "-" + hashOf(s)
			}
		}
	}
}

func hashOf(s string) string {
	hash := sha256.Sum256([]byte(s))
	return hex.EncodeToString(hash[:8])
}

// fileOf is a name as that of a file.
func fileOf(name string) string {
	odd := func(r rune) bool {
		return r == utf8.RuneError || !unicode.IsPrint(r) || strings.ContainsRune(`/\:*?"<>|`, r)
	}
	if len(name) <= 100 && !strings.ContainsFunc(name, odd) {
		return name
	}
	plain := strings.Map(func(r rune) rune {
		if odd(r) {
			return '_'
		}
		return r
	}, name)
	return strings.ToValidUTF8(plain[:min(len(plain), 100)], "") + "-" + hashOf(name)
}

// unmarked is the report on a submission that is yet to be marked.
func (a *Assignment) unmarked(sub Submission) *Report {
	r := &Report{Student: sub.Student, unmarked: true}
	for _, p := range a.marked() {
		r.Marks = append(r.Marks, Mark{ID: p.id, Of: p.points, Manual: p.isManual()})
	}
	return r
}

// origin tells apart what marks are made from: the source and what it gives, the limits, the program, and the submission.
func (a *Assignment) origin(sub Submission, o *Options) string {
	h := sha256.New()
	part := func(r io.Reader) {
		inner := sha256.New()
		io.Copy(inner, r)
		h.Write(inner.Sum(nil))
	}
	file := func(path string) {
		if f, err := os.Open(path); err == nil {
			part(io.LimitReader(f, maxNotebook+1))
			f.Close()
		} else {
			part(strings.NewReader("none"))
		}
	}
	self, _ := os.Executable()
	if st, err := os.Stat(self); err == nil {
		fmt.Fprintln(h, st.Size(), st.ModTime().UnixNano())
	}
	fmt.Fprintln(h, o.Limits, o.Unfenced, o.Engine)
	var source bytes.Buffer
	a.notebook.Encode(&source)
	part(&source)
	for _, f := range a.files {
		part(strings.NewReader(f))
		file(filepath.Join(a.notebook.Dir, f))
	}
	part(strings.NewReader(sub.Student))
	part(strings.NewReader(sub.Problem))
	if data, err := sub.content(); err == nil {
		part(bytes.NewReader(data))
	} else {
		part(strings.NewReader(err.Error()))
	}
	return hex.EncodeToString(h.Sum(nil))
}
