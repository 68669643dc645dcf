// Package testenv stands in for the standard library's internal package of that name: what a session is no place for,
// such as running the go command, skips the test.
package testenv

import (
	"os"
	"os/exec"
	"runtime"
	"testing"
)

// Builder is the name of the machine of Go's own builders, which this is not.
func Builder() string { return "" }

// OptimizationOff reports whether code is not compiled with optimisation, as where it is interpreted; tests that count
// allocations ask for that.
func OptimizationOff() bool { return os.Getenv("GAUCHO_ENGINE") == "yaegi" }

func SkipIfOptimizationOff(t testing.TB) {
	if OptimizationOff() {
		skip(t, "depends on the compiler's optimisations")
	}
}

func MustHaveExec(t testing.TB)                  { skip(t, "starts itself") }
func MustHaveExecPath(t testing.TB, path string) { skip(t, "starts "+path) }
func MustHaveGoBuild(t testing.TB)               { skip(t, "runs the go command") }
func MustHaveGoRun(t testing.TB)                 { skip(t, "runs the go command") }
func MustHaveParallelism(t testing.TB)           {}
func MustHaveSymlink(t testing.TB)               {}
func SkipFlaky(t testing.TB, issue int)          { skip(t, "fails by chance, as its authors say") }

//lint:ignore SA1019 the tests are those of the tree that built this process
func GOROOT(t testing.TB) string     { return runtime.GOROOT() }
func GoToolPath(t testing.TB) string { skip(t, "runs the go command"); return "" }
func Executable(t testing.TB) string { skip(t, "starts itself"); return "" }

func CleanCmdEnv(cmd *exec.Cmd) *exec.Cmd { cmd.Env = os.Environ(); return cmd }

func Command(t testing.TB, name string, args ...string) *exec.Cmd {
	skip(t, "starts "+name)
	return nil
}

func skip(t testing.TB, why string) {
	t.Helper()
	t.Skip(why)
}
