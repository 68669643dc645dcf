package command

import (
	"context"
	"flag"
	"fmt"
	"os"

	"gaucho/install"
)

var (
	installCommand = command{name: "install", usage: "[--prefix DIR | --sys-prefix] [--name NAME] [--display-name TEXT], or --nbgrader COURSE",
		short: "register the kernel with Jupyter, for the user or in a Python environment"}
	uninstallCommand = command{name: "uninstall", usage: "[--prefix DIR | --sys-prefix] [--name NAME]",
		short: "remove the kernel from Jupyter again"}
)

func init() {
	installCommand.run = runInstall
	uninstallCommand.run = runUninstall
}

func placeFlags(fs *flag.FlagSet) *install.Settings {
	var s install.Settings
	fs.Bool("user", true, "install for the user; the default")
	fs.StringVar(&s.Prefix, "prefix", "", "install into `DIR`/share/jupyter/kernels")
	fs.BoolVar(&s.SysPrefix, "sys-prefix", false, "install into the Python environment in use")
	fs.StringVar(&s.Name, "name", install.DefaultName, "the kernel's `name` in notebooks")
	return &s
}

func runInstall(args []string) int {
	fs := installCommand.flags()
	s := placeFlags(fs)
	fs.StringVar(&s.DisplayName, "display-name", install.DefaultDisplayName, "the `name` that JupyterLab shows")
	course := fs.String("nbgrader", "", "only write nbgrader's configuration for Go into a course's `directory`")
	return place(installCommand, fs, args, s, func(ctx context.Context, s install.Settings) (string, error) {
		if *course == "" {
			dir, err := install.Install(ctx, s)
			if err == nil {
				for _, f := range install.Lacking(ctx, s) {
					fmt.Fprintf(os.Stderr, "gaucho: %s: %s\n", f.Detail, f.Mend)
				}
			}
			return dir, err
		}
		todo, err := install.Nbgrader(*course)
		for _, line := range todo {
			fmt.Fprintln(os.Stderr, "gaucho:", line)
		}
		return *course, err
	}, "installed in")
}

func runUninstall(args []string) int {
	fs := uninstallCommand.flags()
	s := placeFlags(fs)
	return place(uninstallCommand, fs, args, s, install.Uninstall, "removed")
}

func place(c command, fs *flag.FlagSet, args []string, s *install.Settings,
	do func(context.Context, install.Settings) (string, error), done string) int {
	if rest, status := parse(fs, args, nil); status >= 0 {
		return status
	} else if len(rest) > 0 {
		return usage(c, "unexpected argument %q", rest[0])
	}
	dir, err := do(context.Background(), *s)
	if err != nil {
		return fail(err)
	}
	fmt.Println(done, dir)
	return 0
}
