package command

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"gaucho/stdlib/display"
	"gaucho/stdlib/study"
)

var studyCommand = command{name: "study", usage: "ACTION [flags] [NAME | NOTEBOOK.ipynb:NAME]",
	short: "run experiments, such as those of the papers' figures, and resume them"}

func init() {
	studyCommand.run = runStudy
	var b strings.Builder
	b.WriteString("\nActions:\n")
	for _, a := range studyActions {
		fmt.Fprintf(&b, "  %-8s %s\n", a.name, a.short)
	}
	b.WriteString(`
NAME is a study of the papers, or one that a notebook in the working directory makes.
gaucho study ACTION -h lists an action's flags.
`)
	studyCommand.long = b.String()
}

// A studyAction is a word that can follow gaucho study, with the flags that it takes.
type studyAction struct {
	name, short string
	flags       []func(*studyFlags, *flag.FlagSet)
	run         func(studyFlags, *study.Study) error // with a study; with a notebook's, where its cells run
	alone       func(studyFlags) error               // without one, where that is possible
	apart       func(studyFlags, notebookName) error // with a notebook's study, in place of run
}

// flagsOf lists flags, with those of the session in which a notebook's study runs.
func flagsOf(list ...func(*studyFlags, *flag.FlagSet)) []func(*studyFlags, *flag.FlagSet) {
	return append(list, (*studyFlags).addStudy, (*studyFlags).addSession)
}

var studyActions = []studyAction{
	{name: "list", short: "list the studies of the papers, with the time that each takes here",
		flags: []func(*studyFlags, *flag.FlagSet){(*studyFlags).addSize, (*studyFlags).addWorkers}, alone: studyList},
	{name: "run", short: "run a study, or what is left of it",
		flags: flagsOf((*studyFlags).addDir, (*studyFlags).addShard, (*studyFlags).addWorkers, (*studyFlags).addFresh), run: studyRun},
	{name: "status", short: "print how much of it is done",
		flags: flagsOf((*studyFlags).addDir, (*studyFlags).addShard, (*studyFlags).addWorkers), run: studyStatus},
	{name: "show", short: "print medians, quartiles and means of its records",
		flags: flagsOf((*studyFlags).addDir, (*studyFlags).addShard), run: studyShow},
	{name: "export", short: "print its records as CSV",
		flags: flagsOf((*studyFlags).addDir, (*studyFlags).addShard, (*studyFlags).addSeconds), run: studyExport},
	{name: "merge", short: "put the parts of a study together that were run with --shard",
		flags: flagsOf((*studyFlags).addDir), run: studyMerge},
	{name: "compact", short: "write a compact record of it, which package reproduction reads",
		flags: flagsOf((*studyFlags).addDir, (*studyFlags).addCompact), run: studyCompact},
	{name: "report", short: "write a page on it; without a name, the page that compares results with the papers",
		flags: flagsOf((*studyFlags).addDir, (*studyFlags).addCompact, (*studyFlags).addPage), run: studyPage, alone: studyReport},
	{name: "submit", short: "print a job that runs its parts on a cluster",
		flags: flagsOf((*studyFlags).addDir, (*studyFlags).addCluster), run: studySubmit, apart: notebookSubmit},
	{name: "serve", short: "queue it for workers",
		flags: flagsOf((*studyFlags).addDir, (*studyFlags).addFresh, (*studyFlags).addServe, (*studyFlags).addPool), run: studyServe},
	{name: "work", short: "start a worker",
		flags: []func(*studyFlags, *flag.FlagSet){(*studyFlags).addWorkers, (*studyFlags).addWork, (*studyFlags).addPool, (*studyFlags).addSession}, alone: studyWork},
}

func studyActionNames() string {
	var names []string
	for _, a := range studyActions {
		names = append(names, a.name)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// command is the action as a command, which has a help of its own.
func (a *studyAction) command() command {
	usage := "[flags]"
	switch {
	case a.run != nil && a.alone != nil:
		usage += " [NAME | NOTEBOOK.ipynb:NAME]"
	case a.run != nil:
		usage += " NAME | NOTEBOOK.ipynb:NAME"
	}
	return command{name: "study " + a.name, usage: usage, short: a.short}
}

func runStudy(args []string) int {
	if len(args) == 0 {
		return usage(studyCommand, "ACTION is missing: %s", studyActionNames())
	}
	if strings.HasPrefix(args[0], "-") {
		if _, status := parse(studyCommand.flags(), args[:1], nil); status == 0 {
			return 0
		}
		return usage(studyCommand, "the action comes before its flags: %s", studyActionNames())
	}
	i := slices.IndexFunc(studyActions, func(a studyAction) bool { return a.name == args[0] })
	if i < 0 {
		return usage(studyCommand, "unknown action %q; there are %s", args[0], studyActionNames())
	}
	action := &studyActions[i]
	fs := action.command().flags()
	f := studyFlags{out: os.Stdout, bar: func(total int, label string) progress { return display.NewProgress(total, label) }}
	for _, add := range action.flags {
		add(&f, fs)
	}
	rest, status := parse(fs, args[1:], nil)
	switch {
	case status >= 0:
		return status
	case len(rest) == 0 && action.alone != nil:
		err := error(nil)
		if action.run != nil {
			err = refuse(fs, "for one study, of which the name is missing", "dir", "size", "p", "engine", "memory", "no-shell")
		}
		if err == nil {
			err = action.alone(f)
		}
		return statusOf(err)
	case action.run == nil:
		return usage(action.command(), "unexpected argument %q", rest[0])
	case len(rest) != 1:
		return usage(action.command(), "needs the name of one study; gaucho study list shows those of the papers")
	}
	return statusOf(action.with(f, fs, rest[0]))
}

// statusOf is the exit status after an error or none, which it reports.
func statusOf(err error) int {
	if err != nil {
		return fail(err)
	}
	return 0
}

// with runs the action with the study of that name.
func (a *studyAction) with(f studyFlags, fs *flag.FlagSet, name string) error {
	f.name = name
	nb, ok, err := findNotebook(name)
	if err != nil {
		return err
	}
	if !ok {
		s, err := builtinStudy(name, f.size)
		if err == nil {
			err = refuse(fs, "for a notebook's study only, and "+name+" is one of the papers", "p", "engine", "memory", "no-shell")
		}
		if err != nil {
			return err
		}
		f.setDefaults("studies-records", "reproduction")
		return a.run(f, s)
	}
	if err := refuse(fs, "for studies of the papers only; a notebook's study takes its size from parameters, -p name=value", "size"); err != nil {
		return err
	}
	f.size = ""
	if a.apart != nil {
		return a.apart(f, nb)
	}
	return notebookStudy(f, a.name, nb)
}

// refuse returns an error if one of the flags was given.
func refuse(fs *flag.FlagSet, why string, names ...string) (err error) {
	fs.Visit(func(given *flag.Flag) {
		if slices.Contains(names, given.Name) {
			err = fmt.Errorf("--%s is %s", given.Name, why)
		}
	})
	return err
}

// A progress shows how far a study is.
type progress interface {
	Report(done, total int)
	Done()
}
