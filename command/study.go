package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"gaucho/command/notebook"
	"gaucho/interp"
	"gaucho/papers"
	"gaucho/papers/catalog"
	"gaucho/stdlib/display"
	"gaucho/stdlib/study"
	"gaucho/stdlib/study/pool"
)

var studyCommand = command{name: "study", usage: "ACTION [flags] [NAME | NOTEBOOK.ipynb:NAME]",
	short: "run experiments, such as those of the papers' figures, and resume them",
	long: `
Actions:
  list     list the built-in studies, with the time that each takes here
  run      run a study, or what is left of it
  status   print how much of it is done
  show     print medians and quartiles of its records
  export   print its records as CSV
  merge    put the parts of a study together that were run with --shard
  compact  write a compact record of it
  report   write the page that compares results with the papers
  submit   print a job that runs its parts on a cluster
  serve    queue it for workers
  work     start a worker
`}

func init() { studyCommand.run = runStudy }

// A studyAction is a word that can follow gaucho study.
type studyAction struct {
	name string
	run  func(studyFlags, *study.Study) error
}

var studyActions = []studyAction{
	{"run", studyRun}, {"status", studyStatus}, {"show", studyShow}, {"export", studyExport},
	{"merge", studyMerge}, {"compact", studyCompact}, {"submit", studySubmit}, {"serve", studyServe},
}

// isSet says that a flag was given.
func isSet(fs *flag.FlagSet, name string) (set bool) {
	fs.Visit(func(f *flag.Flag) { set = set || f.Name == name })
	return set
}

// studyFlags are the flags of gaucho study.
type studyFlags struct {
	name       string // of the study, as it was given
	dir        string
	size       string
	shard      shardFlag
	shards     int
	workers    int
	fresh      bool
	seconds    bool
	slurm      bool
	kubernetes bool
	image      string
	params     []notebook.Parameter
	compact    string // the directory of compact records
	page       string // that report writes
	pool       pool.Settings
	session    interp.Options // of the cells of a notebook's study

	out io.Writer // gets what an action has to say
	bar func(total int, label string) progress
}

// A progress shows how far a study is.
type progress interface {
	Report(done, total int)
	Done()
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

func (f *studyFlags) add(fs *flag.FlagSet) {
	fs.StringVar(&f.dir, "dir", "studies-records", "the `directory` of the record files")
	fs.StringVar(&f.size, "size", "paper", "small, default or paper")
	fs.Var(&f.shard, "shard", "run one part `i/n` of the study")
	fs.IntVar(&f.shards, "shards", 10, "with submit: the number of parts")
	fs.IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0), "the `number` of replications to run at a time")
	fs.BoolVar(&f.fresh, "fresh", false, "run everything again")
	fs.BoolVar(&f.seconds, "seconds", false, "with export: add a column with the time that each replication took")
	fs.BoolVar(&f.slurm, "slurm", false, "with submit: print a Slurm array job")
	fs.BoolVar(&f.kubernetes, "kubernetes", false, "with submit: print a Kubernetes Indexed Job")
	fs.StringVar(&f.compact, "compact", "", "with compact and report: the `directory` of the compact records; if empty, compact writes to reproduction, and report takes those that notebooks read")
	fs.StringVar(&f.page, "o", "REPRODUCTION.md", "with report: the `page` to write")
	fs.StringVar(&f.image, "image", "gaucho", "with submit --kubernetes: the container `image`")
	fs.Func("p", "for a study of a notebook: set a parameter, `name=value`; may be repeated", func(text string) error {
		p, err := notebook.ParseParameter(text)
		f.params = append(f.params, p)
		return err
	})
	f.addPool(fs)
	addSessionFlags(fs, &f.session)
	f.out = os.Stdout
	f.bar = func(total int, label string) progress { return display.NewProgress(total, label) }
}

func runStudy(args []string) int {
	fs := studyCommand.flags()
	var f studyFlags
	f.add(fs)
	rest, status := parse(fs, args, nil)
	if status >= 0 {
		return status
	}
	if len(rest) == 0 {
		return usage(studyCommand, "ACTION is missing: list, run, status, show, export, merge, compact, report, submit, serve or work")
	}
	if alone := map[string]func(studyFlags) error{"list": studyList, "report": studyReport, "work": studyWork}[rest[0]]; alone != nil && len(rest) == 1 {
		if err := alone(f); err != nil {
			return fail(err)
		}
		return 0
	}
	i := slices.IndexFunc(studyActions, func(a studyAction) bool { return a.name == rest[0] })
	switch {
	case i < 0:
		return usage(studyCommand, "unknown action %q", rest[0])
	case len(rest) != 2:
		return usage(studyCommand, "%s needs the name of one study; gaucho study list shows them", rest[0])
	}
	f.name = rest[1]
	if notebook, name, ok := strings.Cut(f.name, ".ipynb:"); ok {
		if err := notebookStudy(f, rest[0], notebook+".ipynb", name, isSet(fs, "dir")); err != nil {
			return fail(err)
		}
		return 0
	}
	s, err := builtinStudy(f.name, f.size)
	if err == nil {
		err = studyActions[i].run(f, s)
	}
	if err != nil {
		return fail(err)
	}
	return 0
}

// studyList shows all studies with the time that they take on this machine.
func studyList(f studyFlags) error {
	if !slices.Contains(papers.Sizes, papers.Size(f.size)) {
		return fmt.Errorf("size is %q, must be small, default or paper", f.size)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tREPLICATIONS\tABOUT\tWHAT IT SHOWS")
	var sum time.Duration
	for _, s := range catalog.All(papers.Size(f.size)) {
		n := len(s.Points) * s.Replications
		took := time.Duration(s.Seconds * float64(n) / float64(f.workers) * float64(time.Second))
		sum += took
		fmt.Fprintf(w, "%s\t%d x %d\t%s\t%s\n", strings.TrimSuffix(s.Name, "."+f.size), len(s.Points), s.Replications, took.Round(time.Second), s.About)
	}
	fmt.Fprintf(w, "ALL\t\t%s\t%d at a time\n", sum.Round(time.Second), f.workers)
	return w.Flush()
}

func studyRun(f studyFlags, s *study.Study) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return f.runWith(ctx, s, s.Run)
}

// runWith is studyRun with a run of the caller's choice.
func (f *studyFlags) runWith(ctx context.Context, s *study.Study, run func(context.Context, *study.Settings) (*study.Results, error)) error {
	bar := f.bar(len(s.Points)*s.Replications, s.Name)
	res, err := run(ctx, &study.Settings{
		Dir: f.dir, Workers: f.workers, Shard: f.shard.i, Shards: f.shard.n, Fresh: f.fresh,
		Progress: nowRun(bar),
	})
	bar.Done()
	f.tell(s, res)
	if errors.Is(err, context.Canceled) {
		return errors.New("stopped; the same command goes on from here")
	}
	return err
}

// tell reports how a run ended. There are no results when it did not begin.
func (f *studyFlags) tell(s *study.Study, res *study.Results) {
	if res == nil {
		return
	}
	for _, n := range res.Notes {
		fmt.Fprintln(f.out, "note:", n)
	}
	fmt.Fprintf(f.out, "%s: %d records, %d failed, %d missing\n", s.Name, res.Len(), len(res.Failures), res.Missing)
}

func loadStudy(f studyFlags, s *study.Study) (*study.Results, error) {
	return s.Load(filepath.Join(f.dir, study.FileName(s.Name, f.shard.i, f.shard.n)))
}

func studyStatus(f studyFlags, s *study.Study) error {
	res, err := loadStudy(f, s)
	if errors.Is(err, os.ErrNotExist) {
		fmt.Fprintf(f.out, "%s: not started\n", s.Name)
		return nil
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(f.out, "%s: %d of %d replications, %d failed", s.Name, res.Len(), len(s.Points)*s.Replications, len(res.Failures))
	if left := res.SecondsLeft() / float64(f.workers); left > 0 && f.shard.n <= 1 {
		fmt.Fprintf(f.out, "; about %v left, %d at a time", time.Duration(left*float64(time.Second)).Round(time.Second), f.workers)
	}
	fmt.Fprintln(f.out)
	for _, n := range res.Notes {
		fmt.Fprintln(f.out, "note:", n)
	}
	for _, x := range res.Failures {
		fmt.Fprintln(f.out, x)
	}
	return nil
}

// studyShow prints median and quartiles of every number at every point.
func studyShow(f studyFlags, s *study.Study) error {
	res, err := loadStudy(f, s)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(f.out, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "POINT\tFIELD\tN\tMEDIAN\tQUARTILES\tMEAN")
	for _, p := range s.Points {
		for _, field := range res.NumberFields() {
			sum, err := res.Summary(p, field)
			if err != nil {
				continue
			}
			fmt.Fprintf(w, "%v\t%s\t%d\t%.4g\t%.4g to %.4g\t%.4g ± %.2g\n", p, field, sum.N, sum.Median, sum.Q1, sum.Q3, sum.Mean, sum.StdErr)
		}
	}
	return w.Flush()
}

func studyExport(f studyFlags, s *study.Study) error {
	res, err := loadStudy(f, s)
	if err != nil {
		return err
	}
	return res.WriteCSV(f.out, f.seconds)
}

func studyMerge(f studyFlags, s *study.Study) error {
	res, err := s.Merge(f.dir)
	if err != nil {
		return err
	}
	for _, n := range res.Notes {
		fmt.Fprintln(f.out, "note:", n)
	}
	fmt.Fprintf(f.out, "%s: %d records, %d failed, %d missing\n", s.Name, res.Len(), len(res.Failures), res.Missing)
	return nil
}
