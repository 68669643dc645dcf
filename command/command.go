// Package command is the gaucho program: one file for each of its commands.
package command

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"gaucho/interp/kit"
)

// A command is one of gaucho's. Its run function gets the arguments after its name and returns the exit status.
type command struct {
	name  string
	usage string // arguments, in one line
	short string // what it does, in one line; empty for a command that is not for people
	long  string // more about it for its help, if one line is not enough
	run   func(args []string) int
}

// commands are in the order of the help text. A command's own file defines it.
func commands() []command {
	return []command{
		runCommand,
		exportCommand,
		studyCommand,
		checkCommand,
		gradeCommand,
		kernelCommand,
		launchCommand,
		installCommand,
		uninstallCommand,
		doctorCommand,
		versionCommand,
		parametersCommand,
		examinerCommand,
		gradePageCommand,
		fencedWorkerCommand,
		workerCommand,
		kitCommand,
	}
}

// Sources are Gaucho's own module files and packages, which the main package embeds.
var Sources fs.FS

// Main runs the command that the arguments name and returns the exit status.
func Main(args []string) int {
	kit.Sources = Sources
	return run(args)
}

func run(args []string) int {
	if len(args) == 0 {
		help(os.Stderr)
		return 2
	}
	name := args[0]
	switch name {
	case "help", "-h", "-help", "--help":
		if len(args) > 1 && name == "help" {
			return run([]string{args[1], "-h"})
		}
		help(os.Stdout)
		return 0
	case "-v", "-version", "--version":
		name = "version"
	}
	for _, c := range commands() {
		if c.name == name {
			return c.run(args[1:])
		}
	}
	fmt.Fprintf(os.Stderr, "gaucho: there is no command %q; gaucho help lists the commands\n", name)
	return 2
}

func help(w io.Writer) {
	fmt.Fprint(w, "Gaucho runs Go in notebooks.\n\n")
	for _, c := range commands() {
		if c.short != "" {
			fmt.Fprintf(w, "  gaucho %-10s %s\n", c.name, c.short)
		}
	}
	fmt.Fprint(w, "\ngaucho COMMAND -h lists a command's flags.\n")
}

// flags returns a flag set for the command whose help is made of the command's own words.
func (c command) flags() *flag.FlagSet {
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	fs.Usage = func() {
		fmt.Fprintf(fs.Output(), "usage: gaucho %s %s\n", c.name, c.usage)
		if c.short != "" {
			fmt.Fprintf(fs.Output(), "\n%s\n%s", c.short, c.long)
		}
		some := false
		fs.VisitAll(func(*flag.Flag) { some = true })
		if some {
			fmt.Fprint(fs.Output(), "\nFlags:\n")
			fs.PrintDefaults()
		}
	}
	return fs
}

// parse reads flags and arguments in any order. stop reports whether the arguments after arg belong to someone else. The
// status is -1 if the command should go on.
func parse(fs *flag.FlagSet, args []string, stop func(arg string) bool) (rest []string, status int) {
	fs.SetOutput(os.Stderr)
	for _, a := range args {
		if a == "--" {
			break
		}
		if a == "-h" || a == "-help" || a == "--help" {
			fs.SetOutput(os.Stdout)
		}
	}
	for {
		if err := fs.Parse(args); errors.Is(err, flag.ErrHelp) {
			return nil, 0
		} else if err != nil {
			return nil, 2
		}
		left := fs.Args()
		if len(left) == 0 {
			return rest, -1
		}
		// Parse stops after "--" as it does before an argument.
		if n := len(args) - len(left); n > 0 && args[n-1] == "--" {
			return append(rest, left...), -1
		}
		rest = append(rest, left[0])
		if args = left[1:]; stop != nil && stop(left[0]) {
			return append(rest, args...), -1
		}
	}
}

// fail reports an error and returns the exit status for it.
func fail(err error) int {
	fmt.Fprintln(os.Stderr, "gaucho: "+strings.TrimPrefix(err.Error(), "gaucho: "))
	return 1
}

// usage reports that a command was called wrongly.
func usage(c command, format string, args ...any) int {
	fmt.Fprintf(os.Stderr, "gaucho %s: %s\nusage: gaucho %s %s\n", c.name, fmt.Sprintf(format, args...), c.name, c.usage)
	return 2
}
