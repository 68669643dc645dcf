//go:build unix

// Command numerics times packages vec and linalg beside NumPy and SciPy: both do
// a case in turn, nine times, on the same number of threads, and the medians are
// compared with a target.
//
//	bench/numerics/run            # makes the Python environment first
//	bench/numerics/run -cases Gram
//	GODEBUG=cpu.avx512f=off bench/numerics/run -avx2
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"gaucho/stdlib/linalg"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("numerics: ")
	python := flag.String("python", "python3", "interpreter that has NumPy and SciPy")
	script := flag.String("peer", "bench/numerics/peer.py", "the Python side")
	only := flag.String("cases", "", "run the cases whose name contains this")
	rounds := flag.Int("rounds", 9, "runs of each side")
	flag.BoolVar(&processor, "cpu", false, "processor seconds, not time: for one thread (GOMAXPROCS=1) on a busy machine")
	avx2 := flag.Bool("avx2", false, "compare with the targets of AVX2")
	flag.Parse()

	p, err := startPeer(*python, *script)
	if err != nil {
		log.Fatal(err)
	}
	defer p.stop()
	fmt.Printf("kernels %v, %d threads, medians of %d runs in turn\n\n", linalg.Path(), runtime.GOMAXPROCS(0), *rounds)
	limits()
	fmt.Printf("\n| %-34s | %10s | %10s | %6s | %6s | |\n|---|---|---|---|---|---|\n", "case", "own", "Python", "ratio", "target")
	missed := 0
	for _, c := range cases() {
		if !strings.Contains(c.name, *only) {
			continue
		}
		own, other, err := compare(p, c, *rounds)
		if err != nil {
			log.Fatalf("%s: %v", c.name, err)
		}
		target := c.target
		if *avx2 && c.avx2 > 0 {
			target = c.avx2
		}
		ratio, mark := own.Seconds()/other.Seconds(), ""
		if target > 0 && ratio > target {
			mark = "missed"
			missed++
		}
		fmt.Printf("| %-34s | %10v | %10v | %6.2f | %6s | %s |\n", c.name, show(own), show(other), ratio, number(target), mark)
	}
	fmt.Printf("\n%d targets missed\n", missed)
}

func number(x float64) string {
	if x == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", x)
}

func show(d time.Duration) string {
	switch {
	case d < 100*time.Microsecond:
		return fmt.Sprintf("%.2f us", d.Seconds()*1e6)
	case d < time.Second:
		return fmt.Sprintf("%.2f ms", d.Seconds()*1e3)
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}

// compare runs both sides in turn and returns the medians of one repetition.
func compare(p *peer, c benchmark, rounds int) (own, other time.Duration, err error) {
	run := c.make()
	run()
	once := timed(run, 1)
	repetitions := max(1, int(20*time.Millisecond/max(once, 1)))
	// Each side runs unmeasured first: OpenBLAS's threads spin for a while after
	// the work of the side before, and a system puts the threads of a process that
	// slept onto one processor until it has seen them busy.
	warm := max(1, int(200*time.Millisecond/max(once, 1)))
	if c.peer == "" { // both sides are Go
		rival := c.rival()
		rival()
		var a, b []time.Duration
		for range rounds {
			timed(run, warm)
			a = append(a, timed(run, repetitions))
			b = append(b, timed(rival, max(1, repetitions/10)))
		}
		return median(a), median(b), nil
	}
	var a, b []time.Duration
	for range rounds {
		d, err := p.time(c.peer, warm, repetitions)
		if err != nil {
			return 0, 0, err
		}
		b = append(b, d)
		timed(run, warm)
		a = append(a, timed(run, repetitions))
	}
	return median(a), median(b), nil
}

// processor chooses the clock: processor seconds of both processes.
var processor bool

// clock returns seconds since some moment.
func clock() time.Duration {
	if !processor {
		return time.Since(begin)
	}
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		log.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

var begin = time.Now()

func timed(f func(), repetitions int) time.Duration {
	start := clock()
	for range repetitions {
		f()
	}
	return (clock() - start) / time.Duration(repetitions)
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// A peer is the Python process.
type peer struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startPeer(python, script string) (*peer, error) {
	cmd := exec.Command(python, script)
	if processor {
		cmd.Args = append(cmd.Args, "cpu")
	}
	threads := fmt.Sprint(runtime.GOMAXPROCS(0))
	cmd.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS="+threads, "OMP_NUM_THREADS="+threads)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &peer{cmd, in, bufio.NewReader(out)}, cmd.Start()
}

// time has the peer run a case warm times unmeasured and then as often as asked;
// it returns the time of one repetition.
func (p *peer) time(call string, warm, repetitions int) (time.Duration, error) {
	if _, err := fmt.Fprintf(p.in, "%s %d %d\n", call, warm, repetitions); err != nil {
		return 0, err
	}
	line, err := p.out.ReadString('\n')
	if err != nil {
		return 0, err
	}
	var seconds float64
	if _, err := fmt.Sscan(line, &seconds); err != nil {
		return 0, err
	}
	return time.Duration(seconds / float64(repetitions) * 1e9), nil
}

func (p *peer) stop() {
	p.in.Close()
	p.cmd.Wait()
}
