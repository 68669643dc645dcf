package interp

import "testing"

// memoryModel are pairs of cells that run at the same time and synchronise, as in the race detector's own tests, with what
// Go's memory model says that the last expression is.
var memoryModel = []struct{ name, setup, main, other, then, want string }{
	{"message passing", "val, sum := 0, 0\nch, back := make(chan bool), make(chan bool)",
		"for range 100 { <-ch; sum += val; back <- true }",
		"for i := range 100 { val = i; ch <- true; <-back }",
		"sum", "4950"},
	{"buffered channel", "val, sum := 0, 0\nch, back := make(chan int, 1), make(chan int, 1)",
		"for i := range 100 { ch <- i; <-back; sum += val }",
		"for range 100 { i := <-ch; val = i; back <- i }",
		"sum", "4950"},
	{"close", "val, sum := 0, 0\ndone := make(chan bool)",
		"for range done { }\nfor range 3 { sum += val }",
		"for i := range 10 { val = i; if i == 9 { close(done) } }",
		"sum", "27"},
	{"select", "val, got := 0, 0\nch := make(chan bool)",
		"for { select { case <-ch: got = val; default: runtime.Gosched(); continue }; break }",
		"for range 1 { val = 42; ch <- true }",
		"got", "42"},
	{"mutex", "n := 0\nvar mu sync.Mutex",
		"for range 2000 { mu.Lock(); n++; mu.Unlock(); runtime.Gosched() }",
		"for range 2000 { mu.Lock(); n++; mu.Unlock(); runtime.Gosched() }",
		"n", "4000"},
	{"loop in a loop", "n := 0\nvar mu sync.Mutex",
		"for range 500 { mu.Lock(); for i := range 10 { n += i }; mu.Unlock(); runtime.Gosched() }",
		"for range 500 { mu.Lock(); for i := 0; i < 10; i++ { n += i }; mu.Unlock(); runtime.Gosched() }",
		"n", "45000"},
	{"mutex in functions", "n := 0\nvar mu sync.Mutex\nfunc enter() { mu.Lock() }\nfunc leave() { mu.Unlock(); runtime.Gosched() }",
		"for range 2000 { enter(); n++; leave() }",
		"for range 2000 { enter(); n++; leave() }",
		"n", "4000"},
	{"mutex in methods", "n := 0\ntype Gate struct{ sync.Mutex }\nvar g Gate\nvar l sync.Locker = &g\nfunc (g *Gate) In() { g.Lock() }",
		"for range 2000 { l.Lock(); n++; l.Unlock(); runtime.Gosched() }",
		"for range 2000 { g.In(); n++; g.Unlock(); runtime.Gosched() }",
		"n", "4000"},
	{"mutex by a closure", "n := 0\nvar mu sync.Mutex\nlock, unlock := func() { mu.Lock() }, mu.Unlock",
		"for range 2000 { lock(); n++; unlock(); runtime.Gosched() }",
		"for range 2000 { lock(); n++; unlock(); runtime.Gosched() }",
		"n", "4000"},
	{"append", "var items []int\nvar mu sync.Mutex",
		"for i := range 1000 { mu.Lock(); items = append(items, i); mu.Unlock(); runtime.Gosched() }",
		"for i := range 1000 { mu.Lock(); items = append(items, -i); mu.Unlock(); runtime.Gosched() }",
		"len(items)", "2000"},
	{"flag under a mutex", "done, rounds := false, 0\nvar mu sync.Mutex",
		"for { mu.Lock(); if done { mu.Unlock(); break }; rounds++; mu.Unlock(); runtime.Gosched() }",
		"for range 10 { mu.Lock(); done = true; mu.Unlock() }",
		"done", "true"},
	{"flag under a shared lock", "stop := 0\nvar mu sync.RWMutex",
		"for s := 0; s == 0; { mu.RLock(); s = stop; mu.RUnlock(); runtime.Gosched() }",
		"for i := range 10 { mu.Lock(); stop = i; mu.Unlock() }",
		"stop", "9"},
	{"atomic flag", "val, got := 0, 0\nvar flag atomic.Bool",
		"for !flag.Load() { runtime.Gosched() }\nfor range 2 { got += val }",
		"for i := range 10 { val = i; if i == 9 { flag.Store(true) } }",
		"got", "18"},
	{"atomic turns", "n := 0\nvar turn int32",
		"for range 500 { for atomic.LoadInt32(&turn) != 0 { runtime.Gosched() }; n++; atomic.StoreInt32(&turn, 1) }",
		"for range 500 { for atomic.LoadInt32(&turn) != 1 { runtime.Gosched() }; n++; atomic.StoreInt32(&turn, 0) }",
		"n", "1000"},
	{"store buffering", "x, y, r1, r2, both := 0, 0, 0, 0, 0\nvar mu sync.Mutex\nstart, end := make(chan bool), make(chan bool)",
		"for range 300 { x, y = 0, 0; start <- true; mu.Lock(); x = 1; r1 = y; mu.Unlock(); <-end; if r1 == 0 && r2 == 0 { both++ } }",
		"for range 300 { <-start; mu.Lock(); y = 1; r2 = x; mu.Unlock(); end <- true }",
		"both", "0"},
	{"once", "conf, sum := 0, 0\nvar mu sync.Mutex\nvar once sync.Once",
		"for range 100 { once.Do(func() { conf = 42 }); mu.Lock(); sum += conf; mu.Unlock() }",
		"for range 100 { once.Do(func() { conf = 42 }); mu.Lock(); sum += conf; mu.Unlock() }",
		"sum", "8400"},
	{"condition", "queue, sum := []int{}, 0\nvar mu sync.Mutex\ncond := sync.NewCond(&mu)",
		"for range 200 { mu.Lock(); for len(queue) == 0 { cond.Wait() }; sum += queue[0]; queue = queue[1:]; mu.Unlock() }",
		"for i := range 200 { mu.Lock(); queue = append(queue, i); mu.Unlock(); cond.Signal() }",
		"sum", "19900"},
	{"wait group", "val, got := 0, 0\nvar wg sync.WaitGroup\nwg.Add(1)",
		"for range 1 { wg.Wait(); got = val }",
		"for i := range 10 { val = i; if i == 9 { wg.Done() } }",
		"got", "9"},
	{"context", "val, got := 0, 0\nc, cancel := context.WithCancel(context.Background())",
		"for c.Err() == nil { runtime.Gosched() }\nfor range 2 { got += val }",
		"for i := range 10 { val = i; if i == 9 { cancel() } }",
		"got", "18"},
	{"iterator", "n := 0\nvar mu sync.Mutex\nfunc locked(yield func(int) bool) { for i := range 1000 { mu.Lock(); ok := yield(i); mu.Unlock(); if !ok { return }; runtime.Gosched() } }",
		"for range locked { n++ }",
		"for range locked { n++ }",
		"n", "2000"},
}

// TestMemoryModelBeside: cells that run beside each other see each other's variables as Go's memory model says, in loops
// too.
func TestMemoryModelBeside(t *testing.T) {
	for _, engine := range []string{"yaegi", "native"} {
		t.Run(engine, func(t *testing.T) {
			main, other := beside(startIn(t, engine, t.TempDir(), &transcript{}))
			for _, tt := range memoryModel {
				t.Run(tt.name, func(t *testing.T) {
					if r := main("meet := make(chan bool)\n" + tt.setup); r.Err != nil {
						t.Fatal(r.Err)
					}
					a, b := start(main, "meet <- true\n"+tt.main), start(other, "<-meet\n"+tt.other)
					for _, end := range []func() Result{a, b} {
						if r := end(); r.Err != nil {
							t.Error(r.Err)
						}
					}
					shows(t, main(tt.then), tt.want)
				})
			}
		})
	}
}
