package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"

	"gaucho/command/grade"
	"gaucho/command/headless"
	"gaucho/command/notebook"
	"gaucho/install"
	"gaucho/interp"
	"gaucho/interp/kit"
	"gaucho/interp/loader"
)

var doctorCommand = command{name: "doctor", short: "check this machine: what works, what is missing, and how to fix it"}

func init() { doctorCommand.run = runDoctor }

func runDoctor(args []string) int {
	fs := doctorCommand.flags()
	test := fs.Bool("test-native", false, "test the native engine anew, a minute or two, and keep the verdict for sessions of this program")
	if rest, status := parse(fs, args, nil); status >= 0 {
		return status
	} else if len(rest) > 0 {
		return usage(doctorCommand, "takes no arguments")
	}
	if *test {
		return testNative(os.Stdout)
	}
	found := install.Examine(context.Background(), longVersion(), trySession, nativeEngine)
	if !install.Report(os.Stdout, append(found, examineFence())) {
		return 1
	}
	return 0
}

// examineFence says which fence gaucho grade has here.
func examineFence() install.Finding {
	kind, err := grade.DescribeFence()
	if err != nil {
		return install.Finding{What: "fence", State: install.Note, Detail: err.Error(), Mend: "grade on such a machine, or in a container for each submission with --unfenced"}
	}
	return install.Finding{What: "fence", Detail: "for gaucho grade: " + kind}
}

// testNative makes the long test of the native engine, and prints what each stage gave and how long it took.
func testNative(w io.Writer) int {
	fmt.Fprintf(w, "gaucho %s, %s, %s/%s, %s\n", longVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH, kit.System())
	well := true
	err := interp.TryNative(context.Background(), interp.Options{}, func(s interp.NativeStage) {
		what := "ok"
		switch {
		case s.Err != nil:
			what = kit.OneLine(s.Err)
		case s.Verdict != "":
			what = s.Verdict
		}
		well = well && what == "ok"
		fmt.Fprintf(w, "%-7s %8.3f s  %s\n", s.Name, s.Took.Seconds(), what)
	})
	if err != nil {
		return fail(err)
	}
	if !well {
		return 1
	}
	fmt.Fprintln(w, "compiled cells run on this system")
	return 0
}

// nativeEngine says with what the native engine works on this machine.
func nativeEngine(ctx context.Context) (string, error) {
	if err := loader.Supported(); err != nil {
		return "", err
	}
	k, err := kit.Find()
	if err != nil {
		return "", err
	}
	if k.Missing() && !kit.Carried() {
		if why := k.Failure(); why != "" {
			return "", errors.New(why)
		}
		return "", errors.New("this program came without its compiler, as go build makes it; gaucho run makes it, once, in some minutes")
	}
	if k, err = kit.Open(ctx, func(string, ...any) {}); err != nil {
		return "", err
	}
	return fmt.Sprintf("cells are compiled by %s", k.Tool("compile")), nil
}

// trySession runs a cell in a session of its own.
func trySession(ctx context.Context) error {
	nb := &notebook.Notebook{Cells: []*notebook.Cell{{Type: "code", Source: "xs := []int{1, 2, 3}\nlen(xs)"}}}
	rec := headless.NewRecorder()
	o := interp.Options{Sink: rec}
	if k, err := kit.Find(); err != nil || k.Missing() && !kit.Carried() {
		o.Engine = "yaegi" // making the compiler takes minutes
	}
	s, err := interp.Start(ctx, o)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := headless.Run(ctx, nb, s, rec, nil); err != nil {
		return err
	}
	// A session that interprets says so in an output of its own, beside the result.
	three := func(o *notebook.Output) bool { return o.Type == "execute_result" && o.Data["text/plain"] == "3" }
	if !slices.ContainsFunc(nb.Cells[0].Outputs, three) {
		return fmt.Errorf("the cell len([]int{1, 2, 3}) did not give 3")
	}
	return nil
}
