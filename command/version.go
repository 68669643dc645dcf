package command

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"gaucho/install"
	"gaucho/install/licences"
	"gaucho/interp/kit"
)

var versionCommand = command{name: "version", usage: "[--json | --licences]", short: "print the version"}

func init() { versionCommand.run = runVersion }

// identity is what gaucho version --json prints.
type identity struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"` // with "+changes" where the build had uncommitted ones
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
	Compiler bool   `json:"compiler"` // comes along, for native cells without a Go toolchain
}

func runVersion(args []string) int {
	fs := versionCommand.flags()
	asJSON := fs.Bool("json", false, "as a JSON object")
	texts := fs.Bool("licences", false, "the texts of the licences of what the program is built from")
	if rest, status := parse(fs, args, nil); status >= 0 {
		return status
	} else if len(rest) > 0 {
		return usage(versionCommand, "takes no arguments")
	}
	if *texts {
		fmt.Print(licences.Text)
		return 0
	}
	if *asJSON {
		out := json.NewEncoder(os.Stdout)
		out.SetIndent("", "  ")
		if err := out.Encode(thisProgram()); err != nil {
			return fail(err)
		}
		return 0
	}
	fmt.Printf("gaucho %s, %s, %s/%s\n", longVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return 0
}

func thisProgram() identity {
	id := identity{Version: install.Version, Go: strings.TrimPrefix(runtime.Version(), "go"), OS: runtime.GOOS, Arch: runtime.GOARCH, Compiler: kit.Carried()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return id
	}
	changes := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			id.Commit = s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			changes = "+changes"
		}
	}
	if id.Commit != "" {
		id.Commit += changes
	}
	return id
}

// longVersion is the release, with the commit when the build knows it.
func longVersion() string {
	id := thisProgram()
	if id.Commit == "" {
		return id.Version
	}
	return id.Version + " (" + id.Commit + ")"
}
