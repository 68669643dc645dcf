package grade

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"gaucho/command/grade/fence"
	"gaucho/command/headless"
	"gaucho/command/notebook"
	"gaucho/interp"
	"gaucho/interp/worker"
	"gaucho/stdlib/check"
)

// forbidden is what students' cells may not import: what reaches past the fence, and what could lie to it.
var forbidden = []string{"unsafe", "syscall", "syscall/", "os/exec", "os/signal", "net", "net/", "plugin", "log/syslog",
	"runtime/debug", "gaucho/stdlib/study/pool"}

// Examiner is the main function of the process that runs a submission's cells. It reads an exam from standard input and
// writes an answer a cell to standard output.
func Examiner([]string) int {
	var x exam
	if err := json.NewDecoder(os.Stdin).Decode(&x); err != nil {
		fmt.Fprintln(os.Stderr, "this command is started by gaucho grade, not by hand:", err)
		return 2
	}
	go endAfter(os.Getppid())
	if err := x.run(json.NewEncoder(os.Stdout)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// endAfter ends this process when its parent has ended.
func endAfter(parent int) {
	for range time.Tick(200 * time.Millisecond) {
		if os.Getppid() != parent {
			os.Exit(1)
		}
	}
}

func (x *exam) run(out *json.Encoder) error {
	if err := x.settle(); err != nil {
		return err
	}
	rec := &recorder{Recorder: headless.NewRecorder(), limit: x.Limits.Output}
	options := interp.Options{Engine: cmp.Or(x.Engine, "yaegi"), Dir: x.Dir, MemoryLimit: x.Limits.Memory, NoShell: true, NoReset: true, Sink: rec, Forbidden: forbidden}
	if x.Fenced {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		options.Worker = append([]string{self, "fenced-worker"}, x.fenceArgs()...)
	}
	session, err := interp.Start(context.Background(), options)
	if err != nil {
		return err
	}
	defer session.Close()
	worker := ownChildren
	if x.Fenced {
		first := ownChildren() // from inside the fence they are not to be found, and there will be no others
		worker = func() []string { return first }
		// The session checks what students write in this process, and reads files for some magics. It must still be able to
		// look at its worker's memory and to end it; a second worker it cannot start, so after the end of the first all is over.
		rules := fence.Rules{Dir: x.Dir, Read: first, Signals: true, Data: 4 << 30, CPU: x.time(), File: uint64(x.Limits.Disk)}
		if err := fence.Enter(rules); err != nil {
			return err
		}
	}
	end := time.Now().Add(x.Limits.Total)
	for i, c := range x.Cells {
		left := time.Until(end)
		if left <= 0 {
			return fmt.Errorf("its cells took longer than %s together", x.Limits.Total)
		}
		a := x.ask(&clock{limit: x.Limits.Cell, wall: min(x.Limits.wall(), left), end: end, worker: worker}, session, rec, i, c)
		if err := out.Encode(a); err != nil {
			return err
		}
		if x.Fenced && a.lost != "" {
			return fmt.Errorf("a cell ended the process, and nothing after it could run (%s)", a.lost)
		}
	}
	return nil
}

// settle makes the directory ready in which the cells will run, and takes the processors that they may use.
func (x *exam) settle() error {
	if err := runOn(x.Processors); err != nil {
		return err
	}
	if x.Mount {
		given := int64(1 << 20) // what is given is not counted
		for _, f := range x.Files {
			if st, err := os.Stat(filepath.Join(x.From, f)); err == nil {
				given += st.Size() + 8<<10
			}
		}
		if err := mountDisk(x.Dir, x.Limits.Disk+given); err != nil {
			return fmt.Errorf("its disk: %w", err)
		}
		if err := os.Chdir(x.Dir); err != nil { // from below what is mounted to above
			return err
		}
	}
	for _, f := range x.Files {
		if err := copyFile(filepath.Join(x.From, f), filepath.Join(x.Dir, f)); err != nil {
			return fmt.Errorf("the files that are given: %w", err)
		}
	}
	return nil
}

// time is the processor time that all cells may take together.
func (x *exam) time() time.Duration {
	return (x.Limits.Total + time.Minute) * time.Duration(max(1, runtime.NumCPU()))
}

func (x *exam) fenceArgs() []string {
	return []string{x.Dir, strconv.FormatInt(x.Limits.Memory, 10), strconv.FormatInt(x.Limits.Disk, 10), x.time().String()}
}

// FencedWorker is the main function of a worker behind the fence. Its arguments are those of fenceArgs, then a worker's own.
func FencedWorker(args []string) int {
	rules, err := fencedRules(args)
	if err == nil {
		err = endWithParent()
	}
	if err == nil {
		err = fence.Enter(rules)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "worker:", err)
		return 2
	}
	return worker.Main(args[4:], nil)
}

func fencedRules(args []string) (r fence.Rules, err error) {
	if len(args) < 5 {
		return r, errors.New("this command is started by gaucho grade, not by hand")
	}
	memory, err1 := strconv.ParseUint(args[1], 10, 64)
	disk, err2 := strconv.ParseUint(args[2], 10, 64)
	cpu, err3 := time.ParseDuration(args[3])
	// The session ends a worker that uses more memory than it may, and says so. The fence's own limit is for one that takes
	// it faster than anyone looks; above it is what Go itself and the libraries need.
	return fence.Rules{Dir: args[0], Data: memory + 1<<30, CPU: cpu, File: disk}, errors.Join(err1, err2, err3)
}

// testNeeds begins the error of a test whose statements before it failed.
const testNeeds = "what the test needs failed: "

// ask runs one cell and what is asked after it.
func (x *exam) ask(clock *clock, s *interp.Session, rec *recorder, i int, c examCell) answer {
	var a answer
	execute := func(cell *notebook.Cell) *interp.Error {
		rec.begin()
		ctx, stop := clock.start()
		e := headless.RunCell(ctx, cell, i+1, s, rec.Recorder, 0)
		a.Short = stop() || a.Short
		if e != nil && e.Name == "WorkerError" && x.Fenced { // which says how the fence keeps another from starting
			e = &interp.Error{Name: "Ended", Value: "the process in which the cells run has ended", Lost: true}
			cell.Outputs = []*notebook.Output{{Type: "error", Ename: e.Name, Evalue: e.Value, Traceback: []string{e.Name + ": " + e.Value}}}
		}
		if e != nil {
			e.Value = clip(e.Value, x.Limits.Output)
		}
		cell.Outputs = clipAll(cell.Outputs, x.Limits.Output, rec)
		if e != nil && e.Lost && a.lost == "" {
			a.lost = e.Name + ": " + e.Value
		}
		return e
	}
	if strings.TrimSpace(c.Source) != "" {
		cell := &notebook.Cell{Type: "code", Source: c.Source}
		if e := execute(cell); e != nil {
			a.Error = &failure{e.Name, e.Value}
		}
		a.Outputs = cell.Outputs
	}
	for _, ask := range c.Asks {
		if a.Error != nil {
			a.Values = append(a.Values, handed{Error: testNeeds + a.Error.Name + ": " + a.Error.Value})
			continue
		}
		e := execute(&notebook.Cell{Type: "code", Source: "check.Hand(" + ask + ")"})
		taken := rec.take()
		switch {
		case e != nil:
			a.Values = append(a.Values, handed{Error: e.Name + ": " + e.Value})
		case taken == nil:
			a.Values = append(a.Values, handed{Error: "no value was handed over"})
		default:
			a.Values = append(a.Values, handed{Value: taken})
		}
	}
	return a
}

// clip cuts a text that is longer than it may be.
func clip(s string, most int) string {
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

// clipAll cuts what the recorder does not see before it is kept: errors, and results.
func clipAll(outputs []*notebook.Output, most int, rec *recorder) []*notebook.Output {
	for _, o := range outputs {
		o.Ename, o.Evalue = clip(o.Ename, most), clip(o.Evalue, most)
		left := most
		for i, line := range o.Traceback {
			o.Traceback[i] = clip(line, left)
			left = max(0, left-len(line))
		}
		if o.Type != "execute_result" {
			continue
		}
		for kind, v := range o.Data {
			switch text, ok := v.(string); {
			case ok && len(text) > 16*most:
				o.Data[kind] = clip(text, most)
			case !ok && !rec.structured(v):
				delete(o.Data, kind)
			}
		}
	}
	return outputs
}

// A recorder keeps what cells show, up to a limit, and takes what is handed over.
type recorder struct {
	*headless.Recorder
	limit int

	mu    sync.Mutex
	shown int // bytes, by the cell that runs
	lists int // bytes of JSON, by all
	taken json.RawMessage
}

func (r *recorder) begin() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.shown, r.taken = 0, nil
}

// take returns what was handed over since the cell began.
func (r *recorder) take() json.RawMessage {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.taken
}

// allow counts what is shown and says how much of it may be.
func (r *recorder) allow(n int) (allowed int, last bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	allowed = min(n, max(0, r.limit-r.shown))
	last = r.shown <= r.limit && r.shown+n > r.limit
	r.shown += n
	return allowed, last
}

func (r *recorder) Stream(cell, name, text string) {
	allowed, last := r.allow(len(text))
	text = strings.ToValidUTF8(text[:allowed], "")
	if last {
		text += fmt.Sprintf("\n… the rest is left out: a cell may show %d bytes\n", r.limit)
	}
	if text != "" {
		r.Recorder.Stream(cell, name, text)
	}
}

// Display takes values that are handed over, and of what is shown keeps text and pictures that cannot do anything.
func (r *recorder) Display(cell string, d interp.Display) {
	if v, ok := d.Data[check.MIMEType]; ok {
		if b, err := json.Marshal(v); err == nil {
			r.mu.Lock()
			r.taken = b
			r.mu.Unlock()
		}
		return
	}
	total := 0
	for _, v := range d.Data {
		if s, ok := v.(string); ok {
			total += len(s)
		} else if r.structured(v) {
			total += 16
		} else {
			return
		}
	}
	if allowed, _ := r.allow(total / 16); allowed*16+16 > total { // pictures are larger than text
		r.Recorder.Display(cell, d)
	}
}

// maxStructured is how much JSON that is not text all cells may show together. It takes many times as much memory as bytes.
const maxStructured = 1 << 20

// structured counts JSON that is shown, and reports whether it may be.
func (r *recorder) structured(v any) bool {
	text, err := json.Marshal(v)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lists += len(text)
	return err == nil && r.lists <= maxStructured
}
