//go:build unix

package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gaucho/interp/supervisor"
)

const displayImport = "import display \"gaucho/stdlib/display\"; import log \"log\"; import exec \"os/exec\"; import bufio \"bufio\""

// withDisplay runs a cell that imports more packages.
func (s *session) withDisplay(body string) {
	s.t.Helper()
	r := s.cell("", body)
	r.Units[0].Imports = append(r.Units[0].Imports, "gaucho/stdlib/display", "log", "os/exec", "bufio")
	if s.n == 1 {
		r.Units[0].Text = strings.Replace(r.Units[0].Text, "\n", "\n"+displayImport+";", 1)
	}
	d, err := s.p.Run(context.Background(), r, nil)
	if err != nil || d.Error != nil {
		s.t.Fatalf("cell %d: %v %+v", s.n, err, d.Error)
	}
}

// What cells print by any route and what they show comes in the order in which they did it.
func TestOrder(t *testing.T) {
	s := start(t)
	s.withDisplay(`
		for i := 0; i < 50; i++ {
			rt.Println("print", i)
			fmt.Fprintln(os.Stdout, "raw", i)
			display.Show(display.Markdown(fmt.Sprint("shown ", i)))
			rt.Fprintln(os.Stderr, "error", i)
			log.SetFlags(0)
			log.Println("logged", i)
			out, _ := exec.Command("echo", "-n", "sub").Output()
			c := exec.Command("sh", "-c", "echo child")
			c.Stdout, c.Stderr = os.Stdout, os.Stderr
			c.Run()
			rt.Print(string(out), i, "\n")
			display.Clear(true)
		}`)
	var want []event
	for i := range 50 {
		n := strconv.Itoa(i)
		want = append(want, event{1, "stdout", "print " + n + "\nraw " + n + "\n"}, event{1, "display", "shown " + n},
			event{1, "stderr", "error " + n + "\nlogged " + n + "\n"},
			event{1, "stdout", "child\nsub" + n + "\n"}, event{1, "clear", "true"})
	}
	got := s.sink.kinds(1)
	for i := range max(len(want), len(got)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("event %d: got %+v\nwant %+v", i, got[i:min(len(got), i+3)], want[i:min(len(want), i+3)])
		}
	}
}

// A million lines arrive, in few messages.
func TestFlood(t *testing.T) {
	s := start(t)
	s.ok("", `for i := 0; i < 200000; i++ { rt.Println(i) }`)
	s.ok("", `b := make([]byte, 0, 8000000); for i := 0; i < 1000000; i++ { b = append(b, "line\n"...) }; os.Stdout.Write(b); rt.Println("end")`)
	text := s.sink.text(1, "stdout")
	lines := strings.Split(text, "\n")
	if len(lines) != 200001 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, l := range lines[:200000] {
		if l != strconv.Itoa(i) {
			t.Fatalf("line %d is %q", i, l)
		}
	}
	if text := s.sink.text(2, "stdout"); len(text) != 5000004 || !strings.HasSuffix(text, "line\nend\n") {
		t.Fatalf("%d bytes", len(text))
	}
	s.sink.mu.Lock()
	defer s.sink.mu.Unlock()
	if n := len(s.sink.events); n > 2000 {
		t.Errorf("%d messages", n)
	}
}

// A slow front end holds the cell back, and an interrupt still gets through.
func TestBackPressure(t *testing.T) {
	s := start(t)
	s.ok("", "")
	s.sink.slow = 5 * time.Millisecond
	name, _, _ := s.interrupted("", `for { if *rt_stop { rt.Stopped() }; rt.Println("go on and on and on and on and on and on and on and on") }`)
	if name != "Interrupt" {
		t.Errorf("ended with %q", name)
	}
}

// Characters are not cut in two, and bytes that are no text are replaced.
func TestUTF8(t *testing.T) {
	s := start(t)
	s.ok("", `for _, b := range []byte("aé世🙂") { os.Stdout.Write([]byte{b}); time.Sleep(5*time.Millisecond) }; os.Stdout.Write([]byte{0xff, 'x', 0xe4})`)
	if got := s.sink.text(1, "stdout"); got != "aé世🙂\uFFFDx\uFFFD" {
		t.Errorf("got %q", got)
	}
}

// A goroutine prints into its own cell also after that has ended; what writes to the process's streams prints into
// the cell that runs.
func TestAddressee(t *testing.T) {
	s := start(t)
	s.ok("", `rt.Go(func() { time.Sleep(30*time.Millisecond); rt.Println("late"); fmt.Fprintln(os.Stdout, "raw") })`)
	s.ok("", `rt.Println("second"); time.Sleep(80*time.Millisecond)`)
	if got := s.sink.text(1, "stdout"); got != "late\n" {
		t.Errorf("cell 1 got %q", got)
	}
	if got := s.sink.text(2, "stdout"); got != "second\nraw\n" {
		t.Errorf("cell 2 got %q", got)
	}
}

// A cell that puts another file in os.Stdout gets what it prints.
func TestCapture(t *testing.T) {
	s := start(t)
	got := s.ok("", `old := os.Stdout; r, w, _ := os.Pipe(); os.Stdout = w; rt.Println("caught"); w.Close(); os.Stdout = old
		b := make([]byte, 100); n, _ := r.Read(b); rt.Println("seen"); rt.Result(string(b[:n]))`)
	if got != `"caught\n"` || s.sink.text(1, "stdout") != "seen\n" {
		t.Errorf("caught %s, printed %q", got, s.sink.text(1, "stdout"))
	}
}

// Text that only looks like a crash is shown.
func TestNoCrash(t *testing.T) {
	s := start(t)
	s.ok("", `fmt.Fprintln(os.Stderr, "panic: not really"); time.Sleep(20*time.Millisecond)`)
	s.sink.await(t, 1, "stderr", "panic: not really")
}

func TestInput(t *testing.T) {
	s := start(t)
	answers := []string{"7 8", "Ada Lovelace", "secret"}
	s.sink.input = func(prompt string) (string, error) {
		if len(answers) == 0 {
			return "", errors.New("nobody there")
		}
		a := answers[0]
		answers = answers[1:]
		return a, nil
	}
	got := s.ok("", `var a, b int; n, err := fmt.Scan(&a, &b); line, _ := rt.Input("name: "); p, _ := rt.Password("? "); _, e := rt.Input("more")
		rt.Result(fmt.Sprint(n, err, a, b, line, p, e != nil))`)
	if got != `"2 <nil> 7 8Ada Lovelacesecrettrue"` {
		t.Errorf("got %s", got)
	}
}

func TestUsage(t *testing.T) {
	s := start(t)
	u, err := s.p.Usage(t.Context())
	if err != nil || u.Heap == 0 || u.Goroutines == 0 {
		t.Errorf("%+v %v", u, err)
	}
}

// A worker that dies between two cells says so at the next, which does not run.
func TestDeathBetweenCells(t *testing.T) {
	s := start(t)
	s.ok("", `rt.Println("a")`)
	r := s.cell("", `rt.Println("must not run")`)
	pid := s.p.PID()
	p, _ := os.FindProcess(pid)
	p.Kill()
	for s.p.PID() == pid {
		time.Sleep(time.Millisecond)
	}
	d, err := s.p.Run(context.Background(), r, nil)
	if err != nil || d.Error == nil || !d.Error.Lost || d.Error.Name != "Killed" {
		t.Errorf("ended with %+v", d.Error)
	}
	s.n = 0
	s.ok("", `rt.Println("b")`)
	if got := s.sink.text(1, "stdout"); got != "a\nb\n" {
		t.Errorf("got %q", got)
	}
	if s.p.Generation() != 2 {
		t.Errorf("generation %d", s.p.Generation())
	}
}

// A subprocess that a cell waits for ends with the cell.
func TestInterruptSubprocess(t *testing.T) {
	s := start(t)
	s.withDisplay("")
	name, _, _ := s.interrupted("", `c := exec.Command("sleep", "1000"); c.Start(); rt.Println(c.Process.Pid, "go"); c.Wait(); for { if *rt_stop { rt.Stopped() } }`)
	if name != "Interrupt" {
		t.Errorf("ended with %q", name)
	}
	var pid int
	fmt.Sscan(s.sink.text(2, "stdout"), &pid)
	awaitDeath(t, pid)
}

// Nothing that cells started outlives the worker, and the worker does not outlive its kernel.
func TestNothingLeft(t *testing.T) {
	s := start(t)
	s.withDisplay(`c := exec.Command("sleep", "1000"); c.Start(); rt.Println(c.Process.Pid, os.Getpid())`)
	var child, worker int
	fmt.Sscan(s.sink.text(1, "stdout"), &child, &worker)
	if !alive(child) {
		t.Fatal("the child does not live")
	}
	s.p.Close()
	awaitDeath(t, child)
	awaitDeath(t, worker)

	// A kernel that is killed: this program again, which starts a worker and waits.
	k := exec.Command(os.Args[0])
	k.Env = append(os.Environ(), "GAUCHO_TEST_KERNEL=1")
	out, err := k.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := k.Start(); err != nil {
		t.Fatal(err)
	}
	child, worker = 0, 0
	for b, text := make([]byte, 1000), ""; child == 0; {
		n, err := out.Read(b)
		if err != nil {
			t.Fatal(err)
		}
		text += string(b[:n])
		if strings.Contains(text, "\n") {
			fmt.Sscan(text, &child, &worker)
		}
	}
	if !alive(child) || !alive(worker) {
		t.Fatal("the processes do not live")
	}
	k.Process.Kill()
	k.Wait()
	awaitDeath(t, worker)
	awaitDeath(t, child)
}

// helperKernel is the kernel that TestNothingLeft kills.
func init() {
	helperKernel = func() {
		sink := &recorder{}
		p, err := supervisor.Start(supervisor.Options{Sink: sink})
		if err != nil {
			panic(err)
		}
		s := &session{p: p, sink: sink}
		r := s.cell("", `c := exec.Command("sleep", "1000"); c.Start(); rt.Println(c.Process.Pid, os.Getpid())`)
		r.Units[0].Imports = append(r.Units[0].Imports, "os/exec")
		r.Units[0].Text = strings.Replace(r.Units[0].Text, "\n", "\nimport exec \"os/exec\";", 1)
		if d, err := p.Run(context.Background(), r, nil); err != nil || d.Error != nil {
			panic(fmt.Sprint(err, d))
		}
		fmt.Print(sink.text(1, "stdout"))
		select {}
	}
}

func alive(pid int) bool { return syscall.Kill(pid, 0) == nil && !zombie(pid) }

// zombie reports whether a process has ended and nobody has asked how.
func zombie(pid int) bool {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(b), ") Z ")
}

func awaitDeath(t *testing.T, pid int) {
	t.Helper()
	for start := time.Now(); alive(pid); time.Sleep(2 * time.Millisecond) {
		if time.Since(start) > time.Minute {
			t.Fatalf("process %d lives on", pid)
		}
	}
}
