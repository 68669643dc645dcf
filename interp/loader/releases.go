package loader

import (
	"fmt"
	"go/version"
	"slices"
	"strings"
)

// releases are those of Go whose runtime the loader knows: the newest and the one before. What differs is in runtime126.go and so
// on; docs/new-go-release.md says what to do for the next one.
var releases = []string{"go1.26", "go1.27"}

// whyNot says why nothing can be loaded into a program that a toolchain built for a platform, as far as these are the reason.
func whyNot(toolchain, goos, goarch string) error {
	lang := version.Lang(strings.Fields(toolchain)[0])
	switch {
	case !slices.Contains([]string{"linux", "darwin", "windows"}, goos) || goarch != "amd64" && goarch != "arm64":
		return fmt.Errorf("compiled cells need Linux, macOS or Windows on amd64 or arm64; this is %s on %s", goos, goarch)
	case slices.Contains(releases, lang):
		return fmt.Errorf("a program with the race detector or a sanitizer cannot load compiled cells")
	}
	newest := releases[len(releases)-1]
	return fmt.Errorf("this Gaucho was built with %s, and compiles cells when built with %s: build it with GOTOOLCHAIN=%s.0, or get a newer Gaucho",
		toolchain, strings.Join(releases, " or "), newest)
}

func unsupported(err error) error {
	return fmt.Errorf("loading compiled code is not supported here: %w", err)
}
