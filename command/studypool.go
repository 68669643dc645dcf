package command

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"gaucho/stdlib/display"
	"gaucho/stdlib/study"
	"gaucho/stdlib/study/pool"
)

// A poolTask is what a worker makes a study from.
type poolTask struct {
	Name    string `json:"name,omitempty"` // of one that is built in
	Size    string `json:"size,omitempty"`
	Program string `json:"program,omitempty"` // a cell that runs it, of one that was made in a notebook
	Engine  string `json:"engine,omitempty"`  // and what ran the notebook's cells; a worker takes another only by choice
}

// studyServe has a study that is built in run by workers.
func studyServe(f studyFlags, s *study.Study) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return f.serve(ctx, s, poolTask{Name: f.name, Size: f.size})
}

// serve has a study run by workers, which make it from the task.
func (f *studyFlags) serve(ctx context.Context, s *study.Study, t poolTask) error {
	task, err := json.Marshal(t)
	if err != nil {
		return err
	}
	if f.pool.Store == "" {
		f.pool.Store = filepath.Join(f.dir, ".pool")
	}
	f.pool.Ready = func(url string) {
		fmt.Fprintf(os.Stderr, "Workers join with: gaucho study work --nats %s\n", url)
	}
	bar := display.NewProgress(len(s.Points)*s.Replications, s.Name)
	res, err := pool.Serve(ctx, s, &study.Settings{Dir: f.dir, Workers: 1, Fresh: f.fresh, Progress: nowRun(bar)}, task, &f.pool)
	bar.Done()
	f.tell(s, res)
	return err
}

// studyWork runs what a server gives, on all processors, until it is interrupted.
func studyWork(f studyFlags) error {
	if f.pool.URL == "" {
		return errors.New("work needs the server: --nats URL")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	f.pool.Workers = f.workers
	return pool.Work(ctx, &f.pool, f.loadTask)
}

// A taskBook runs the replications of a study that is built in.
type taskBook struct{ *study.Book }

func (f *studyFlags) loadTask(ctx context.Context, description, task []byte) (pool.Executor, error) {
	var t poolTask
	if err := json.Unmarshal(task, &t); err != nil {
		return nil, err
	}
	if t.Program != "" {
		o := f.session
		o.Engine = cmp.Or(o.Engine, t.Engine)
		return startCellBook(ctx, o, t.Program, description)
	}
	s, err := builtinStudy(t.Name, t.Size)
	if err != nil {
		return nil, err
	}
	if mine, err := s.MarshalJSON(); err != nil {
		return nil, err
	} else if !bytes.Equal(mine, description) {
		return nil, fmt.Errorf("%s is a different study here", t.Name)
	}
	b, err := s.Open(nil)
	return taskBook{b}, err
}
