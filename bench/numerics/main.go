// Command numerics times packages vec and linalg beside NumPy, SciPy and gonum: both do a case in turn, on the same number of
// threads. bench.py runs it and reads a line of JSON for each case.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("numerics: ")
	python := flag.String("python", "python3", "interpreter that has NumPy and SciPy")
	script := flag.String("peer", "bench/numerics/peer.py", "the Python side")
	only := flag.String("cases", "", "run the cases whose name contains this")
	rounds := flag.Int("rounds", 9, "runs of each side")
	flag.Parse()

	p, err := startPeer(*python, *script)
	if err != nil {
		log.Fatal(err)
	}
	defer p.stop()
	out := json.NewEncoder(os.Stdout)
	for _, c := range cases() {
		if !strings.Contains(c.name, *only) {
			continue
		}
		own, other, err := compare(p, c, *rounds)
		if err != nil {
			log.Fatalf("%s: %v", c.name, err)
		}
		if err := out.Encode(map[string]any{"title": c.name, "peer": c.library(), "most": c.target, "own": own, "other": other}); err != nil {
			log.Fatal(err)
		}
	}
}

// compare runs both sides in turn and returns the seconds of one repetition of each, round by round.
func compare(p *peer, c benchmark, rounds int) (own, other []float64, err error) {
	run := c.make()
	run()
	once := timed(run, 1)
	repetitions := max(1, int(.02/max(once, 1e-9)))
	// Each side runs unmeasured first: OpenBLAS's threads spin for a while after
	// the work of the side before, and a system puts the threads of a process that
	// slept onto one processor until it has seen them busy.
	warm := max(1, int(.2/max(once, 1e-9)))
	if c.rival != nil { // both sides are Go
		rival := c.rival()
		rival()
		for range rounds {
			timed(run, warm)
			own = append(own, timed(run, repetitions))
			other = append(other, timed(rival, max(1, repetitions/10)))
		}
		return own, other, nil
	}
	for range rounds {
		s, err := p.time(c.peer, warm, repetitions)
		if err != nil {
			return nil, nil, err
		}
		other = append(other, s)
		timed(run, warm)
		own = append(own, timed(run, repetitions))
	}
	return own, other, nil
}

// timed returns the seconds of one repetition.
func timed(f func(), repetitions int) float64 {
	start := time.Now()
	for range repetitions {
		f()
	}
	return time.Since(start).Seconds() / float64(repetitions)
}

// A peer is the Python process.
type peer struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func startPeer(python, script string) (*peer, error) {
	cmd := exec.Command(python, script)
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
// it returns the seconds of one repetition.
func (p *peer) time(call string, warm, repetitions int) (float64, error) {
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
	return seconds / float64(repetitions), nil
}

func (p *peer) stop() {
	p.in.Close()
	p.cmd.Wait()
}
