package pool

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"gaucho/stdlib/study"
)

// walks is a study of random walks. Point n=0 gives records beyond what a message may hold.
func walks(replications int, each func(p study.Point)) *study.Study {
	return &study.Study{
		Name: "walks", Version: "1", Seed: 3, Replications: replications, Seconds: 0.01, Paired: []string{"method"},
		Points: study.Grid(study.Values("method", "a", "b"), study.Values("n", 5, 50)),
		Replicate: func(_ context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
			if each != nil {
				each(p)
			}
			x := 0.0
			for range p.Int("n") {
				x += rng.NormFloat64()
			}
			return study.Record{"end": x, "first": rng.IntN(10)}, nil
		},
	}
}

func csvOf(t *testing.T, r *study.Results) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.WriteCSV(&b, false); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// local is what the study gives without a pool.
func local(t *testing.T, s *study.Study) string {
	t.Helper()
	r, err := s.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return csvOf(t, r)
}

// bookOf is an executor of a study in this process.
type bookOf struct{ *study.Book }

func loadStudy(s *study.Study) Load {
	return func(_ context.Context, description, task []byte) (Executor, error) {
		if mine, err := s.MarshalJSON(); err != nil || !bytes.Equal(mine, description) {
			return nil, errors.New("another study is served")
		}
		b, err := s.Open(nil)
		return bookOf{b}, err
	}
}

// A pool of a test: settings of a server with a free port and little patience.
func testSettings(t *testing.T) *Settings {
	p := DefaultSettings()
	p.Listen, p.Store, p.Version = "127.0.0.1:"+freePort(t), t.TempDir(), "test"
	token, err := ownToken(true, nil)
	if err != nil {
		t.Fatal(err)
	}
	p.Token = token
	p.AckWait, p.Batch, p.Workers = time.Second, 3, 2
	return p
}

func freePort(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// serveWith serves a study, and calls work with the server's address once it is there. It returns what Serve returned and
// ends the workers.
func serveWith(t *testing.T, ctx context.Context, s *study.Study, dir string, p *Settings, work func(ctx context.Context, url string)) (*study.Results, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, 60*time.Second)
	defer cancel()
	var wg sync.WaitGroup
	defer wg.Wait()
	working, stop := context.WithCancel(ctx)
	defer stop()
	settings := *p
	settings.Ready = func(url string) { wg.Go(func() { work(working, url) }) }
	return Serve(ctx, s, &study.Settings{Workers: 1, Dir: dir}, []byte("the task"), &settings)
}

// worker runs one worker and reports what it ends with.
func runWorker(t *testing.T, ctx context.Context, p *Settings, url string, load Load) {
	settings := *p
	settings.URL = url
	if err := Work(ctx, &settings, load); err != nil && ctx.Err() == nil {
		t.Errorf("a worker ended: %v", err)
	}
}

func TestSameRecordsAsAlone(t *testing.T) {
	t.Parallel()
	s := walks(20, nil)
	dir, p := t.TempDir(), testSettings(t)
	res, err := serveWith(t, context.Background(), s, dir, p, func(ctx context.Context, url string) {
		go runWorker(t, ctx, p, url, loadStudy(s))
		runWorker(t, ctx, p, url, loadStudy(s))
	})
	if err != nil || csvOf(t, res) != local(t, s) {
		t.Fatalf("the pool gives other records, %v", err)
	}
	// A finished study needs neither workers nor a server.
	again := *p
	again.Listen = "nowhere"
	if res, err = Serve(context.Background(), s, &study.Settings{Workers: 1, Dir: dir}, nil, &again); err != nil || res.Missing != 0 {
		t.Errorf("a finished study: %v, %d missing", err, res.Missing)
	}
	file, err := os.ReadFile(filepath.Join(dir, "walks.jsonl"))
	if n := bytes.Count(file, []byte("\n")); err != nil || n != 1+80 {
		t.Errorf("%d lines in the file, want a header and 80 records, %v", n, err)
	}
}

func TestFailuresAndLargeRecords(t *testing.T) {
	t.Parallel()
	s := walks(2, nil)
	s.Replicate = func(_ context.Context, p study.Point, rng *rand.Rand) (study.Record, error) {
		if p.Text("method") == "b" {
			return nil, errors.New("lost")
		}
		path := make([]float64, 100_000)
		for i := range path {
			path[i] = rng.Float64()
		}
		return study.Record{"path": path}, nil
	}
	p := testSettings(t)
	res, err := serveWith(t, context.Background(), s, t.TempDir(), p, func(ctx context.Context, url string) {
		runWorker(t, ctx, p, url, loadStudy(s))
	})
	var f *study.Failure
	if !errors.As(err, &f) || f.Err != "lost" || len(res.Failures) != 4 || res.Len() != 4 {
		t.Fatalf("%v, %d failures, %d records", err, len(res.Failures), res.Len())
	}
	alone, _ := s.Run(context.Background(), nil)
	if csvOf(t, res) != csvOf(t, alone) {
		t.Error("large records differ")
	}
}

// TestServerRestarts stops the server in the middle, twice, and serves again on its file store. Workers stay.
func TestServerRestarts(t *testing.T) {
	t.Parallel()
	var ran atomic.Int64
	var stop atomic.Pointer[context.CancelFunc]
	s := walks(25, func(study.Point) {
		time.Sleep(2 * time.Millisecond)
		if n := ran.Add(1); n == 20 || n == 60 {
			(*stop.Load())()
		}
	})
	dir, p := t.TempDir(), testSettings(t)
	working, end := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	defer wg.Wait()
	defer end()
	first := true
	var res *study.Results
	for range 10 {
		ctx, cancel := context.WithCancel(context.Background())
		stop.Store(&cancel)
		var err error
		res, err = serveWith(t, ctx, s, dir, p, func(_ context.Context, url string) {
			if first {
				first = false
				wg.Go(func() { runWorker(t, working, p, url, loadStudy(s)) })
			}
		})
		cancel()
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if res.Missing != 0 || ran.Load() < 60 {
		t.Fatalf("%d missing after %d replications", res.Missing, ran.Load())
	}
	if csvOf(t, res) != local(t, walks(25, nil)) {
		t.Error("records differ after restarts")
	}
}

// TestMessageDeliveredTwice has a worker that never acknowledges its first batches: others get them too.
func TestMessageDeliveredTwice(t *testing.T) {
	t.Parallel()
	var ran atomic.Int64
	s := walks(10, func(study.Point) { ran.Add(1) })
	dir, p := t.TempDir(), testSettings(t)
	res, err := serveWith(t, context.Background(), s, dir, p, func(ctx context.Context, url string) {
		deaf(t, ctx, p, url, s)
		runWorker(t, ctx, p, url, loadStudy(s))
	})
	if err != nil || csvOf(t, res) != local(t, walks(10, nil)) {
		t.Fatalf("records differ: %v", err)
	}
	if n := ran.Load(); n <= 40 {
		t.Errorf("%d replications ran: nothing was delivered twice", n)
	}
	file, _ := os.ReadFile(filepath.Join(dir, "walks.jsonl"))
	if n := bytes.Count(file, []byte("\n")); n != 1+40 {
		t.Errorf("%d lines in the file, want a header and 40 records", n)
	}
}

// deaf takes two batches. Of the first it publishes the result twice, of the second when another worker has done it
// already. It acknowledges neither.
func deaf(t *testing.T, ctx context.Context, p *Settings, url string, s *study.Study) {
	nc, err := p.connect(url)
	if err != nil {
		t.Error(err)
		return
	}
	js, _ := jetstream.New(nc)
	jobs, err := js.Consumer(ctx, jobStream, jobConsumer)
	if err != nil {
		t.Error(err)
		return
	}
	b, _ := s.Open(nil)
	got, err := jobs.Fetch(2)
	if err != nil {
		t.Error(err)
		return
	}
	q := &queue{nc: nc, js: js}
	send := func(m jetstream.Msg) {
		list, _ := jobsOf(m.Data())
		lines, _ := b.RunJobs(ctx, list, 1)
		run := strings.TrimPrefix(m.Subject(), jobSubject)
		if err := q.publish(ctx, nil, resultSubject+run, lines, keyOf(t, ctx, js, p, run)); err != nil && ctx.Err() == nil {
			t.Error(err)
		}
	}
	first, second := <-got.Messages(), <-got.Messages()
	send(first)
	send(first)
	go func() {
		defer nc.Close()
		time.Sleep(p.AckWait + p.AckWait/10)
		send(second)
	}()
}

// keyOf is the key by which a worker of a run signs.
func keyOf(t *testing.T, ctx context.Context, js jetstream.JetStream, p *Settings, run string) []byte {
	objects, err := js.ObjectStore(ctx, objectBucket)
	if err == nil {
		var plan []byte
		if plan, err = getObject(ctx, objects, planName(run)); err == nil {
			return taskKey(p.Token, plan)
		}
	}
	if ctx.Err() == nil {
		t.Error(err)
	}
	return nil
}

// TestLies: results that nobody signed, or that are not what a replication gives, change nothing, and jobs that are none end
// no worker.
func TestLies(t *testing.T) {
	t.Parallel()
	s, p, dir := walks(10, nil), testSettings(t), t.TempDir()
	record := `{"point":{"method":"a","n":5},"rep":%d,"record":{"end":42,"first":1},"seconds":0.1}`
	res, err := serveWith(t, context.Background(), s, dir, p, func(ctx context.Context, url string) {
		nc, err := p.connect(url)
		if err != nil {
			t.Error(err)
			return
		}
		js, _ := jetstream.New(nc)
		jobs, err := js.Stream(ctx, jobStream)
		if err != nil {
			t.Error(err)
			return
		}
		last, err := jobs.GetLastMsgForSubject(ctx, jobSubject+"*")
		if err != nil {
			t.Error(err)
			return
		}
		run := strings.TrimPrefix(last.Subject, jobSubject)
		for _, job := range []string{`[{"p":99,"from":0,"to":1}]`, `[{"p":0,"from":-5,"to":2}]`, `[{"p":0,"from":0,"to":2000000000}]`, `{`} {
			js.Publish(ctx, jobSubject+run, []byte(job))
		}
		q := &queue{nc: nc, js: js}
		for i := range 10 {
			js.Publish(ctx, resultSubject+run, fmt.Appendf(nil, record+"\n", i)) // unsigned
			q.publish(ctx, nil, resultSubject+run, fmt.Appendf(nil, record+"\n", i), []byte("another key"))
		}
		for _, lie := range []string{
			`{"study":"other","point":{"method":"a","n":5},"rep":1,"record":{"end":42}}`,
			`{"point":{"method":"a","n":5},"rep":1,"record":{"end":{"nested":1}}}`,
			`{"point":{"method":"a","n":5},"rep":1,"record":{"end":null}}`,
			`{"point":{"method":"a","n":5},"rep":1,"record":{"end":"NaN"}}`,
			`{"point":{"method":"a","n":5},"rep":1,"record":{"end":1},"error":"both"}`,
			`{"point":{"method":"a","n":6},"rep":1,"record":{"end":1}}`,
			`{"point":{"method":"a","n":5},"rep":10,"record":{"end":1}}`,
			`no JSON`, ``,
		} {
			q.publish(ctx, nil, resultSubject+run, []byte(lie), keyOf(t, ctx, js, p, run))
		}
		runWorker(t, ctx, p, url, loadStudy(s))
	})
	if err != nil || csvOf(t, res) != local(t, s) {
		t.Fatalf("lies changed the records: %v", err)
	}
	if again, err := s.Load(filepath.Join(dir, "walks.jsonl")); err != nil || len(again.Notes) > 0 || again.Missing > 0 {
		t.Errorf("the file: %v, %+v", err, again)
	}
}

// A flaky forwards to the server, and cuts all connections for a while on request.
type flaky struct {
	net.Listener
	to   string
	mu   sync.Mutex
	open []net.Conn
	down time.Time // until when nobody gets through
}

func newFlaky(t *testing.T, to string) *flaky {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f := &flaky{Listener: l, to: to}
	go f.accept()
	t.Cleanup(func() { l.Close() })
	return f
}

func (f *flaky) accept() {
	for {
		c, err := f.Accept()
		if err != nil {
			return
		}
		f.mu.Lock()
		isDown := time.Now().Before(f.down)
		f.mu.Unlock()
		if isDown {
			c.Close()
			continue
		}
		s, err := net.Dial("tcp", f.to)
		if err != nil {
			c.Close()
			continue
		}
		f.mu.Lock()
		f.open = append(f.open, c, s)
		f.mu.Unlock()
		go pipe(c, s)
		go pipe(s, c)
	}
}

func pipe(to, from net.Conn) {
	buf := make([]byte, 32<<10)
	for {
		n, err := from.Read(buf)
		if err == nil {
			_, err = to.Write(buf[:n])
		}
		if err != nil {
			to.Close()
			from.Close()
			return
		}
	}
}

func (f *flaky) cut(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.down = time.Now().Add(d)
	for _, c := range f.open {
		c.Close()
	}
	f.open = nil
}

var long = flag.Bool("long", false, "keep the network away for ten seconds")

// TestNetworkLost takes the network away from a worker for longer than the server's patience with a silent one.
func TestNetworkLost(t *testing.T) {
	t.Parallel()
	outage := 2500 * time.Millisecond
	if *long {
		outage = 10 * time.Second
	}
	var ran atomic.Int64
	var f *flaky
	s := walks(25, func(study.Point) {
		time.Sleep(2 * time.Millisecond)
		if ran.Add(1) == 30 {
			f.cut(outage)
		}
	})
	p := testSettings(t)
	f = newFlaky(t, p.Listen)
	res, err := serveWith(t, context.Background(), s, t.TempDir(), p, func(ctx context.Context, _ string) {
		runWorker(t, ctx, p, "nats://"+f.Addr().String(), loadStudy(s))
	})
	if err != nil || csvOf(t, res) != local(t, walks(25, nil)) {
		t.Fatalf("records differ: %v", err)
	}
}

// TestWorkerKilled kills a worker process in the middle of a batch, as often as the worker comes back.
func TestWorkerKilled(t *testing.T) {
	t.Parallel()
	s, p := walks(25, nil), testSettings(t)
	var killed atomic.Int64
	res, err := serveWith(t, context.Background(), s, t.TempDir(), p, func(ctx context.Context, url string) {
		for ctx.Err() == nil {
			cmd := exec.CommandContext(ctx, os.Args[0], "-test.run", "^TestMain$")
			cmd.Env = append(os.Environ(), "GAUCHO_POOL_WORKER="+url, fmt.Sprint("GAUCHO_POOL_DIES=", killed.Load() < 2))
			if err := cmd.Run(); err != nil {
				killed.Add(1)
			}
		}
	})
	if err != nil || csvOf(t, res) != local(t, walks(25, nil)) {
		t.Fatalf("records differ: %v", err)
	}
	if killed.Load() < 2 {
		t.Errorf("%d workers were killed, want 2", killed.Load())
	}
}

// TestMain is also the worker of TestWorkerKilled.
func TestMain(m *testing.M) {
	url := os.Getenv("GAUCHO_POOL_WORKER")
	if url == "" {
		home, err := os.MkdirTemp("", "pool-home-") // for the token
		if err != nil {
			panic(err)
		}
		for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "AppData"} {
			os.Setenv(name, home)
		}
		status := m.Run()
		os.RemoveAll(home)
		os.Exit(status)
	}
	var ran atomic.Int64
	s := walks(25, func(study.Point) {
		time.Sleep(time.Millisecond)
		if ran.Add(1) == 20 && os.Getenv("GAUCHO_POOL_DIES") == "true" {
			self, _ := os.FindProcess(os.Getpid())
			self.Kill()
			time.Sleep(time.Hour)
		}
	})
	p := DefaultSettings()
	p.URL, p.Version, p.Idle = url, "test", 10*time.Second
	if err := Work(context.Background(), p, loadStudy(s)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// TestPoison has a replication that ends every worker: the others are run all the same, and the error names it.
func TestPoison(t *testing.T) {
	t.Parallel()
	s, p := walks(2, nil), testSettings(t)
	p.AckWait = 200 * time.Millisecond
	poison := Load(func(context.Context, []byte, []byte) (Executor, error) {
		b, err := s.Open(nil)
		return poisoned{bookOf{b}}, err
	})
	res, err := serveWith(t, context.Background(), s, t.TempDir(), p, func(ctx context.Context, url string) {
		settings := *p
		settings.URL = url
		for ctx.Err() == nil {
			Work(ctx, &settings, poison)
		}
	})
	if err == nil || !strings.Contains(err.Error(), "workers ended 5 times on each of 1 replications, the first of them point 2, replication 1") {
		t.Errorf("error %v", err)
	}
	if res.Len() != 7 {
		t.Errorf("%d records, want 7", res.Len())
	}
}

type poisoned struct{ bookOf }

func (p poisoned) RunJobs(ctx context.Context, jobs []study.Job, workers int) ([]byte, error) {
	if slices.Contains(jobs, (study.Job{Point: 2, Rep: 1})) {
		return nil, errors.New("this ends the worker")
	}
	return p.bookOf.RunJobs(ctx, jobs, workers)
}

func TestVersionsMustAgree(t *testing.T) {
	t.Parallel()
	s, p := walks(1, nil), testSettings(t)
	_, err := serveWith(t, context.Background(), s, t.TempDir(), p, func(ctx context.Context, url string) {
		old := *p
		old.URL, old.Version = url, "older"
		if err := Work(ctx, &old, loadStudy(s)); err == nil || !strings.Contains(err.Error(), "served by version test, and this is older") {
			t.Errorf("error %v", err)
		}
		runWorker(t, ctx, p, url, loadStudy(s))
	})
	if err != nil {
		t.Error(err)
	}
}

func TestBadSettings(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	serve := func(change func(p *Settings)) error {
		p := testSettings(t)
		change(p)
		_, err := Serve(ctx, walks(1, nil), nil, nil, p)
		return err
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	for want, change := range map[string]func(p *Settings){
		"can be reached from other machines":   func(p *Settings) { p.Listen = "0.0.0.0:0" },
		"must be host:port":                    func(p *Settings) { p.Listen = "here" },
		"directory for the server's queues":    func(p *Settings) { p.Store = "" },
		"does not start on":                    func(p *Settings) { p.Listen = busy.Addr().String() },
		"no server answers at":                 func(p *Settings) { p.URL = "nats://127.0.0.1:" + freePort(t) },
		"must be a URL":                        func(p *Settings) { p.URL = "server" },
		"patience":                             func(p *Settings) { p.AckWait = time.Millisecond },
		"workers is -1":                        func(p *Settings) { p.Workers = -1 },
		"batch is -1":                          func(p *Settings) { p.Batch = -1 },
		"a certificate needs its key":          func(p *Settings) { p.Cert = file },
		"holds no certificate":                 func(p *Settings) { p.URL, p.CA = "nats://127.0.0.1:4", file },
		"pool: credentials":                    func(p *Settings) { p.URL, p.Credentials = "nats://127.0.0.1:4", file+".creds" },
		"pool: certificate: tls: failed to":    func(p *Settings) { p.Cert, p.Key = file, file },
		"the server does not start on 127.0.0": func(p *Settings) { p.Store = file },
	} {
		if err := serve(change); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	p := testSettings(t)
	p.URL = "nats://127.0.0.1:" + freePort(t)
	if err := Work(ctx, p, nil); err == nil || !strings.Contains(err.Error(), "no server answers") {
		t.Errorf("error %v", err)
	}
}
