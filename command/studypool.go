package command

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"

	"gaucho/stdlib/display"
	"gaucho/stdlib/study"
	"gaucho/stdlib/study/pool"
)

// addPool adds the flags of serve and work.
func (f *studyFlags) addPool(fs *flag.FlagSet) {
	f.pool = *pool.DefaultSettings()
	f.pool.Token = os.Getenv("GAUCHO_TOKEN")
	fs.StringVar(&f.pool.Listen, "listen", f.pool.Listen, "with serve: the `address` to listen on; other machines need --cert, --key and a token")
	fs.StringVar(&f.pool.Store, "store", "", "with serve: the `directory` of the server's queues; by default .pool in that of the records")
	fs.StringVar(&f.pool.URL, "nats", "", "with work: the server's `URL`; with serve: use that NATS server and start none")
	fs.StringVar(&f.pool.Cert, "cert", "", "with serve: `file` with the server's certificate")
	fs.StringVar(&f.pool.Key, "key", "", "with serve: `file` with the certificate's key")
	fs.StringVar(&f.pool.CA, "ca", "", "`file` with the certificate authority of the server's certificate, if it is not a public one")
	fs.StringVar(&f.pool.Token, "token", f.pool.Token, "the `token` that authenticates workers; whoever has it can run code as their users; by default GAUCHO_TOKEN, or on one machine a token of the user's own")
	fs.StringVar(&f.pool.Credentials, "credentials", "", "`file` with credentials for an existing NATS server")
	fs.IntVar(&f.pool.Batch, "batch", 0, "with serve: the `number` of replications that a worker gets at a time; 0 for about half a second of work")
	fs.DurationVar(&f.pool.Idle, "idle", 0, "with work: exit after being idle for this `time`, such as 10m; 0 for never")
	f.pool.Version = longVersion() + " " + runtime.Version()
	f.pool.Log = slog.New(slog.NewTextHandler(os.Stderr, nil))
}

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
