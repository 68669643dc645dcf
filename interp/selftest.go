package interp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"time"

	"gaucho/interp/kit"
	"gaucho/interp/loader"
)

// nativeWorks reports whether sessions of this program are native by default. If not, why is the reason and what to do about it,
// empty for a program of a test. A loader can fail in ways that crash the program, so the first session of a program on
// a system runs a few cells in a separate session; the result is kept. later is told what becomes of a kit that is made meanwhile.
func nativeWorks(ctx context.Context, opts Options, later func(string)) (works bool, why string) {
	if opts.Worker != nil || !kit.Available() {
		return false, ""
	}
	if system := runtime.GOOS + "/" + runtime.GOARCH; !tried[system] {
		return false, untried(system)
	}
	if err := loader.Room(); err != nil {
		return false, "there is no room for compiled cells: " + err.Error()
	}
	k, err := kit.Find()
	if err != nil {
		return false, kit.OneLine(err)
	}
	if k.Missing() {
		if err := loader.Supported(); err != nil {
			return false, err.Error()
		}
		if opts.Waiting == nil && !kit.Carried() {
			return false, prepare(k, later)
		}
	}
	if k, err = kit.Open(ctx, tell(&opts)); err != nil {
		return false, kit.OneLine(err)
	}
	if verdict, err := k.Verdict(); err == nil {
		return verdict == "", verdict
	} else if !errors.Is(err, fs.ErrNotExist) {
		return false, err.Error()
	}
	if err := loader.Supported(); err != nil { // this reads the program's symbols, so not at every start
		return false, err.Error()
	}
	verdict, err := selfTest(ctx, opts)
	if err != nil {
		return false, fmt.Sprintf("the native engine could not be tested: %s; the next session tests it again", kit.OneLine(err))
	}
	if err := k.SetVerdict(verdict); err != nil {
		opts.Log.Warn("the test of the native engine is run again the next time", "err", err)
	}
	return verdict == "", verdict
}

// prepare has the kit made by a process of its own and returns why the session does not wait for it.
func prepare(k *kit.Kit, later func(string)) (why string) {
	failure := k.Failure()
	self, err := os.Executable()
	if err == nil {
		err = k.Prepare([]string{self, "kit"}, func() {
			if failure := k.Failure(); failure != "" && k.Missing() {
				later(failure)
			} else if !k.Missing() {
				later("the compiler is made; restart the kernel, and its cells are compiled")
			}
		})
	}
	switch {
	case err != nil:
		return kit.OneLine(err)
	case failure != "":
		return failure + "; it is tried again now"
	}
	return "this program came without its compiler, as go build makes it; it is being made, once, in some minutes: restart the kernel then"
}

// tell returns what informs those who wait for the session.
func tell(o *Options) kit.Say {
	return func(format string, args ...any) {
		if text := strings.TrimSpace(fmt.Sprintf(format, args...)); o.Waiting != nil {
			o.Waiting(text)
		} else {
			o.Log.Warn(text)
		}
	}
}

// untried is what to do on a system on which the native engine is no default.
func untried(system string) string {
	if loader.Supported() == nil {
		return "on " + system + " the native engine is used where it is asked for, by --engine native or GAUCHO_ENGINE=native"
	}
	return "the native engine is for linux/amd64, and this is " + system
}

// tried are the systems on which the native engine has been run; elsewhere a session must ask for it.
var tried = map[string]bool{"linux/amd64": true}

// selfTest runs cells in a native session: a panic through its frames, a stack that grows, a type that the collector must
// know, goroutines that are preempted. The verdict is empty if all was well. An error is about this moment, and not about the
// system: a disk is full, a machine too busy.
func selfTest(ctx context.Context, opts Options) (verdict string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	said := &saying{}
	s, err := Start(ctx, Options{Engine: "native", Dir: os.TempDir(), MemoryLimit: opts.MemoryLimit, Log: opts.Log, Sink: said})
	if err != nil {
		return "", err
	}
	defer s.Close()
	for i, cell := range selfTestCells {
		r := s.Execute(ctx, Cell{ID: "test", Number: i + 1, Source: cell.source})
		got := said.take()
		if r.Err != nil {
			got += r.Err.Name + ": " + r.Err.Value
		}
		switch {
		case ctx.Err() != nil:
			return "", fmt.Errorf("it took too long: %w", ctx.Err())
		case r.Err != nil && r.Err.Name == "BuildError":
			return "", r.Err
		case !strings.Contains(got, cell.want):
			return fmt.Sprintf("the native engine failed its test on this system: its cell %d gave %q; report this with what gaucho doctor prints. --engine native or GAUCHO_ENGINE=native takes the engine all the same", i+1, got), nil
		}
	}
	return "", nil
}

var selfTestCells = []struct{ source, want string }{
	{`type tree struct{ left, right *tree; label string }
func (t *tree) String() string { return "<" + t.label + ">" }
func grow(depth int) *tree {
	if depth == 0 { return nil }
	return &tree{grow(depth - 1), grow(depth - 1), fmt.Sprint(depth)}
}
forest := map[string]any{"oak": grow(10)}
runtime.GC()
fmt.Println(forest)`, "map[oak:<10>]"},
	{`func deep(n int) int { var pad [64]int; pad[n&63] = n; if n > 0 { return deep(n-1) + pad[n&63] }; return 0 }
c := make(chan int)
for i := range 4 { go func() { n := 0; for range 1000 { n += deep(100 * i) }; runtime.GC(); c <- n }() }
sum := 0
for range 4 { sum += <-c }
sum`, ""},
	{"sum == 1000*(5050+20100+45150)", ""},
	{"func fail(xs []int) (err error) { defer func() { err = recover().(error) }(); return fmt.Errorf(\"%d\", xs[3]) }\nfmt.Println(fail(nil), forest[\"oak\"].(fmt.Stringer))", "index out of range [3] with length 0 <10>"},
	{"var none map[string]int\nnone[\"a\"] = 1", "assignment to entry in nil map"},
}

// saying is a Sink that keeps what is printed.
type saying struct {
	Sink
	text strings.Builder
}

func (s *saying) Stream(_, _, text string) { s.text.WriteString(text) }
func (*saying) Display(string, Display)    {}
func (*saying) Clear(string, bool)         {}
func (*saying) Comm(string, Comm)          {}
func (s *saying) take() (text string)      { text = s.text.String(); s.text.Reset(); return text }
func (*saying) Input(context.Context, string, string, bool) (string, error) {
	return "", errors.New("nobody is there to ask")
}
