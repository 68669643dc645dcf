package pool

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"gaucho/stdlib/study"
)

// A plan is what a worker must know of a run.
type plan struct {
	Version string          `json:"version"`
	Study   json.RawMessage `json:"study"` // its description
	Task    []byte          `json:"task"`
}

// planName is the name of a run's plan in the object store.
func planName(run string) string { return "plan-" + run }

// runName identifies a run by all that workers must know: the same study with another grid is another one, because jobs
// name points by number.
func runName(all []byte) string {
	sum := sha256.Sum256(all)
	return hex.EncodeToString(sum[:10])
}

// Serve has the missing replications of a study run by workers and returns when all have an outcome or ctx ends. The
// file of records is kept here, as Run keeps it, and Serve resumes as Run does. Workers get the task, from which
// they make the study. The function Replicate is not called here.
//
// Failures of replications are in the results and, the first of them, in the error.
func Serve(ctx context.Context, s *study.Study, o *study.Settings, task []byte, p *Settings) (*study.Results, error) {
	p = p.WithDefaults()
	if err := p.check(); err != nil {
		return nil, err
	}
	p, err := p.withToken(true)
	if err != nil {
		return nil, err
	}
	var h *hub
	if o != nil && o.Fresh { // earlier records are not put away when there is no server
		if h, err = p.reach(); err != nil {
			return nil, err
		}
	}
	book, err := s.Open(o)
	if err == nil {
		err = serve(ctx, s, book, task, p, h)
	} else if h != nil {
		h.close()
	}
	if book == nil {
		return nil, err
	}
	if cerr := book.Close(); err == nil {
		err = cerr
	}
	res := book.Results()
	if err == nil && len(res.Failures) > 0 {
		err = res.Failures[0]
	}
	return res, err
}

// serve runs what is missing over the hub, if that is not nil, or one of its own.
func serve(ctx context.Context, s *study.Study, book *study.Book, task []byte, p *Settings, h *hub) (err error) {
	if h == nil {
		if book.Left() == 0 {
			return nil
		}
		if h, err = p.reach(); err != nil {
			return err
		}
	}
	defer h.close()
	q, err := p.open(ctx, h.nc)
	if err != nil {
		return err
	}
	c := &collector{queue: q, hub: h, book: book, settings: p, batch: cmp.Or(p.Batch, batchFor(s)), deadly: map[study.Job]bool{}}
	_, c.joined = h.connections()
	if err := c.begin(ctx, s, task); err != nil {
		return err
	}
	if p.Ready != nil {
		p.Ready(h.url)
	}
	if err := c.collect(ctx); err != nil {
		return err
	}
	return c.end(ctx)
}

// batchFor is a number of replications that take about half a second.
func batchFor(s *study.Study) int {
	if s.Seconds <= 0 {
		return 10
	}
	return int(min(100, max(1, 0.5/s.Seconds)))
}

// A collector takes in the results of one run.
type collector struct {
	*queue
	hub      *hub
	joined   int // connections that there were when it was last said that no worker is left, or at first
	book     *study.Book
	settings *Settings
	run      string
	key      []byte // of workers' signatures
	batch    int
	results  jetstream.Consumer
	workers  jetstream.Consumer
	queued   []study.Job        // what was queued last
	lastSize int                // replications that were missing then
	deadly   map[study.Job]bool // those that ended maxDeliver workers when nothing else was queued
	entered  []result           // that the file may not have yet
	settled  time.Time          // when it had all
}

// A result is a message with what a batch gave, and the name of the object that holds it if the message does not.
type result struct {
	jetstream.Msg
	object string
}

// settleEvery is how long a result waits for others, to be written to the file and acknowledged with them. Results that come
// slower do not wait. A server that has one result at a time makes a file for each and removes it again.
const settleEvery = 50 * time.Millisecond

// begin publishes the plan and queues what is missing. What an earlier server of the run had queued is dropped, because
// nobody knows what it was; results that came meanwhile are kept.
func (c *collector) begin(ctx context.Context, s *study.Study, task []byte) error {
	description, err := s.MarshalJSON()
	if err != nil {
		return err
	}
	c.run = runName(slices.Concat(description, []byte(c.settings.Version), task))
	js, err := json.Marshal(plan{c.settings.Version, description, task})
	if err != nil {
		return fmt.Errorf("pool: %w", err)
	}
	c.key = taskKey(c.settings.Token, js)
	err = within(ctx, longAttempt, func(ctx context.Context) error {
		_, err := c.objects.PutBytes(ctx, planName(c.run), js)
		return err
	})
	if err != nil {
		return fmt.Errorf("pool: the plan cannot be published: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, longAttempt)
	defer cancel()
	if c.workers, err = c.jobs.Consumer(ctx, jobConsumer); err != nil {
		return fmt.Errorf("pool: %w", err)
	}
	c.results, err = c.queue.results.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: "collector-" + c.run, FilterSubject: resultSubject + c.run, AckPolicy: jetstream.AckExplicitPolicy,
		AckWait: c.settings.AckWait, MaxAckPending: -1,
	})
	if err != nil {
		return fmt.Errorf("pool: another process serves this study, or the results cannot be read: %w", err)
	}
	return c.enqueue(ctx, c.book.Missing(), c.batch)
}

// enqueue queues what has no outcome, in batches.
func (c *collector) enqueue(ctx context.Context, wanted []study.Job, batch int) error {
	if err := c.jobs.Purge(ctx, jetstream.WithPurgeSubject(jobSubject+c.run)); err != nil {
		return fmt.Errorf("pool: %w", err)
	}
	c.queued, c.lastSize = wanted, len(c.book.Missing())
	for len(wanted) > 0 {
		n := min(batch, len(wanted))
		js, err := json.Marshal(spans(wanted[:n]))
		if err != nil {
			return fmt.Errorf("pool: %w", err)
		}
		if _, err := c.js.PublishAsync(jobSubject+c.run, js); err != nil {
			return fmt.Errorf("pool: jobs cannot be queued: %w", err)
		}
		wanted = wanted[n:]
	}
	select {
	case <-c.js.PublishAsyncComplete():
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// collect takes in results until nothing is missing.
func (c *collector) collect(ctx context.Context) (err error) {
	messages, err := c.results.Messages(jetstream.PullMaxMessages(256))
	if err != nil {
		return fmt.Errorf("pool: %w", err)
	}
	defer messages.Stop()
	defer func() {
		if serr := c.settle(context.WithoutCancel(ctx)); err == nil {
			err = serr
		}
	}()
	for c.book.Left() > 0 {
		patience := c.settings.AckWait / 4
		if len(c.entered) > 0 {
			patience = min(patience, settleEvery)
		}
		m, err := messages.Next(jetstream.NextMaxWait(patience))
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err == nil:
			err = c.take(ctx, m)
		case len(c.entered) > 0:
			err = c.settle(ctx)
		default:
			err = c.idle(ctx)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// take enters what a message brings, and leaves it to be settled with others that come soon.
func (c *collector) take(ctx context.Context, m jetstream.Msg) error {
	lines, object, err := c.payload(ctx, m)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return m.Ack() // taken before, when the acknowledgement was lost
	}
	if err != nil {
		c.settings.log().Warn("a result cannot be read and is asked for again", "err", err)
		return m.Nak()
	}
	if signed := m.Headers().Get(signHeader); !hmac.Equal([]byte(signed), []byte(sign(c.key, lines))) {
		c.settings.log().Warn("a result is not signed by a worker of this study; it is dropped", "bytes", len(lines))
		return m.Term()
	}
	if _, err := c.book.Enter(lines); err != nil {
		if ferr := c.book.Flush(); ferr != nil {
			return ferr // the file: the result stays on the server
		}
		c.settings.log().Warn("a worker sent what is no result; it is dropped", "err", err)
		return m.Term()
	}
	if c.entered = append(c.entered, result{m, object}); time.Since(c.settled) < settleEvery {
		return nil
	}
	return c.settle(ctx)
}

// settle acknowledges the results that have been entered, when they are in the file.
func (c *collector) settle(ctx context.Context) error {
	if err := c.book.Flush(); err != nil {
		return err
	}
	for _, m := range c.entered {
		if err := m.Ack(); err != nil {
			c.settings.log().Warn("a result is not acknowledged and will come again", "err", err)
		}
		if m.object == "" {
			continue
		}
		if err := c.objects.Delete(ctx, m.object); err != nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
			c.settings.log().Warn("a large result stays in the object store", "err", err)
		}
	}
	c.entered, c.settled = c.entered[:0], time.Now()
	return nil
}

// idle looks whether the queue has run dry with replications missing, and queues these again, one by one: a batch that
// was given out maxDeliver times holds one that ends its worker. Since a worker also gives back what it runs alongside that one, those
// that are still missing then are queued alone before anything is said of them.
func (c *collector) idle(ctx context.Context) error {
	c.lookForWorkers()
	soon, cancel := context.WithTimeout(ctx, shortAttempt)
	defer cancel()
	jobs, err := c.workers.Info(soon)
	if err != nil {
		return nil // out of reach; the connection comes back
	}
	results, err := c.results.Info(soon)
	if err != nil || jobs.NumPending > 0 || jobs.NumAckPending > 0 || results.NumPending > 0 || results.NumAckPending > 0 {
		return nil
	}
	missing := c.book.Missing()
	if len(missing) == 0 {
		return nil
	}
	if len(c.queued) == 1 && c.batch == 1 && slices.Contains(missing, c.queued[0]) {
		c.deadly[c.queued[0]] = true
	}
	wanted := slices.DeleteFunc(slices.Clone(missing), func(j study.Job) bool { return c.deadly[j] })
	if len(wanted) == 0 {
		return fmt.Errorf("pool: workers ended %d times on each of %d replications, the first of them point %d, replication %d",
			maxDeliver, len(missing), missing[0].Point, missing[0].Rep)
	}
	if c.batch == 1 && len(missing) == c.lastSize {
		wanted = wanted[:1]
	}
	c.settings.log().Warn("replications are missing and are queued again", "replications", len(wanted))
	c.batch = 1
	return c.enqueue(ctx, wanted, 1)
}

// lookForWorkers says when no worker is left of those that joined, as far as the server is one whose connections can be counted.
func (c *collector) lookForWorkers() {
	now, ever := c.hub.connections()
	if now > 1 || ever <= c.joined {
		return
	}
	c.joined = ever
	c.settings.log().Warn("no worker is left; what is missing waits for one", "replications", c.book.Left(), "join", c.hub.url)
}

// end removes the run from the server. The embedded one serves no other run, and ends at once if nobody waits for a batch
// and no state of the queue is to be written: otherwise it takes 60 ms.
func (c *collector) end(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	var err error
	if c.settings.URL == "" {
		err = c.jobs.DeleteConsumer(ctx, jobConsumer)
	}
	err = errors.Join(err,
		c.jobs.Purge(ctx, jetstream.WithPurgeSubject(jobSubject+c.run)),
		c.queue.results.Purge(ctx, jetstream.WithPurgeSubject(resultSubject+c.run)),
		c.queue.results.DeleteConsumer(ctx, "collector-"+c.run),
		c.objects.Delete(ctx, planName(c.run)),
		c.nc.FlushWithContext(ctx),
	)
	if err != nil {
		c.settings.log().Warn("the server was not tidied up", "err", err)
	}
	return nil
}
