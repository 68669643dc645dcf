package command

import (
	"context"
	"errors"
	"fmt"
	"os"
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
	if rest, status := parse(doctorCommand.flags(), args, nil); status >= 0 {
		return status
	} else if len(rest) > 0 {
		return usage(doctorCommand, "takes no arguments")
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
