//go:build linux && (amd64 || arm64)

package fence

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestMain makes the test's program the prisoner when it is started as one: it enters the fence and tries to do what the
// environment says.
func TestMain(m *testing.M) {
	name := os.Getenv("FENCE_TRY")
	if name == "" {
		os.Exit(m.Run())
	}
	r := Rules{Dir: os.Getenv("FENCE_DIR"), Read: []string{os.Getenv("FENCE_READ")}, Data: 1 << 30, CPU: 2 * time.Second, File: 1 << 20}
	if err := Enter(r); err != nil {
		fmt.Println("no fence:", err)
		os.Exit(3)
	}
	if err := tries[name].do(); err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
	fmt.Println("done")
}

var outside = os.Getenv("FENCE_OUTSIDE")

// tries are what a prisoner may try; the fence allows those that are so marked.
var tries = map[string]struct {
	allowed bool
	do      func() error
}{
	"write inside": {true, func() error { return os.WriteFile("a.txt", []byte("x"), 0o644) }},
	"make a folder inside": {true, func() error {
		return errors.Join(os.Mkdir("d", 0o755), os.WriteFile("d/b", nil, 0o644), os.Rename("d/b", "c"), os.RemoveAll("d"))
	}},
	"read what may be read": {true, func() error { _, err := os.ReadFile(os.Getenv("FENCE_READ")); return err }},
	"threads":               {true, threads},
	"memory within limits":  {true, func() error { b := make([]byte, 64<<20); b[1<<20] = 1; runtime.KeepAlive(b); return nil }},
	"look at the time zone": {true, func() error { _ = time.Now().Local().String(); return nil }},
	"copy a file": {true, func() error {
		if err := os.WriteFile("from", make([]byte, 1<<16), 0o644); err != nil {
			return err
		}
		in, err := os.Open("from")
		if err != nil {
			return err
		}
		out, err := os.Create("to")
		if err != nil {
			return err
		}
		_, err = io.Copy(out, in)
		return errors.Join(err, out.Sync(), out.Truncate(10), out.Close())
	}},
	"list a directory": {true, func() error { _, err := os.ReadDir("."); return err }},
	"wait for a pipe": {true, func() error {
		r, w, err := os.Pipe()
		if err != nil {
			return err
		}
		go func() { time.Sleep(10 * time.Millisecond); w.Write([]byte("x")) }()
		r.SetReadDeadline(time.Now().Add(time.Minute))
		_, err = r.Read(make([]byte, 1))
		return err
	}},
	"measure itself": {true, func() error {
		if err := pprof.StartCPUProfile(io.Discard); err != nil {
			return err
		}
		spin(time.Now().Add(100 * time.Millisecond))
		pprof.StopCPUProfile()
		return nil
	}},
	"signal itself": {true, func() error { return syscall.Kill(os.Getpid(), syscall.SIGURG) }},
	"collect garbage": {true, func() error {
		for range 20 {
			b := make([]byte, 8<<20)
			b[0] = 1
			debug.FreeOSMemory()
		}
		return nil
	}},
	"sleep": {true, func() error { time.Sleep(10 * time.Millisecond); return nil }},

	"write outside":           {false, func() error { return os.WriteFile(outside, []byte("x"), 0o644) }},
	"read outside":            {false, func() error { _, err := os.ReadFile(outside); return err }},
	"list outside":            {false, func() error { _, err := os.ReadDir(filepath.Dir(outside)); return err }},
	"remove outside":          {false, func() error { return os.Remove(outside) }},
	"truncate outside":        {false, func() error { return os.Truncate(outside, 0) }},
	"rename outside":          {false, func() error { return os.Rename(outside, "mine") }},
	"hard link from outside":  {false, func() error { return os.Link(outside, "mine") }},
	"mode of a file outside":  {false, func() error { return os.Chmod(outside, 0o777) }},
	"owner of a file outside": {false, func() error { return os.Lchown(outside, 1, 1) }},
	"times of a file outside": {false, func() error { return os.Chtimes(outside, time.Now(), time.Unix(0, 0)) }},
	"symbolic link outside": {false, func() error {
		if err := os.Symlink(outside, "link"); err != nil {
			return err
		}
		_, err := os.ReadFile("link")
		return err
	}},
	"environment of the parent": {false, func() error { _, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", os.Getppid())); return err }},
	"memory of the parent": {false, func() error {
		_, err := os.OpenFile(fmt.Sprintf("/proc/%d/mem", os.Getppid()), os.O_RDWR, 0)
		return err
	}},
	"device":             {false, func() error { _, err := os.OpenFile("/dev/tty", os.O_RDWR, 0); return err }},
	"TCP out":            {false, func() error { _, err := net.Dial("tcp", os.Getenv("FENCE_TCP")); return err }},
	"TCP in":             {false, func() error { _, err := net.Listen("tcp", "127.0.0.1:0"); return err }},
	"UDP":                {false, func() error { _, err := net.Dial("udp", "127.0.0.1:53"); return err }},
	"UNIX socket":        {false, func() error { _, err := net.Listen("unix", "socket"); return err }},
	"pair of sockets":    {false, func() error { _, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0); return err }},
	"start a program":    {false, func() error { return exec.Command("/bin/true").Run() }},
	"become a program":   {false, func() error { return syscall.Exec("/bin/true", []string{"true"}, nil) }},
	"fork":               {false, fork},
	"clone3":             {false, func() error { return call(unix.SYS_CLONE3, 0, 0) }},
	"kill the parent":    {false, func() error { return syscall.Kill(os.Getppid(), syscall.SIGKILL) }},
	"kill the group":     {false, func() error { return syscall.Kill(0, syscall.SIGKILL) }},
	"trace the parent":   {false, func() error { return unix.PtraceAttach(os.Getppid()) }},
	"outlive the parent": {false, func() error { return unix.Prctl(unix.PR_SET_PDEATHSIG, 0, 0, 0, 0) }},
	"raise a limit":      {false, func() error { return syscall.Setrlimit(unix.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 9999, Max: 9999}) }},
	"affinity of the parent": {false, func() error {
		var set unix.CPUSet
		set.Set(0)
		return unix.SchedSetaffinity(os.Getppid(), &set)
	}},
	"setxattrat":     {false, func() error { return call(463, 0, 0) }},
	"removexattrat":  {false, func() error { return call(466, 0, 0) }},
	"open_tree_attr": {false, func() error { return call(467, 0, 0) }},
	"file_setattr":   {false, func() error { return call(469, 0, 0) }},
	"a call that is not yet": {false, func() error {
		if err := call(4000, 0, 0); err != unix.EPERM {
			return nil // a call that the kernel does not know got through to it
		}
		return unix.EPERM
	}},
	"memory shared with others": {false, func() error {
		_, err := unix.Mmap(-1, 0, 1<<20, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_ANONYMOUS)
		return err
	}},
	"memory that is code": {false, func() error {
		_, err := unix.Mmap(-1, 0, 1<<16, unix.PROT_READ|unix.PROT_EXEC, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
		return err
	}},
	"memory that becomes code": {false, func() error {
		b, err := unix.Mmap(-1, 0, 1<<16, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
		if err != nil {
			fmt.Println("cannot map:", err)
			return nil
		}
		return unix.Mprotect(b, unix.PROT_READ|unix.PROT_EXEC)
	}},
	"locked memory":      {false, func() error { return unix.Mlockall(unix.MCL_CURRENT) }},
	"a closed directory": {false, func() error { return os.Mkdir("d", 0o300) }},
	"another umask":      {false, func() error { return call(unix.SYS_UMASK, 0o777, 0) }},
	"a larger pipe": {false, func() error {
		_, w, err := os.Pipe()
		if err != nil {
			return nil
		}
		_, err = unix.FcntlInt(w.Fd(), unix.F_SETPIPE_SZ, 1<<20)
		return err
	}},
	"signals by a file's owner": {false, func() error {
		r, _, _ := os.Pipe()
		_, err := unix.FcntlInt(r.Fd(), unix.F_SETOWN, os.Getppid())
		return err
	}},
	"a record lock": {false, func() error {
		f, err := os.OpenFile("/dev/null", os.O_RDWR, 0)
		if err != nil {
			return nil
		}
		return unix.FcntlFlock(f.Fd(), unix.F_SETLK, &unix.Flock_t{Type: unix.F_RDLCK, Start: 42, Len: 1})
	}},
	"what is locked": {false, func() error {
		f, err := os.OpenFile("/dev/null", os.O_RDWR, 0)
		if err != nil {
			return nil
		}
		return unix.FcntlFlock(f.Fd(), unix.F_OFD_GETLK, &unix.Flock_t{Type: unix.F_WRLCK, Start: 42, Len: 1})
	}},
	"a lock of a file": {false, func() error {
		f, err := os.Create("locked")
		if err != nil {
			return nil
		}
		return unix.Flock(int(f.Fd()), unix.LOCK_EX)
	}},
	"a key":                  {false, func() error { _, err := unix.KeyctlGetKeyringID(unix.KEY_SPEC_SESSION_KEYRING, true); return err }},
	"programs in the kernel": {false, func() error { return call(unix.SYS_BPF, 0, 0) }},
	"another filter":         {false, func() error { return call(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0) }},
	"io_uring":               {false, func() error { return call(unix.SYS_IO_URING_SETUP, 1, 0) }},
	"mount":                  {false, func() error { return unix.Mount("none", ".", "tmpfs", 0, "") }},
	"new namespace":          {false, func() error { return unix.Unshare(unix.CLONE_NEWUSER) }},
	"change root":            {false, func() error { return unix.Chroot(".") }},
	"shared memory":          {false, func() error { return call(unix.SYS_SHMGET, 1234, 4096) }},
	"large file":             {false, func() error { return os.WriteFile("large", make([]byte, 2<<20), 0o644) }},
	"much memory":            {false, func() error { b := make([]byte, 4<<30); b[3<<30] = 1; runtime.KeepAlive(b); return nil }},
	"much time":              {false, func() error { return spin(time.Now().Add(time.Minute)) }},
}

func spin(until time.Time) error {
	for time.Now().Before(until) {
	}
	return nil
}

func call(nr, a, b uintptr) error {
	if _, _, errno := unix.Syscall(nr, a, b, 0); errno != 0 {
		return errno
	}
	return nil
}

func fork() error {
	pid, _, errno := unix.RawSyscall(unix.SYS_CLONE, uintptr(unix.SIGCHLD), 0, 0)
	if errno != 0 {
		return errno
	}
	if pid == 0 {
		unix.Exit(0)
	}
	return nil
}

// threads has many threads at once, each in a system call.
func threads() error {
	done := make(chan error)
	for range 50 {
		go func() {
			runtime.LockOSThread()
			done <- unix.Nanosleep(&unix.Timespec{Nsec: 1e6}, nil)
		}()
	}
	for range 50 {
		if err := <-done; err != nil && err != unix.EINTR {
			return err
		}
	}
	return nil
}

func TestFence(t *testing.T) {
	if err := Available(); err != nil {
		t.Skip(err)
	}
	t.Run("this user", func(t *testing.T) { tryAll(t, nil) })
	if os.Getuid() == 0 {
		t.Run("an ordinary user", func(t *testing.T) { tryAll(t, &syscall.Credential{Uid: 65534, Gid: 65534}) })
	}
}

func tryAll(t *testing.T, who *syscall.Credential) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	// Not under the test's own temporary directory, which an ordinary user may not enter.
	base, err := os.MkdirTemp("", "fence-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	program := filepath.Join(base, "prisoner")
	copyFile(t, self, program, 0o755)
	secret, readable := filepath.Join(base, "secret"), filepath.Join(base, "readable")
	for _, f := range []string{secret, readable} {
		if err := os.WriteFile(f, []byte("secret"), 0o666); err != nil {
			t.Fatal(err)
		}
		os.Chmod(f, 0o666) // whatever the umask: only the fence is to keep it
	}
	os.Chmod(base, 0o777)
	for name, try := range tries {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, err := os.MkdirTemp(base, "dir-")
			if err != nil {
				t.Fatal(err)
			}
			os.Chmod(dir, 0o777)
			cmd := exec.Command(program)
			cmd.Dir = dir
			cmd.Env = append(os.Environ(), "FENCE_TRY="+name, "FENCE_DIR="+dir, "FENCE_READ="+readable, "FENCE_OUTSIDE="+secret,
				"FENCE_TCP="+listener.Addr().String())
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: who}
			out, err := cmd.CombinedOutput()
			line := lastLine(out)
			switch {
			case strings.HasPrefix(line, "no fence"):
				t.Error(line)
			case try.allowed && err != nil:
				t.Errorf("must be allowed: %v, %s", err, out)
			case !try.allowed && err == nil:
				t.Errorf("must be refused, but: %s", out)
			}
			if b, err := os.ReadFile(secret); string(b) != "secret" {
				t.Errorf("the file outside holds %q now, error %v", b, err)
			}
		})
	}
}

func copyFile(t *testing.T, from, to string, mode os.FileMode) {
	b, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, b, mode)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func lastLine(out []byte) (line string) {
	for s := bufio.NewScanner(strings.NewReader(string(out))); s.Scan(); {
		line = s.Text()
	}
	return line
}
