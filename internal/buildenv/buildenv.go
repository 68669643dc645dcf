// Package buildenv says for what this program was built.
package buildenv

import (
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
)

// names are the environment variables that tell the go command and the compiler what to build for.
var names = []string{"GOOS", "GOARCH", "GOAMD64", "GOARM64", "GOEXPERIMENT", "GOFIPS140"}

// Setting is the value that one of these variables had, empty for the default.
func Setting(name string) string {
	switch name {
	case "GOOS":
		return runtime.GOOS
	case "GOARCH":
		return runtime.GOARCH
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	i := slices.IndexFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == name })
	if i < 0 {
		return ""
	}
	return info.Settings[i].Value
}

// Environ is the environment in which a command builds what goes with this program: that of the process, without what the user
// has set for other builds, and with more variables.
func Environ(more ...string) []string {
	env := os.Environ()
	for _, name := range names {
		env = append(env, name+"="+Setting(name))
	}
	return append(env, more...)
}

// Tags are the build tags that follow from the settings, of those that [go/build.Default] has by the process's environment.
func Tags(all []string) []string {
	asked := strings.Split(os.Getenv("GOEXPERIMENT"), ",")
	has := strings.Split(Setting("GOEXPERIMENT"), ",")
	level := max("v1", Setting("GOAMD64"))
	return slices.DeleteFunc(slices.Clone(all), func(tag string) bool {
		if experiment, ok := strings.CutPrefix(tag, "goexperiment."); ok {
			return slices.Contains(asked, experiment) && !slices.Contains(has, experiment)
		}
		amd64, ok := strings.CutPrefix(tag, "amd64.")
		return ok && amd64 > level
	})
}
