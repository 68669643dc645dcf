package command

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"gaucho/internal/grade"
	"gaucho/internal/headless"
)

var (
	gradeCommand = command{name: "grade", usage: "[flags] SOURCE.ipynb SUBMISSIONS, or --release SOURCE.ipynb",
		short: "mark students' notebooks behind a fence, or make the notebook that students get"}
	examinerCommand     = command{name: "examiner", run: grade.Examiner}
	fencedWorkerCommand = command{name: "fenced-worker", run: grade.FencedWorker}
)

func init() { gradeCommand.run = runGrade }

func runGrade(args []string) int {
	fs := gradeCommand.flags()
	o := grade.DefaultOptions()
	release := fs.Bool("release", false, "write the notebook that students get: without solutions, hidden tests and outputs")
	out := fs.String("o", "", "the `folder` for grades.csv and feedback pages, by default grades; with --release the notebook's file, - for standard output")
	fs.DurationVar(&o.Limits.Cell, "cell", o.Limits.Cell, "what one cell may take")
	limit := func(name, what string, v *int64) {
		fs.Func(name, what, func(s string) (err error) {
			*v, err = parseSize(s)
			return err
		})
	}
	limit("memory", "what a submission may use, a `size` as 512MB; 1GB by default", &o.Limits.Memory)
	limit("disk", "what a submission's files may have together, a `size`; 64MB by default", &o.Limits.Disk)
	fs.IntVar(&o.Parallel, "j", o.Parallel, "submissions at a `time`")
	fs.BoolVar(&o.Unfenced, "unfenced", false, "run what students wrote with the rights of who calls this, where there is no fence")
	rest, status := parse(fs, args, nil)
	switch {
	case status >= 0:
		return status
	case *release && len(rest) != 1, !*release && len(rest) != 2:
		return usage(gradeCommand, "%d arguments are too few or too many", len(rest))
	case o.Limits.Cell <= 0 || o.Parallel < 1:
		return usage(gradeCommand, "--cell and -j must be positive")
	}
	a, err := grade.Read(rest[0])
	if err != nil {
		return fail(err)
	}
	if *release {
		return writeRelease(a, *out)
	}
	if *out == "" {
		*out = "grades"
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := markAll(ctx, a, rest[0], rest[1], *out, o); err != nil {
		return fail(err)
	}
	return 0
}

func writeRelease(a *grade.Assignment, file string) int {
	nb, err := a.Release()
	if err != nil {
		return fail(err)
	}
	if file == "" || file == "-" {
		err = nb.Encode(os.Stdout)
	} else {
		err = nb.WriteFile(file)
	}
	if err != nil {
		return fail(err)
	}
	return 0
}

func markAll(ctx context.Context, a *grade.Assignment, source, submissions, out string, o *grade.Options) error {
	name := strings.TrimSuffix(filepath.Base(source), ".ipynb")
	all, err := grade.Find(submissions, name)
	if err != nil {
		return err
	}
	o.Done = func(r *grade.Report) {
		line := fmt.Sprintf("%s: %g points", r.Student, r.Points)
		if r.End != "" {
			line += "; " + r.End
		}
		fmt.Fprintln(os.Stderr, line)
	}
	reports, err := a.Run(ctx, all, o)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(out, "feedback"), 0o755); err != nil {
		return err
	}
	write := func(path string, to func(io.Writer) error) error {
		var b bytes.Buffer
		if err := to(&b); err != nil {
			return err
		}
		return headless.WriteFile(filepath.Join(out, path), b.Bytes())
	}
	for _, r := range reports {
		page := func(w io.Writer) error { return r.WritePage(w, name) }
		if err := write(filepath.Join("feedback", r.Student+".html"), page); err != nil {
			return err
		}
	}
	if err := write("grades.csv", func(w io.Writer) error { return grade.WriteCSV(w, reports) }); err != nil {
		return err
	}
	fmt.Println(filepath.Join(out, "grades.csv"))
	return nil
}
