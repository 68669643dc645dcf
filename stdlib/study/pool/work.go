package pool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"gaucho/stdlib/study"
)

// An Executor runs replications of one study.
type Executor interface {
	// RunJobs runs replications and returns their outcomes as lines, as study.Book has it. It is called from several
	// goroutines.
	RunJobs(ctx context.Context, jobs []study.Job, workers int) ([]byte, error)
	Close() error
}

// A Load makes a study from the task that Serve was given. The description is the study's on the serving side; the
// study that is made must have the same.
type Load func(ctx context.Context, description, task []byte) (Executor, error)

// Work runs batches of replications until ctx ends, or there has been nothing to do for settings.Idle. It returns an
// error when there is no server at first, when the server's program is of another version, or when a task cannot be
// loaded; what it holds is given to others.
func Work(ctx context.Context, p *Settings, load Load) error {
	p = p.WithDefaults()
	if err := p.check(); err != nil {
		return err
	}
	p, err := p.withToken(false)
	if err != nil {
		return err
	}
	nc, err := p.connect(p.URL)
	if err != nil {
		return err
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		return fmt.Errorf("pool: %w", err)
	}
	w := &worker{queue: queue{nc: nc, js: js}, settings: p, load: load, tasks: map[string]*task{}}
	defer w.close()
	defer nc.FlushTimeout(time.Second) // what is given back
	return w.run(ctx)
}

// A worker is one process that runs batches.
type worker struct {
	queue
	settings *Settings
	load     Load
	began    time.Time
	busy     atomic.Int64 // when there was something to do last: nanoseconds since it began, which clocks that are put right do not change

	mu    sync.Mutex
	tasks map[string]*task // by run
}

// A task is a study that has been loaded, or is being.
type task struct {
	once    sync.Once
	exec    Executor // nil when the run has ended
	err     error
	key     []byte      // of its results' signatures
	study   study.Study // by its description
	objects jetstream.ObjectStore
}

func (w *worker) close() {
	for _, t := range w.tasks {
		if t.exec != nil {
			if err := t.exec.Close(); err != nil {
				w.settings.log().Warn("a task did not end well", "err", err)
			}
		}
	}
}

// run works in several slots until all are done. The first error ends them all.
func (w *worker) run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w.began = time.Now()
	var wg sync.WaitGroup
	for range w.settings.Workers {
		wg.Go(func() {
			if err := w.slot(ctx); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	if err := context.Cause(ctx); err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// slot runs one batch after another. What one gave is on its way while the next one runs.
func (w *worker) slot(ctx context.Context) error {
	var jobs jetstream.Consumer
	var onTheWay sync.WaitGroup
	defer onTheWay.Wait()
	for ctx.Err() == nil {
		var err error
		if jobs == nil {
			err = within(ctx, shortAttempt, func(ctx context.Context) error {
				jobs, err = w.js.Consumer(ctx, jobStream, jobConsumer)
				return err
			})
			if err != nil {
				jobs = nil
			}
		}
		if jobs == nil {
			rest(ctx)
		} else if done, err := w.next(ctx, jobs, &onTheWay); err != nil {
			return err
		} else if done {
			w.busy.Store(int64(time.Since(w.began)))
		}
		if w.settings.Idle > 0 && time.Since(w.began)-time.Duration(w.busy.Load()) > w.settings.Idle {
			return nil
		}
	}
	return nil
}

// poll is how long a worker waits for a batch before it looks whether it should end, and pause how long it waits when
// the server is away or does not know of any queue.
const (
	poll  = 2 * time.Second
	pause = 300 * time.Millisecond
)

func rest(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(pause):
	}
}

// fetch waits a while for a batch. It returns nil if there is none; what hinders it mends itself.
func fetch(ctx context.Context, jobs jetstream.Consumer) jetstream.Msg {
	wait, cancel := context.WithTimeout(ctx, poll)
	defer cancel()
	got, err := jobs.Fetch(1, jetstream.FetchContext(wait))
	if err != nil {
		rest(ctx)
		return nil
	}
	m, ok := <-got.Messages()
	if ok {
		return m
	}
	if err := got.Error(); err != nil && wait.Err() == nil {
		rest(ctx)
	}
	return nil
}

// next runs a batch if there is one, and sends off what it gave, when what was sent before has arrived. Until then the batch
// is reported to be worked on. An error is one that ends the worker.
func (w *worker) next(ctx context.Context, jobs jetstream.Consumer, onTheWay *sync.WaitGroup) (done bool, err error) {
	m := fetch(ctx, jobs)
	if m == nil {
		return false, nil
	}
	working, stop := context.WithCancel(ctx)
	go alive(working, m, jobs.CachedInfo().Config.AckWait/3)
	t, lines, err := w.do(ctx, m)
	if t == nil {
		stop()
		return true, err
	}
	onTheWay.Wait()
	onTheWay.Go(func() {
		defer stop()
		w.handOver(ctx, m, t, lines)
	})
	return true, nil
}

// do runs a batch and returns what it gave. If it gives nothing, the task is nil and the batch given back, or dropped.
func (w *worker) do(ctx context.Context, m jetstream.Msg) (*task, []byte, error) {
	t := w.task(ctx, runOf(m))
	if ctx.Err() != nil {
		m.Nak()
		return nil, nil, nil
	}
	if t.err != nil {
		return nil, nil, errors.Join(t.err, m.Nak())
	}
	if t.exec == nil {
		return nil, nil, m.Term()
	}
	jobs, err := jobsOf(m.Data())
	if err == nil {
		err = t.has(jobs)
	}
	if err != nil {
		w.settings.log().Warn("a job is dropped", "err", err)
		return nil, nil, m.Term()
	}
	lines, err := t.exec.RunJobs(ctx, jobs, 1)
	if ctx.Err() != nil {
		m.Nak() // another worker has it at once
		return nil, nil, nil
	}
	if err != nil { // what ran it is gone: with another one it goes on, and the server counts how often the batch is given out
		w.settings.log().Warn("what ran a batch has ended, and is started anew", "batch", t.name(jobs), "err", err)
		w.forget(runOf(m), t)
		m.Nak()
		return nil, nil, nil
	}
	return t, lines, nil
}

// name says which replications a batch has.
func (t *task) name(jobs []study.Job) string {
	var list []string
	for _, j := range jobs {
		list = append(list, fmt.Sprintf("%v replication %d", t.study.Points[j.Point], j.Rep))
	}
	return t.study.Name + ": " + strings.Join(list, ", ")
}

// forget has a task loaded anew when it is next asked for.
func (w *worker) forget(run string, t *task) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.tasks[run] != t {
		return
	}
	delete(w.tasks, run)
	if err := t.exec.Close(); err != nil {
		w.settings.log().Info("a task did not end well", "err", err)
	}
}

// runOf is the run that a batch is of.
func runOf(m jetstream.Msg) string { return strings.TrimPrefix(m.Subject(), jobSubject) }

// handOver publishes what a batch gave, and then acknowledges it.
func (w *worker) handOver(ctx context.Context, m jetstream.Msg, t *task, lines []byte) {
	if err := w.publish(ctx, t.objects, resultSubject+runOf(m), lines, t.key); err != nil {
		m.Nak()
		return
	}
	if err := m.Ack(); err != nil {
		w.settings.log().Warn("a batch is not acknowledged and will be run again", "err", err)
	}
}

// has returns an error if the study lacks one of the replications: whoever queued it is of another program, or of bad faith.
func (t *task) has(jobs []study.Job) error {
	for _, j := range jobs {
		if j.Point < 0 || j.Point >= len(t.study.Points) || j.Rep < 0 || j.Rep >= t.study.Replications {
			return fmt.Errorf("pool: %s has no replication %d of point %d", t.study.Name, j.Rep, j.Point)
		}
	}
	return nil
}

// alive reports to the server again and again that the batch is being worked on.
func alive(ctx context.Context, m jetstream.Msg, every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			m.InProgress() // when the network is away it fails, and does no harm
		}
	}
}

// task returns the study of a run.
func (w *worker) task(ctx context.Context, run string) *task {
	w.mu.Lock()
	t := w.tasks[run]
	if t == nil {
		t = &task{}
		w.tasks[run] = t
	}
	w.mu.Unlock()
	t.once.Do(func() { t.err = w.fill(ctx, t, run) })
	if t.exec == nil { // it may be served again
		w.mu.Lock()
		delete(w.tasks, run)
		w.mu.Unlock()
	}
	return t
}

// fill loads the study of a run.
func (w *worker) fill(ctx context.Context, t *task, run string) (err error) {
	err = within(ctx, shortAttempt, func(ctx context.Context) (err error) {
		t.objects, err = w.js.ObjectStore(ctx, objectBucket)
		return err
	})
	if err != nil {
		return fmt.Errorf("pool: the object store: %w", err)
	}
	js, err := getObject(ctx, t.objects, planName(run))
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("pool: the plan: %w", err)
	}
	t.key = taskKey(w.settings.Token, js)
	var p plan
	if err := json.Unmarshal(js, &p); err != nil {
		return fmt.Errorf("pool: the plan: %w", err)
	}
	if p.Version != w.settings.Version {
		return fmt.Errorf("pool: the study is served by version %s, and this is %s: both must be the same", p.Version, w.settings.Version)
	}
	if err := json.Unmarshal(p.Study, &t.study); err != nil {
		return fmt.Errorf("pool: the plan: %w", err)
	}
	if t.exec, err = w.load(ctx, p.Study, p.Task); err != nil {
		return fmt.Errorf("pool: the study cannot be made: %w", err)
	}
	return nil
}
