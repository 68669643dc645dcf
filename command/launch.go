package command

import (
	"context"
	"fmt"

	"gaucho/interp"
	"gaucho/kernel"
)

// launchCommand is what a kernelspec of Jupyter Enterprise Gateway names: the gateway starts it on some machine.
var launchCommand = command{name: "launch", usage: "--kernel-id ID --response-address HOST:PORT --public-key KEY [--port-range LOW..HIGH]",
	short: "serve a client through Jupyter Enterprise Gateway (the gateway starts this)"}

func init() { launchCommand.run = runLaunch }

func runLaunch(args []string) int {
	fs := launchCommand.flags()
	var g kernel.Gateway
	ports := ""
	var session interp.Options
	addSessionFlags(fs, &session)
	// The gateway's own kernelspecs use the long names, its newer ones the short.
	for _, prefix := range []string{"", "RemoteProcessProxy."} {
		fs.StringVar(&g.KernelID, prefix+"kernel-id", "", "what the gateway calls the kernel")
		fs.StringVar(&g.ResponseAddress, prefix+"response-address", "", "`host:port` to which the kernel reports where it listens")
		fs.StringVar(&g.PublicKey, prefix+"public-key", "", "the gateway's RSA `key`, which encrypts that message")
		fs.StringVar(&ports, prefix+"port-range", "0..0", "the `ports` on which the kernel may listen; 0..0 for any")
		fs.String(prefix+"spark-context-initialization-mode", "none", "ignored")
	}
	rest, status := parse(fs, args, nil)
	switch {
	case status >= 0:
		return status
	case len(rest) > 0:
		return usage(launchCommand, "unexpected argument %q", rest[0])
	case g.ResponseAddress == "" || g.PublicKey == "":
		return usage(launchCommand, "--response-address or --public-key is missing")
	}
	if _, err := fmt.Sscanf(ports, "%d..%d", &g.LowPort, &g.HighPort); err != nil {
		return usage(launchCommand, "--port-range is %q, must be LOW..HIGH", ports)
	}
	o := &kernel.Options{Session: session, Start: startSession, Version: longVersion()}
	if err := kernel.ServeGateway(context.Background(), &g, o); err != nil {
		return fail(err)
	}
	return 0
}
