package command

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"

	"gaucho/command/notebook"
	"gaucho/interp"
	"gaucho/stdlib/study/pool"
)

// studyFlags are the flags of all actions of gaucho study; each has its own of them.
type studyFlags struct {
	name       string // of the study, as it was given
	dir        string
	size       string // empty with a notebook's study
	shard      shardFlag
	shards     int
	workers    int
	fresh      bool
	seconds    bool
	slurm      bool
	kubernetes bool
	image      string
	params     []notebook.Parameter
	set        []string // as they were given
	compact    string   // the directory of compact records
	page       string   // that report writes
	pool       pool.Settings
	session    interp.Options // of the cells of a notebook's study

	out io.Writer // gets what an action has to say
	bar func(total int, label string) progress
}

// setDefaults fills in directories that were not given.
func (f *studyFlags) setDefaults(dir, compact string) {
	f.dir, f.compact = cmp.Or(f.dir, dir), cmp.Or(f.compact, compact)
}

// A shardFlag is i/n.
type shardFlag struct{ i, n int }

func (s *shardFlag) String() string { return fmt.Sprintf("%d/%d", s.i, s.n) }

func (s *shardFlag) Set(text string) error {
	if n, err := fmt.Sscanf(text, "%d/%d", &s.i, &s.n); n != 2 || err != nil || s.String() != text || s.i < 1 || s.i > s.n {
		return errors.New("must be i/n with i from 1 to n, as 3/10")
	}
	return nil
}

func (f *studyFlags) addSize(fs *flag.FlagSet) {
	fs.StringVar(&f.size, "size", "paper", "of a study of the papers: small, default or paper")
}

// addStudy adds the flags that say which study it is.
func (f *studyFlags) addStudy(fs *flag.FlagSet) {
	f.addSize(fs)
	fs.Func("p", "for a study of a notebook: set a parameter, `name=value`; may be repeated", func(text string) error {
		p, err := notebook.ParseParameter(text)
		f.params, f.set = append(f.params, p), append(f.set, text)
		return err
	})
}

func (f *studyFlags) addSession(fs *flag.FlagSet) { addSessionFlags(fs, &f.session) }

func (f *studyFlags) addDir(fs *flag.FlagSet) {
	fs.StringVar(&f.dir, "dir", "", "the `directory` of the record files; by default studies beside the notebook, or studies-records")
}

func (f *studyFlags) addShard(fs *flag.FlagSet) {
	fs.Var(&f.shard, "shard", "one part `i/n` of the study")
}

func (f *studyFlags) addWorkers(fs *flag.FlagSet) {
	fs.IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "the `number` of replications to run at a time")
}

func (f *studyFlags) addFresh(fs *flag.FlagSet) {
	fs.BoolVar(&f.fresh, "fresh", false, "run everything again")
}

func (f *studyFlags) addSeconds(fs *flag.FlagSet) {
	fs.BoolVar(&f.seconds, "seconds", false, "add a column with the time that each replication took")
}

func (f *studyFlags) addCompact(fs *flag.FlagSet) {
	fs.StringVar(&f.compact, "compact", "", "the `directory` of the compact records; by default reproduction, beside a notebook, and for the page on the papers the records that come with Gaucho")
}

func (f *studyFlags) addPage(fs *flag.FlagSet) {
	fs.StringVar(&f.page, "o", "", "the `page` to write; by default REPRODUCTION.md, with a study NAME.md")
}

// addCluster adds the flags of submit.
func (f *studyFlags) addCluster(fs *flag.FlagSet) {
	fs.IntVar(&f.shards, "shards", 10, "the `number` of parts")
	fs.BoolVar(&f.slurm, "slurm", false, "print a Slurm array job")
	fs.BoolVar(&f.kubernetes, "kubernetes", false, "print a Kubernetes Indexed Job")
	fs.StringVar(&f.image, "image", "gaucho", "with --kubernetes: the container `image`")
}

// addPool adds the flags of serve and work.
func (f *studyFlags) addPool(fs *flag.FlagSet) {
	fs.StringVar(&f.pool.CA, "ca", "", "`file` with the certificate authority of the server's certificate, if it is not a public one")
	fs.StringVar(&f.pool.Token, "token", os.Getenv("GAUCHO_TOKEN"), "the `token` that authenticates workers; whoever has it can run code as their users; by default GAUCHO_TOKEN, or on one machine a token of the user's own")
	fs.StringVar(&f.pool.Credentials, "credentials", "", "`file` with credentials for an existing NATS server")
	f.pool.Version = longVersion() + " " + runtime.Version()
	f.pool.Log = slog.New(slog.NewTextHandler(os.Stderr, nil))
}

// addServe adds the flags of serve alone.
func (f *studyFlags) addServe(fs *flag.FlagSet) {
	f.pool = *pool.DefaultSettings()
	fs.StringVar(&f.pool.Listen, "listen", f.pool.Listen, "the `address` to listen on; other machines need --cert, --key and a token")
	fs.StringVar(&f.pool.Store, "store", "", "the `directory` of the server's queues; by default .pool in that of the records")
	fs.StringVar(&f.pool.URL, "nats", "", "the `URL` of a NATS server to use; none is started then")
	fs.StringVar(&f.pool.Cert, "cert", "", "`file` with the server's certificate")
	fs.StringVar(&f.pool.Key, "key", "", "`file` with the certificate's key")
	fs.IntVar(&f.pool.Batch, "batch", 0, "the `number` of replications that a worker gets at a time; 0 for about half a second of work")
}

// addWork adds the flags of work alone.
func (f *studyFlags) addWork(fs *flag.FlagSet) {
	f.pool = *pool.DefaultSettings()
	fs.StringVar(&f.pool.URL, "nats", "", "the server's `URL`")
	fs.DurationVar(&f.pool.Idle, "idle", 0, "exit after being idle for this `time`, such as 10m; 0 for never")
}
