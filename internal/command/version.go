package command

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is the release. A build can set it: -ldflags "-X gaucho/internal/command.version=1.2.3".
var version = "0.1.0"

var versionCommand = command{name: "version", short: "say which Gaucho this is"}

func init() { versionCommand.run = runVersion }

func runVersion(args []string) int {
	if rest, status := parse(versionCommand.flags(), args, nil); status >= 0 {
		return status
	} else if len(rest) > 0 {
		return usage(versionCommand, "takes no arguments")
	}
	fmt.Printf("gaucho %s, %s, %s/%s\n", longVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return 0
}

// longVersion is the release, with the commit when the build knows it.
func longVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return version
	}
	commit, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			commit = s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changes"
		}
	}
	if commit == "" {
		return version
	}
	return version + " (" + commit + dirty + ")"
}
