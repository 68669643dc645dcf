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
	"unicode"
	"unicode/utf8"

	"gaucho/command/notebook"
)

// A gradebook is a directory with marks: grades.csv, a page of feedback for each student, and what has been marked from
// what, so that a run that was ended goes on where it was. Every mark is in the table as soon as there is one.
type gradebook struct {
	dir     string
	title   string
	reports []*Report // of all students, in their order
	keys    []string  // what each is made from
	at      map[string]int
	marked  *os.File
	errs    []error
}

// markedFile has a line for each submission that was marked: what it was made from, and the marks.
const markedFile = "marked.jsonl"

type markedLine struct {
	Key    string
	Report *Report
}

// Grade marks submissions into a directory: grades.csv, which is whole at any time, and feedback/STUDENT.html. Submissions
// that were marked there before, from the same files and with the same limits, keep their marks, unless the options say
// otherwise.
func (a *Assignment) Grade(ctx context.Context, all []Submission, dir, title string, o *Options) error {
	if o == nil {
		o = DefaultOptions()
	}
	if err := os.MkdirAll(filepath.Join(dir, "feedback"), 0o755); err != nil {
		return fmt.Errorf("grade: %w", err)
	}
	b := &gradebook{dir: dir, title: title, at: map[string]int{}}
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
	if err := b.writeTable(); err != nil {
		return fmt.Errorf("grade: %w", err)
	}
	options := *o
	options.Done = func(r *Report) {
		b.enter(r)
		if o.Done != nil {
			o.Done(r)
		}
	}
	_, err = a.Run(ctx, left, &options)
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
		if r := before[b.keys[i]]; r != nil && r.Student == sub.Student {
			if _, err := os.Stat(b.page(sub.Student)); err == nil {
				b.reports[i] = r
				continue
			}
		}
		left = append(left, sub)
	}
	return left, nil
}

// enter writes the marks, and then the page, which takes what the student wrote and so may fail.
func (b *gradebook) enter(r *Report) {
	i := b.at[r.Student]
	b.reports[i] = r
	line, err := json.Marshal(markedLine{b.keys[i], r})
	if err == nil {
		_, err = b.marked.Write(append(line, '\n'))
	}
	err = errors.Join(err, b.writeTable())
	var page bytes.Buffer
	if e := r.writePage(&page, b.title); e != nil {
		err = errors.Join(err, e)
	} else {
		err = errors.Join(err, notebook.WriteFile(b.page(r.Student), page.Bytes()))
	}
	if err != nil {
		b.errs = append(b.errs, fmt.Errorf("grade: %s: %w", r.Student, err))
	}
}

func (b *gradebook) writeTable() error {
	var table bytes.Buffer
	if err := writeCSV(&table, b.reports); err != nil {
		return err
	}
	return notebook.WriteFile(filepath.Join(b.dir, "grades.csv"), table.Bytes())
}

// page is the file of a student's feedback. A name that is no good for a file gets one that is.
func (b *gradebook) page(student string) string {
	name := student
	odd := func(r rune) bool {
		return r == utf8.RuneError || !unicode.IsPrint(r) || strings.ContainsRune(`/\:*?"<>|`, r)
	}
	if len(name) > 100 || strings.ContainsFunc(name, odd) {
		hash := sha256.Sum256([]byte(student))
		name = strings.Map(func(r rune) rune {
			if odd(r) {
				return '_'
			}
			return r
		}, name)
		name = strings.ToValidUTF8(name[:min(len(name), 100)], "") + "-" + hex.EncodeToString(hash[:8])
	}
	return filepath.Join(b.dir, "feedback", name+".html")
}

// unmarked is the report on a submission that is yet to be marked.
func (a *Assignment) unmarked(sub Submission) *Report {
	r := &Report{Student: sub.Student, unmarked: true}
	for _, p := range a.parts {
		if p.grade {
			r.Marks = append(r.Marks, Mark{ID: p.id, Of: p.points, Manual: p.solution})
		}
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
	if part(strings.NewReader(sub.Problem)); sub.Problem == "" {
		file(sub.Path)
	}
	return hex.EncodeToString(h.Sum(nil))
}
