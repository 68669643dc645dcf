package supervisor

import (
	"os"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"

	"gaucho/interp/wire/pipe"
)

// passFiles has the command inherit files and returns their handles, which are the same there.
func passFiles(cmd *exec.Cmd, files []*os.File) []uintptr {
	handles := make([]uintptr, len(files))
	attr := &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
	for i, f := range files {
		handles[i] = f.Fd()
		windows.SetHandleInformation(windows.Handle(handles[i]), windows.HANDLE_FLAG_INHERIT, windows.HANDLE_FLAG_INHERIT)
		attr.AdditionalInheritedHandles = append(attr.AdditionalInheritedHandles, syscall.Handle(handles[i]))
	}
	cmd.SysProcAttr = attr
	return handles
}

// A processGroup is the worker and what its cells start: a job that ends when the kernel closes it or ends itself.
type processGroup struct {
	job     windows.Handle
	process *os.Process
}

// startGroup starts a command in a new job.
func startGroup(cmd *exec.Cmd) (*processGroup, error) {
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	g := &processGroup{process: cmd.Process}
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return g, nil
	}
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{}
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(cmd.Process.Pid)); err == nil {
		if windows.AssignProcessToJobObject(job, h) == nil {
			g.job = job
		}
		windows.CloseHandle(h)
	}
	return g, nil
}

// kill ends all processes of the group.
func (g *processGroup) kill() {
	if g.job != 0 {
		windows.TerminateJobObject(g.job, 1)
		return
	}
	g.process.Kill()
}

// resume does nothing: no process is stopped.
func (g *processGroup) resume() {}

// end ends what the worker left behind when it ended.
func (g *processGroup) end() {
	if g.job != 0 {
		windows.TerminateJobObject(g.job, 1)
		windows.CloseHandle(g.job)
	}
}

// readRest returns what a pipe still holds.
func readRest(f *os.File) []byte {
	var all []byte
	p := pipe.OpenRaw(f.Fd())
	b := make([]byte, 64<<10)
	for {
		n := p.Read(b)
		if n == 0 {
			return all
		}
		all = append(all, b[:n]...)
	}
}

// messagePipe opens a pipe for the worker's messages.
func messagePipe() (r, w *os.File, err error) { return os.Pipe() }

// residentMemory cannot tell here; the worker watches its own memory.
func residentMemory(pid int) uint64 { return 0 }

// pipeHolds returns how many bytes a pipe holds.
func pipeHolds(f *os.File) int { return int(pipe.OpenRaw(f.Fd()).Held()) }
