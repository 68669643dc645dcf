package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/rpc"
	"os"
	"path/filepath"
	"strings"

	"gaucho/command/headless"
	"gaucho/command/page"
	"gaucho/interp"
	cells "gaucho/interp/rt/run"
	"gaucho/stdlib/study"
)

// A study that a notebook makes is served like this. The notebook runs up to where the study would run. Then the session
// makes one cell of what the study's function reaches (interp.Session.StudyProgram), and the notebook has done its part:
// the command serves the study's description, with that cell as the task. A worker runs the cell in a session of its own,
// whose process takes the function and has jobs sent over a socket.

// offered reports whether the notebook came to the study that is to be served.
func (s *studySink) offered() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last != nil && s.last.Study != nil
}

// serve ends the session and serves the study that the notebook made.
func (s *studySink) serve(ctx context.Context, session *interp.Session) error {
	engine := session.Engine()
	program, err := session.StudyProgram(ctx, s.last.Source)
	if err = errors.Join(err, session.Close()); err != nil {
		return fmt.Errorf("%s: %w", s.name, err)
	}
	made := &study.Study{Replicate: elsewhere}
	if err := json.Unmarshal(s.last.Study, made); err != nil {
		return err
	}
	study.SetCells(engine, func(string) (*study.Source, error) { return nil, nil })
	if err := s.flags.enter(s.dir); err != nil {
		return err
	}
	return s.flags.serve(ctx, made, poolTask{Program: program, Engine: engine})
}

// enter makes the directory of the notebook the working directory: from there the names of files go on that replications read.
func (f *studyFlags) enter(dir string) (err error) {
	p := &f.pool
	for _, file := range []*string{&p.Store, &p.CA, &p.Cert, &p.Key, &p.Credentials} {
		if *file == "" {
			continue
		}
		if *file, err = filepath.Abs(*file); err != nil {
			return err
		}
	}
	return os.Chdir(dir)
}

func elsewhere(context.Context, study.Point, *rand.Rand) (study.Record, error) {
	return nil, errors.New("the function of a notebook's study runs in workers")
}

// A cellBook runs replications in the session of a cell.
type cellBook struct {
	session *interp.Session
	stop    context.CancelFunc // of the cell
	ended   chan struct{}      // closed when the cell has ended
	failed  error              // why, then
	client  *rpc.Client
}

// startCellBook runs a cell up to its study, in a session of its own, and has jobs run there.
func startCellBook(ctx context.Context, o interp.Options, program string, description []byte) (b *cellBook, err error) {
	dir, err := os.MkdirTemp("", "gaucho-study")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	listener, err := net.Listen("unix", filepath.Join(dir, "jobs"))
	if err != nil {
		return nil, err
	}
	defer listener.Close()
	task, err := json.Marshal(notebookTask{Action: "work", Address: listener.Addr().String(), Study: description})
	if err != nil {
		return nil, err
	}
	b = &cellBook{ended: make(chan struct{})}
	o.Sink, o.Task = headless.NewRecorder(), task
	if b.session, err = interp.Start(ctx, o); err != nil {
		return nil, err
	}
	running, stop := context.WithCancel(context.Background())
	b.stop = stop
	go func() {
		defer close(b.ended)
		defer listener.Close()
		b.failed = errors.New("the cell ended")
		if res := b.session.Execute(running, interp.Cell{ID: "study", Source: program, Silent: true}); res.Err != nil {
			b.failed = errors.New(page.StripANSI(strings.Join(res.Err.Traceback, "\n")))
		}
	}()
	defer context.AfterFunc(ctx, func() { listener.Close() })()
	conn, err := listener.Accept()
	if err != nil { // the listener was closed because of something that says more
		if ctx.Err() == nil {
			<-b.ended
			err = fmt.Errorf("the notebook's study cannot run here: %w", b.failed)
		}
		b.end()
		return nil, err
	}
	b.client = rpc.NewClient(conn)
	return b, nil
}

func (b *cellBook) RunJobs(ctx context.Context, jobs []study.Job, workers int) ([]byte, error) {
	var lines []byte
	call := b.client.Go("Jobs.Run", JobList{jobs, workers}, &lines, make(chan *rpc.Call, 1))
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-b.ended:
		return nil, b.failed
	case <-call.Done:
		return lines, call.Error
	}
}

// Close ends the cell and its process.
func (b *cellBook) Close() error {
	err := b.client.Close()
	return errors.Join(err, b.end())
}

func (b *cellBook) end() error {
	b.stop()
	<-b.ended
	return b.session.Close()
}

// JobList is what a process is asked to run.
type JobList struct {
	Jobs    []study.Job
	Workers int
}

// Jobs runs replications in the process of a cell.
type Jobs struct {
	book *study.Book
	ctx  context.Context
}

// Run is called over a socket.
func (j *Jobs) Run(want JobList, lines *[]byte) (err error) {
	*lines, err = j.book.RunJobs(j.ctx, want.Jobs, want.Workers)
	return err
}

// worker takes the function of the study that a cell runs, and runs the jobs that it is sent until the cell ends.
func (t *notebookTask) worker(_ context.Context, s *study.Study, _ *study.Settings, _ func(context.Context, *study.Settings) (*study.Results, error)) (*study.Results, error) {
	served := &study.Study{Replicate: s.Replicate}
	if err := json.Unmarshal(t.Study, served); err != nil {
		return nil, err
	}
	book, err := served.Open(nil)
	if err != nil {
		return nil, err
	}
	defer book.Close()
	conn, err := net.Dial("unix", t.Address)
	if err != nil {
		return nil, err
	}
	ctx := cells.Ctx()
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	server := rpc.NewServer()
	if err := server.Register(&Jobs{book, ctx}); err != nil {
		return nil, err
	}
	server.ServeConn(conn)
	return nil, io.EOF
}
