package command

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"gaucho/command/grade"
)

var (
	gradeCommand = command{name: "grade", usage: "[flags] SOURCE.ipynb SUBMISSIONS, or --release SOURCE.ipynb",
		short: "mark students' notebooks in a sandbox, or make what students get"}
	examinerCommand     = command{name: "examiner", run: grade.Examiner}
	gradePageCommand    = command{name: "grade-page", run: grade.Page}
	fencedWorkerCommand = command{name: "fenced-worker", run: grade.FencedWorker}
)

func init() { gradeCommand.run = runGrade }

func runGrade(args []string) int {
	fs := gradeCommand.flags()
	o := grade.DefaultOptions()
	release := fs.Bool("release", false, "check the assignment and write what students get: the notebook without solutions, hidden tests and outputs, and its data")
	out := fs.String("o", "", "the `directory` for grades.csv and feedback pages, by default grades; with --release a directory, a file .ipynb (the data go next to it) or .zip; - for standard output")
	fs.DurationVar(&o.Limits.Cell, "cell", o.Limits.Cell, "the processor `time` that a cell may take; its wall time may be three times as long")
	fs.DurationVar(&o.Limits.Total, "total", o.Limits.Total, "the wall `time` that all cells of a submission may take together")
	limit := func(name, what string, v *int64) {
		fs.Func(name, what, func(s string) (err error) {
			*v, err = parseSize(s)
			return err
		})
	}
	limit("memory", "how much memory a submission may use, a `size` such as 512MB; 1GB by default", &o.Limits.Memory)
	limit("disk", "how large a submission's files may be together, a `size`; 64MB by default", &o.Limits.Disk)
	fs.IntVar(&o.Parallel, "j", o.Parallel, "the `number` of submissions to mark at a time")
	fs.BoolVar(&o.Fresh, "fresh", false, "mark everything again, even what has not changed")
	fs.BoolVar(&o.Unfenced, "unfenced", false, "run students' code without a sandbox, with your own rights")
	fs.StringVar(&o.Engine, "engine", "yaegi", "the `engine` that runs cells: yaegi, or with --unfenced native")
	rest, status := parse(fs, args, nil)
	switch {
	case status >= 0:
		return status
	case *release && len(rest) != 1, !*release && len(rest) != 2:
		return usage(gradeCommand, "%d arguments are too few or too many", len(rest))
	case o.Engine != "yaegi" && o.Engine != "native":
		return usage(gradeCommand, "--engine is %s, must be yaegi or native", o.Engine)
	case o.Limits.Cell <= 0 || o.Limits.Total <= 0 || o.Parallel < 1:
		return usage(gradeCommand, "--cell, --total and -j must be positive")
	}
	a, err := grade.Read(rest[0])
	if err != nil {
		return fail(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	o.Warn = func(w string) { fmt.Fprintln(os.Stderr, "warning:", w) }
	if *release {
		if err := a.WriteRelease(ctx, *out, o); err != nil {
			return fail(err)
		}
		return 0
	}
	if *out == "" {
		*out = "grades"
	}
	if err := markAll(ctx, a, rest[0], rest[1], *out, o); err != nil {
		return fail(err)
	}
	return 0
}

func markAll(ctx context.Context, a *grade.Assignment, source, submissions, out string, o *grade.Options) error {
	name := strings.TrimSuffix(filepath.Base(source), ".ipynb")
	all, err := grade.Find(submissions, name, out)
	if err != nil {
		return err
	}
	o.Done = func(r *grade.Report) {
		line := fmt.Sprintf("%q: %g points", r.Student, r.Points)
		if r.End != "" {
			line += fmt.Sprintf("; %q", r.End)
		}
		fmt.Fprintln(os.Stderr, line)
	}
	if err := a.Grade(ctx, all, out, name, o); err != nil {
		return err
	}
	fmt.Println(filepath.Join(out, "grades.csv"))
	return nil
}
