package pool

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"gaucho/stdlib/study"
)

// Names on the server. A run is one study with one version, seed and function; jobs and results carry it as the last
// element of their subject.
const (
	jobStream     = "GAUCHO_JOBS"
	resultStream  = "GAUCHO_RESULTS"
	objectBucket  = "GAUCHO_OBJECTS"
	jobSubject    = "gaucho.jobs."
	resultSubject = "gaucho.results."
	jobConsumer   = "workers"
	objectHeader  = "Gaucho-Object"
	signHeader    = "Gaucho-Signature"
)

// maxMessage is what a server takes by default; what is larger goes through the object store.
const maxMessage = 1 << 20

// maxDeliver is how often a batch is given out before it is looked at replication by replication.
const maxDeliver = 5

// A queue is a connection to the streams.
type queue struct {
	nc      *nats.Conn
	js      jetstream.JetStream
	jobs    jetstream.Stream
	results jetstream.Stream
	objects jetstream.ObjectStore
}

// A span is replications From to To-1 of a point, as a job names them.
type span struct {
	Point int `json:"p"`
	From  int `json:"from"`
	To    int `json:"to"`
}

func spans(jobs []study.Job) []span {
	var out []span
	for _, j := range jobs {
		if n := len(out) - 1; n >= 0 && out[n].Point == j.Point && out[n].To == j.Rep {
			out[n].To++
		} else {
			out = append(out, span{j.Point, j.Rep, j.Rep + 1})
		}
	}
	return out
}

// maxJobs is more replications than a batch ever has.
const maxJobs = 100_000

func jobsOf(data []byte) ([]study.Job, error) {
	var list []span
	if err := json.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("pool: a job that is none: %w", err)
	}
	total := 0
	for _, s := range list {
		if s.From < 0 || s.To < s.From || s.To-s.From > maxJobs-total {
			return nil, fmt.Errorf("pool: a job that is none: point %d, replications %d to %d", s.Point, s.From, s.To)
		}
		total += s.To - s.From
	}
	var out []study.Job
	for _, s := range list {
		for rep := s.From; rep < s.To; rep++ {
			out = append(out, study.Job{Point: s.Point, Rep: rep})
		}
	}
	return out, nil
}

// open makes the streams if they are not there.
func (p *Settings) open(ctx context.Context, nc *nats.Conn) (*queue, error) {
	q := &queue{nc: nc}
	var err error
	if q.js, err = jetstream.New(nc); err != nil {
		return nil, fmt.Errorf("pool: %w", err)
	}
	stream := func(name, subjects string) jetstream.Stream {
		s, e := q.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
			Name: name, Subjects: []string{subjects}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage,
		})
		if e != nil && err == nil {
			err = fmt.Errorf("pool: the stream %s: %w", name, e)
		}
		return s
	}
	q.jobs = stream(jobStream, jobSubject+"*")
	q.results = stream(resultStream, resultSubject+"*")
	if err != nil {
		return nil, err
	}
	if q.objects, err = q.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: objectBucket}); err != nil {
		return nil, fmt.Errorf("pool: the object store: %w", err)
	}
	_, err = q.jobs.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: jobConsumer, AckPolicy: jetstream.AckExplicitPolicy, AckWait: p.AckWait, MaxDeliver: maxDeliver, MaxAckPending: -1,
	})
	if err != nil {
		return nil, fmt.Errorf("pool: the queue of jobs: %w", err)
	}
	return q, nil
}

// publish puts a message into a stream, signed, and returns when the server has it on disk. It tries again while the network
// is away, which may send a message twice.
func (q *queue) publish(ctx context.Context, objects jetstream.ObjectStore, subject string, data []byte, key []byte) error {
	m := &nats.Msg{Subject: subject, Data: data, Header: nats.Header{signHeader: []string{sign(key, data)}}}
	if int64(len(data)) > min(maxMessage, q.nc.MaxPayload())-4096 {
		name := "result-" + nuid.Next()
		if err := again(ctx, longAttempt, func(ctx context.Context) error { _, err := objects.PutBytes(ctx, name, data); return err }); err != nil {
			return err
		}
		m.Data = nil
		m.Header.Set(objectHeader, name)
	}
	return again(ctx, shortAttempt, func(ctx context.Context) error { _, err := q.js.PublishMsg(ctx, m); return err })
}

// What one exchange with the server may take: an answer that is lost with the network never comes.
const (
	shortAttempt = 5 * time.Second
	longAttempt  = time.Minute // of what may be large
)

// again does something until it succeeds or ctx ends.
func again(ctx context.Context, attempt time.Duration, do func(context.Context) error) error {
	for {
		err := within(ctx, attempt, do)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("pool: %w", err)
		case <-time.After(200 * time.Millisecond):
		}
	}
}

func within(ctx context.Context, d time.Duration, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	return do(ctx)
}

// payload is what a message carries, itself or by the object store; object is the name there.
func (q *queue) payload(ctx context.Context, m jetstream.Msg) (data []byte, object string, err error) {
	object = m.Headers().Get(objectHeader)
	if object == "" {
		return m.Data(), "", nil
	}
	data, err = getObject(ctx, q.objects, object)
	return data, object, err
}

// taskKey is the key by which a worker's results are known: whoever has the token and was given this very plan has it.
func taskKey(token string, plan []byte) []byte {
	h := hmac.New(sha256.New, []byte(token))
	h.Write(plan)
	return h.Sum(nil)
}

func sign(key, data []byte) string {
	h := hmac.New(sha256.New, key)
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

func getObject(ctx context.Context, objects jetstream.ObjectStore, name string) (data []byte, err error) {
	err = within(ctx, longAttempt, func(ctx context.Context) error {
		data, err = objects.GetBytes(ctx, name)
		return err
	})
	return data, err
}
