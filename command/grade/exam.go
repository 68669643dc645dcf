package grade

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"gaucho/command/notebook"
	"gaucho/stdlib/check"
)

// Limits are what a submission may use.
type Limits struct {
	// Cell is the processor time that one cell may take, of all its threads together. By the clock it may take longer, see
	// Limits.wall.
	Cell   time.Duration
	Total  time.Duration // that all cells may take by the clock
	Memory int64         // bytes
	Disk   int64         // bytes in one file, and in all files together
	Output int           // bytes of text that a cell may show
}

// wall is how long a cell may take by the clock: three times its processor time, because the machine may have others to serve
// and a cell may wait, and at least five seconds, which a busy machine may need to give a cell a tenth of that.
func (l Limits) wall() time.Duration { return max(3*l.Cell, 5*time.Second) }

// defaultLimits returns 10 seconds a cell, 5 minutes for all, 1 GiB of memory, 64 MiB on the disk, and 64 KiB of text.
func defaultLimits() Limits {
	return Limits{Cell: 10 * time.Second, Total: 5 * time.Minute, Memory: 1 << 30, Disk: 64 << 20, Output: 64 << 10}
}

// An exam is what an examiner process is given: cells to run one after the other in one session.
type exam struct {
	Dir        string   // in which the session may read and write
	From       string   // the directory of the files that are given
	Files      []string // that are given, by their paths there
	Limits     Limits
	Fenced     bool
	Engine     string // yaegi if empty
	Mount      bool   // Dir is to be a file system of its own, as large as the disk's limit
	Processors []int  // on which it runs; none for all
	Cells      []examCell
}

// An examCell is a piece of code, and expressions whose values are then handed over.
type examCell struct {
	Source string
	Asks   []string
}

// An answer is what an examiner says of a cell.
type answer struct {
	Error   *failure
	Outputs []*notebook.Output
	Values  []handed
	Short   bool // a clock ended it while it waited for a processor

	lost string // what the process of the cells ended with; empty if it lives
}

// refused is what the interpreter refused to run, by its words; empty for nothing. A program can say the same words.
func (a *answer) refused() string {
	var errs []string
	if a.Error != nil {
		errs = append(errs, a.Error.Value)
	}
	for _, v := range a.Values {
		errs = append(errs, v.Error)
	}
	for _, e := range errs {
		if strings.Contains(e, "cannot be interpreted") {
			return clip(e, 200)
		}
	}
	return ""
}

type failure struct {
	Name, Value string
}

// A handed value is what an expression was, or why there is none.
type handed struct {
	Value json.RawMessage
	Error string
}

// read returns the value, which nobody vouches for.
func (h handed) read() (*check.Value, error) {
	if h.Error != "" {
		return nil, errors.New(h.Error)
	}
	return check.Decode(h.Value)
}

// maxAnswers is what all answers of one examiner may be, in bytes.
const maxAnswers = 64 << 20

// hold has a process run the exam, and returns the answers that it gave, which are fewer than there are cells if it did not
// live to give all; end then says why.
func (x *exam) hold(ctx context.Context) (answers []answer, end string, err error) {
	// The examiner keeps this clock itself. Only when what students wrote keeps it from doing so does it end here.
	ctx, cancel := context.WithTimeout(ctx, x.Limits.Total+x.Limits.wall()+20*time.Second)
	defer cancel()
	var words bytes.Buffer
	cmd, err := x.command(ctx, &words)
	if err != nil {
		return nil, "", err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, "", err
	}
	if err := closeInherited(); err != nil {
		return nil, "", err
	}
	group, err := x.group()
	if err != nil {
		return nil, "", err
	}
	defer group.remove()
	paper := cmd.Stdin.(*sealed)
	defer paper.release()
	if err := cmd.Start(); err != nil {
		return nil, "", err
	}
	if err := group.add(cmd.Process.Pid); err != nil {
		killGroup(cmd)
		return nil, "", errors.Join(err, cmd.Wait())
	}
	paper.release()
	watch, stop := context.WithCancel(ctx)
	full := make(chan bool, 1)
	go func() { full <- !x.Mount && watchDisk(watch, cmd, x.Dir, x.Limits.Disk) }()
	answers, readErr := readAnswers(out, len(x.Cells))
	killGroup(cmd) // nothing of it goes on
	waitErr := cmd.Wait()
	stop()
	switch {
	case len(answers) < len(x.Cells) && group.exhausted():
		end = fmt.Sprintf("it needed more memory than %s and what Go itself takes", size(x.Limits.Memory))
	case <-full:
		end = fmt.Sprintf("its files took more than %s", size(x.Limits.Disk))
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		end = "it took longer than all its cells may"
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case len(answers) < len(x.Cells) && words.Len() > 0:
		end = lastLine(words.String())
	case len(answers) < len(x.Cells):
		end = fmt.Sprintf("its process ended early (%v, %v)", waitErr, readErr)
	}
	return answers, end, nil
}

// group returns the control group for the examiner and all that it starts. It is empty where there are none.
func (x *exam) group() (*cgroup, error) {
	if !x.Fenced || !canGroup() {
		return &cgroup{}, nil
	}
	// The files in memory are counted; the front end and Go itself need some as well.
	return newCgroup(x.Limits.Memory + x.Limits.Disk + 3<<29)
}

// sealed is an exam that nobody reads before it is released: by then the examiner is in its control group.
type sealed struct {
	io.Reader
	free chan struct{}
	once sync.Once
}

func (h *sealed) release() { h.once.Do(func() { close(h.free) }) }

func (h *sealed) Read(p []byte) (int, error) {
	<-h.free
	return h.Reader.Read(p)
}

// command is the examiner, with the exam as its standard input.
func (x *exam) command(ctx context.Context, words io.Writer) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	paper, err := json.Marshal(x)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, self, "examiner")
	cmd.Dir = x.Dir
	cmd.Env = []string{"HOME=" + x.Dir, "TMPDIR=" + x.Dir, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "TZ=UTC"}
	if cache, err := os.UserCacheDir(); err == nil && x.Engine == "native" {
		cmd.Env = append(cmd.Env, "XDG_CACHE_HOME="+cache) // the compiler's
	}
	cmd.Stdin = &sealed{Reader: bytes.NewReader(paper), free: make(chan struct{})}
	cmd.Stderr = &limited{w: words, left: 16 << 10}
	ownGroup(cmd, x.Mount)
	cmd.Cancel = func() error { return killGroup(cmd) }
	cmd.WaitDelay = time.Second
	return cmd, nil
}

func readAnswers(r io.Reader, n int) (answers []answer, err error) {
	in := bufio.NewReader(io.LimitReader(r, maxAnswers))
	dec := json.NewDecoder(in)
	for len(answers) < n {
		var a answer
		if err := dec.Decode(&a); err != nil {
			return answers, err
		}
		answers = append(answers, a)
	}
	return answers, nil
}

// limited lets so many bytes pass and drops the rest.
type limited struct {
	w    io.Writer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	n := min(len(p), l.left)
	l.left -= n
	if _, err := l.w.Write(p[:n]); err != nil {
		return 0, err
	}
	return len(p), nil
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return lines[len(lines)-1]
}

// size is a number of bytes in words.
func size(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.3g GB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.3g MB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d bytes", n)
}
