package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"gaucho/command/headless"
	"gaucho/command/notebook"
	"gaucho/command/page"
	"gaucho/interp"
	cells "gaucho/interp/rt/run"
	"gaucho/papers"
	"gaucho/papers/catalog"
	"gaucho/stdlib/study"
)

// A study that a notebook makes lives in the process in which cells run. So gaucho study runs the notebook up to where the
// study would run, and there, in that process, does what was asked for: the session asks the process with a wire.Task, and it
// answers with wire.News. A study that is served goes on without the notebook: see studyserve.go.

// A notebookTask is what is asked for, as JSON the data of a wire.Task.
type notebookTask struct {
	Action, Name, Dir string
	Shard, Shards     int
	Workers           int
	Fresh, Seconds    bool
	Compact, Page     string

	Address string `json:",omitempty"` // to work: who has the jobs
	Study   []byte `json:",omitempty"` // and the study's description

	tell func(notebookNews) // in the process that has the task
}

// A notebookNews is what there is to say of it, as JSON the data of wire.News.
type notebookNews struct {
	Other       string `json:",omitempty"` // the name of another study that was about to run
	Total, Done int
	End         bool   // all was done
	Out, Error  string // what there is to say, at the end

	Study  []byte `json:",omitempty"` // at the end, to be served: its description
	Source string `json:",omitempty"` // and its Source
}

// A notebookName is a study of a notebook.
type notebookName struct{ path, name string }

func (n notebookName) String() string { return n.path + ":" + n.name }

// findNotebook finds the notebook whose study has that name, which may say the notebook; else it is one in the working directory.
// It reports whether there is one.
func findNotebook(name string) (found notebookName, ok bool, err error) {
	if path, name, ok := strings.Cut(name, ".ipynb:"); ok {
		return notebookName{path + ".ipynb", name}, true, nil
	}
	if strings.HasSuffix(name, ".ipynb") {
		return notebookName{}, false, fmt.Errorf("which study of the notebook? %s:NAME says it", name)
	}
	if _, err := catalog.Get(name, papers.Paper); err == nil {
		return notebookName{}, false, nil
	}
	entries, err := os.ReadDir(".")
	if err != nil {
		return notebookName{}, false, err
	}
	var all []string
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".ipynb" {
			continue
		}
		nb, err := notebook.ReadFile(e.Name())
		if err == nil && mentionsStudy(nb, name) {
			found = notebookName{e.Name(), name}
			all = append(all, found.String())
		}
	}
	if len(all) > 1 {
		return notebookName{}, false, fmt.Errorf("which notebook's study? %s", strings.Join(all, ", "))
	}
	return found, len(all) == 1, nil
}

// mentionsStudy reports whether a notebook makes studies and has that name as a text.
func mentionsStudy(nb *notebook.Notebook, name string) bool {
	makes, names := false, false
	for _, c := range nb.Cells {
		if c.Type == "code" {
			makes = makes || strings.Contains(c.Source, "study.Study{")
			names = names || strings.Contains(c.Source, strconv.Quote(name))
		}
	}
	return makes && names
}

// readNotebook reads the notebook of a study, with parameters set. Records are in the directory studies beside the notebook, unless
// another was chosen.
func (f *studyFlags) readNotebook(path string) (*notebook.Notebook, error) {
	nb, err := notebook.ReadFile(path)
	if err != nil {
		return nil, err
	}
	unknown, err := nb.SetParameters(f.params)
	if err != nil {
		return nil, err
	}
	if len(unknown) > 0 {
		return nil, fmt.Errorf("%s: no cell tagged parameters declares %s", path, strings.Join(unknown, ", "))
	}
	f.setDefaults(filepath.Join(nb.Dir, "studies"), filepath.Join(nb.Dir, "reproduction"))
	for _, name := range []*string{&f.dir, &f.compact, &f.page} {
		if *name == "" {
			continue
		}
		if *name, err = filepath.Abs(*name); err != nil {
			return nil, err
		}
	}
	return nb, nil
}

// notebookStudy does something with the study of a notebook, of which it runs what the study needs, or all if that is not enough.
func notebookStudy(f studyFlags, action string, of notebookName) error {
	nb, err := f.readNotebook(of.path)
	if err != nil {
		return err
	}
	if sliceNotebook(nb, of.name) {
		if sink, err := f.runNotebook(action, nb, of.name); sink == nil || sink.came() {
			return err
		}
		if nb, err = f.readNotebook(of.path); err != nil {
			return err
		}
	}
	_, err = f.runNotebook(action, nb, of.name)
	return err
}

// runNotebook runs a notebook up to the study of that name, and does something with this.
func (f *studyFlags) runNotebook(action string, nb *notebook.Notebook, name string) (sink *studySink, err error) {
	task, err := json.Marshal(notebookTask{Action: action, Name: name, Dir: f.dir, Shard: f.shard.i, Shards: f.shard.n,
		Workers: f.workers, Fresh: f.fresh, Seconds: f.seconds, Compact: f.compact, Page: f.page})
	if err != nil {
		return nil, err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	sink = &studySink{Recorder: headless.NewRecorder(), flags: f, name: name, dir: nb.Dir, end: cancel}
	o := f.session
	o.Dir, o.Sink, o.Task, o.News = nb.Dir, sink, task, sink.news
	session, err := interp.Start(ctx, o)
	if err != nil {
		return nil, err
	}
	err = headless.Run(running, nb, session, sink.Recorder, nil)
	sink.stopped = ctx.Err() != nil
	if sink.offered() {
		return sink, sink.serve(ctx, session)
	}
	return sink, sink.outcome(errors.Join(err, session.Close()))
}

// came reports whether the notebook came to the study, or was stopped by the user before.
func (s *studySink) came() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last != nil || s.bar != nil || s.stopped
}

// A studySink takes what cells show, and the news of the study.
type studySink struct {
	*headless.Recorder
	flags *studyFlags
	name  string
	dir   string // of the notebook
	end   func() // of the notebook

	mu     sync.Mutex
	bar    progress
	last   *notebookNews // at the end
	others []string

	stopped bool // by the user
}

func (s *studySink) news(data []byte) {
	var news notebookNews
	if json.Unmarshal(data, &news) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case news.Other != "":
		s.others = append(s.others, news.Other)
	case news.End:
		s.last = &news
		s.end()
	case s.bar == nil:
		s.bar = s.flags.bar(news.Total, s.name)
		s.bar.Report(news.Done, news.Total)
	default:
		s.bar.Report(news.Done, news.Total)
	}
}

// outcome says how it went; failed is why the notebook ended.
func (s *studySink) outcome(failed error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bar != nil {
		s.bar.Done()
	}
	var ce *headless.CellError
	switch {
	case s.last != nil:
		fmt.Fprint(s.flags.out, s.last.Out)
		if s.last.Error != "" {
			return errors.New(s.last.Error)
		}
		return nil
	case errors.As(failed, &ce):
		return fmt.Errorf("cell [%d] of the notebook failed before %s ran:\n%s", ce.Number, s.name, page.StripANSI(strings.Join(ce.Err.Traceback, "\n")))
	case failed != nil:
		return failed
	case len(s.others) > 0:
		return fmt.Errorf("the notebook runs no study called %s; it runs %s", s.name, strings.Join(s.others, ", "))
	}
	return errors.New("the notebook runs no studies")
}

// takeStudyTask takes a task in the process that will run cells.
func takeStudyTask(task []byte, news func([]byte)) {
	var t notebookTask
	if json.Unmarshal(task, &t) != nil {
		return
	}
	t.tell = func(n notebookNews) {
		if data, err := json.Marshal(n); err == nil {
			news(data)
		}
	}
	study.SetRunner(t.runner)
	if t.Action == "work" {
		study.SetRunner(t.worker)
	}
}

// runner does the task with the study that it is for, and then waits for the end of the cell.
func (t *notebookTask) runner(ctx context.Context, s *study.Study, o *study.Settings, run func(context.Context, *study.Settings) (*study.Results, error)) (*study.Results, error) {
	if s.Name != t.Name {
		t.tell(notebookNews{Other: s.Name})
		return runOther(ctx, o, run)
	}
	var out bytes.Buffer
	f := studyFlags{name: t.Name, dir: t.Dir, shard: shardFlag{t.Shard, t.Shards}, workers: t.Workers, fresh: t.Fresh, seconds: t.Seconds,
		compact: t.Compact, page: t.Page,
		out: &out, bar: func(total int, _ string) progress { return &newsBar{tell: t.tell} }}
	var err error
	news := notebookNews{End: true}
	switch t.Action {
	case "run":
		err = f.runWith(ctx, s, run)
	case "serve":
		news.Source = s.Source
		news.Study, err = s.MarshalJSON()
	default:
		for _, a := range studyActions {
			if a.name == t.Action {
				err = a.run(f, s)
			}
		}
	}
	news.Out = out.String()
	if err != nil {
		news.Error = err.Error()
	}
	done := cells.Done() // the study's context may be another than the cell's
	t.tell(news)
	<-done
	return nil, context.Canceled
}

// runOther runs a study that the one that is asked for needs. Where another process runs it, as that of another shard does, it waits for
// the records.
func runOther(ctx context.Context, o *study.Settings, run func(context.Context, *study.Settings) (*study.Results, error)) (*study.Results, error) {
	for {
		res, err := run(ctx, o)
		if !errors.Is(err, study.ErrLocked) {
			return res, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// A newsBar reports how far a study is, not too often.
type newsBar struct {
	tell func(notebookNews)
	mu   sync.Mutex
	last time.Time
}

func (b *newsBar) Report(done, total int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if now := time.Now(); now.Sub(b.last) > 100*time.Millisecond || done == total {
		b.last = now
		b.tell(notebookNews{Done: done, Total: total})
	}
}

func (b *newsBar) Done() {}
