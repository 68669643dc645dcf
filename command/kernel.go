package command

import (
	"context"
	"log/slog"
	"os"

	"gaucho/interp"
	"gaucho/interp/worker"
	"gaucho/kernel"
)

var (
	kernelCommand = command{name: "kernel", usage: "-f CONNECTION_FILE", short: "serve a Jupyter client (Jupyter starts this)"}
	workerCommand = command{name: "worker"}
)

func init() {
	kernelCommand.run = runKernel
	workerCommand.run = func(args []string) int { return worker.Main(args, takeStudyTask) }
}

var _ kernel.Looker = (*interp.Session)(nil)

// startSession starts a session of package interp for a kernel.
func startSession(ctx context.Context, o interp.Options) (kernel.Session, error) {
	s, err := interp.Start(ctx, o)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func runKernel(args []string) int {
	fs := kernelCommand.flags()
	file := fs.String("f", "", "the connection `file` that the client wrote")
	var session interp.Options
	addSessionFlags(fs, &session)
	history := fs.String("history", "", "the `file` that keeps what was run, or off; the user's own if empty")
	verbose := fs.Bool("verbose", false, "log what goes on to standard error")
	rest, status := parse(fs, args, nil)
	switch {
	case status >= 0:
		return status
	case len(rest) > 0:
		return usage(kernelCommand, "unexpected argument %q", rest[0])
	case *file == "":
		return usage(kernelCommand, "-f is missing")
	}
	session.Waiting = nil // clients wait a minute for a kernel
	o := &kernel.Options{Session: session, Start: startSession, Version: longVersion(), History: *history}
	if *verbose {
		o.Log = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	if err := kernel.Run(context.Background(), *file, o); err != nil {
		return fail(err)
	}
	return 0
}
