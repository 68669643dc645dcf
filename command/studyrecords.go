package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"gaucho/papers"
	"gaucho/papers/catalog"
	"gaucho/stdlib/study"
)

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
