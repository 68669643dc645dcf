package buildenv

import (
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// What the user has set for other builds does not reach a command that builds for this program: the go command says then what it
// says without these variables.
func TestEnviron(t *testing.T) {
	ask := func() string {
		cmd := exec.Command("go", "env", "GOOS", "GOARCH", "GOAMD64", "GOARM64", "GOEXPERIMENT", "GOFIPS140")
		cmd.Env = Environ("GOENV=off")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	for _, name := range names {
		t.Setenv(name, "")
	}
	plain := ask()
	if !strings.HasPrefix(plain, runtime.GOOS+"\n"+runtime.GOARCH+"\n") {
		t.Errorf("the go command builds for %q", plain)
	}
	for name, value := range map[string]string{"GOOS": "plan9", "GOARCH": "wasm", "GOAMD64": "v4", "GOARM64": "v9.5", "GOEXPERIMENT": "jsonv2", "GOFIPS140": "latest"} {
		t.Setenv(name, value)
	}
	if got := ask(); got != plain {
		t.Errorf("the go command builds for %q, expected %q", got, plain)
	}
}

func TestTags(t *testing.T) {
	if Setting("GOAMD64") > "v1" || Setting("GOEXPERIMENT") != "" {
		t.Skip("this test is built for a special processor or experiment")
	}
	t.Setenv("GOEXPERIMENT", "jsonv2,norangefunc")
	got := Tags([]string{"goexperiment.jsonv2", "goexperiment.regabi", "amd64.v1", "amd64.v2", "amd64.v3"})
	if want := []string{"goexperiment.regabi", "amd64.v1"}; !slices.Equal(got, want) {
		t.Errorf("tags %q, expected %q", got, want)
	}
}
