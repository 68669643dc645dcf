//go:build linux

package interp

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// testStages makes some stages of the native engine's test with a worker, and returns their names, as far as it came, and the verdict.
func testStages(t *testing.T, n nativeTest, stages ...string) (names []string, verdict string) {
	t.Helper()
	verdict, err := n.run(context.Background(), testLength{stages, nativePatience}, func(s NativeStage) { names = append(names, s.Name) })
	if err != nil {
		t.Fatal(err)
	}
	return names, verdict
}

// TestNativeStages: all stages of the test of the native engine pass here.
func TestNativeStages(t *testing.T) {
	stages := slices.Clone(longTest.stages)
	if testing.Short() {
		stages = shortTest.stages
	}
	names, verdict := testStages(t, nativeTest{opts: Options{Worker: nativeProgram(t)}}, stages...)
	if verdict != "" || !slices.Equal(names, stages) {
		t.Errorf("%v of %v passed: %s", names, stages, verdict)
	}
}

// brokenWorker is the argument of this program with which it forbids itself and the program that it becomes to execute pages that it has written.
const brokenWorker = "gaucho-test-no-new-code"

// init is for a process that is started as brokenWorker says.
func init() {
	if len(os.Args) > 2 && os.Args[1] == brokenWorker {
		const setMDWE, refuseExecGain = 65, 1 // PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN: Linux 6.3
		runtime.LockOSThread()
		if err := unix.Prctl(setMDWE, refuseExecGain, 0, 0, 0); err != nil {
			os.Exit(77)
		}
		unix.Exec(os.Args[2], os.Args[2:], os.Environ())
		os.Exit(1)
	}
}

// TestNativeStagesBroken breaks what each stage tests, and wants a verdict of that stage.
func TestNativeStagesBroken(t *testing.T) {
	worker := nativeProgram(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what  string
		test  nativeTest
		stage string
		want  string
	}{
		// A worker without its symbol table.
		{"tables", nativeTest{opts: Options{Worker: []string{stripped(t, worker[0]), "worker"}}}, "tables", "symbol table"},
		{"pages", nativeTest{opts: Options{Worker: append([]string{self, brokenWorker}, worker...)}}, "pages", "mprotect: permission denied"},
		{"faults", nativeTest{opts: Options{Worker: worker}, first: `import "unsafe"
var action [4]uintptr // SIG_DFL
syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(syscall.SIGSEGV), uintptr(unsafe.Pointer(&action)), 0, 8, 0, 0)`}, "cells", "cell 4 gave"},
		{"profile", nativeTest{opts: Options{Worker: worker}, first: `import "runtime/pprof"
pprof.StartCPUProfile(io.Discard)`}, "cells", "cell 8 gave"},
	} {
		t.Run(c.what, func(t *testing.T) {
			if c.what == "pages" && exec.Command(self, brokenWorker, "/bin/true").Run() != nil {
				t.Skip("this kernel cannot forbid new code")
			}
			names, verdict := testStages(t, c.test, longTest.stages[:3]...)
			if at := slices.Index(longTest.stages, c.stage); !slices.Equal(names, longTest.stages[:at+1]) || !strings.Contains(verdict, "in its stage "+c.stage) || !strings.Contains(verdict, c.want) {
				t.Errorf("stages %v, verdict %q, want %q in stage %s", names, verdict, c.want, c.stage)
			}
		})
	}
}

// TestNativeStagesSlow: goroutines that nothing preempts end no stage, which is no verdict about the system.
func TestNativeStagesSlow(t *testing.T) {
	n := nativeTest{opts: Options{Worker: []string{"sh", "-c", `GODEBUG=asyncpreemptoff=1 exec "$0" "$@"`, nativeProgram(t)[0], "worker"}}}
	testStages(t, n, "tables") // and the kit is there
	_, err := n.run(context.Background(), testLength{[]string{"cells"}, 10 * time.Second}, func(NativeStage) {})
	if err == nil || !strings.Contains(err.Error(), "in its stage cells: it took too long") {
		t.Errorf("the error is %v", err)
	}
}

// stripped is a program without its symbol table.
func stripped(t *testing.T, program string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "stripped")
	if out, err := exec.Command("objcopy", "--strip-all", program, file).CombinedOutput(); err != nil {
		t.Skipf("%v\n%s", err, out)
	}
	return file
}
