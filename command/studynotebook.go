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
	"slices"
	"strings"
	"sync"
	"time"

	"gaucho/command/headless"
	"gaucho/command/notebook"
	"gaucho/command/page"
	"gaucho/interp"
	cells "gaucho/interp/rt/run"
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

// notebookActions are those that a notebook's study can have.
var notebookActions = []string{"run", "status", "show", "export", "merge", "serve"}

// notebookStudy does something with the study of a notebook. Records are in the directory studies next to the notebook, unless
// another was chosen.
func notebookStudy(f studyFlags, action, path, name string, chosen bool) error {
	if !slices.Contains(notebookActions, action) {
		return fmt.Errorf("%s is for built-in studies only; for a notebook's study there are %s", action, strings.Join(notebookActions, ", "))
	}
	nb, err := notebook.ReadFile(path)
	if err != nil {
		return err
	}
	unknown, err := nb.SetParameters(f.params)
	if err != nil {
		return err
	}
	if len(unknown) > 0 {
		return fmt.Errorf("%s: no cell tagged parameters declares %s", path, strings.Join(unknown, ", "))
	}
	if !chosen {
		f.dir = filepath.Join(nb.Dir, "studies")
	}
	if f.dir, err = filepath.Abs(f.dir); err != nil {
		return err
	}
	task, err := json.Marshal(notebookTask{Action: action, Name: name, Dir: f.dir, Shard: f.shard.i, Shards: f.shard.n,
		Workers: f.workers, Fresh: f.fresh, Seconds: f.seconds})
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	sink := &studySink{Recorder: headless.NewRecorder(), flags: &f, name: name, end: cancel}
	o := f.session
	o.Dir, o.Sink, o.Task, o.News = nb.Dir, sink, task, sink.news
	session, err := interp.Start(ctx, o)
	if err != nil {
		return err
	}
	err = headless.Run(running, nb, session, sink.Recorder, nil)
	if sink.offered() {
		return sink.serve(ctx, session)
	}
	return sink.outcome(errors.Join(err, session.Close()))
}

// A studySink takes what cells show, and the news of the study.
type studySink struct {
	*headless.Recorder
	flags *studyFlags
	name  string
	end   func() // of the notebook

	mu     sync.Mutex
	bar    progress
	last   *notebookNews // at the end
	others []string
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
		return run(ctx, o)
	}
	var out bytes.Buffer
	f := studyFlags{name: t.Name, dir: t.Dir, shard: shardFlag{t.Shard, t.Shards}, workers: t.Workers, fresh: t.Fresh, seconds: t.Seconds,
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
