package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"
)

type Reader struct {
	src io.Reader
	n   int
}

func (r *Reader) Read(p []byte) (int, error) {
	n, err := r.src.Read(p)
	r.n += n
	return n, err
}

type upper struct{ w io.Writer }

func (u upper) Write(p []byte) (int, error) { return u.w.Write([]byte(strings.ToUpper(string(p)))) }

type ReadCounter interface {
	io.Reader
	Count() int
}

func (r *Reader) Count() int { return r.n }

type Account struct {
	mu  sync.RWMutex
	bal map[string]int
}

var ErrFunds = errors.New("insufficient funds")

type OpErr struct {
	Op  string
	Err error
}

func (e *OpErr) Error() string { return e.Op + ": " + e.Err.Error() }
func (e *OpErr) Unwrap() error { return e.Err }

func (a *Account) Move(from, to string, n int) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.bal[from] < n {
		return &OpErr{"move", ErrFunds}
	}
	a.bal[from] -= n
	a.bal[to] += n
	return nil
}

type byAge []struct {
	n string
	a int
}

func (b byAge) Len() int           { return len(b) }
func (b byAge) Less(i, j int) bool { return b[i].a < b[j].a }
func (b byAge) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

type Observer func(string)
type Subject struct{ obs []Observer }

func (s *Subject) On(o Observer) { s.obs = append(s.obs, o) }
func (s *Subject) Emit(m string) {
	for _, o := range s.obs {
		o(m)
	}
}

type Opt func(*cfg)
type cfg struct {
	port int
	host string
}

func WithPort(p int) Opt { return func(c *cfg) { c.port = p } }
func New(opts ...Opt) *cfg {
	c := &cfg{80, "h"}
	for _, o := range opts {
		o(c)
	}
	return c
}

type Cache[K comparable, V any] struct {
	m   map[K]V
	fn  func(K) (V, error)
	hit int
}

func NewCache[K comparable, V any](fn func(K) (V, error)) *Cache[K, V] {
	return &Cache[K, V]{m: make(map[K]V), fn: fn}
}
func (c *Cache[K, V]) Get(k K) (V, error) {
	if v, ok := c.m[k]; ok {
		c.hit++
		return v, nil
	}
	v, err := c.fn(k)
	if err != nil {
		var zero V
		return zero, fmt.Errorf("get %v: %w", k, err)
	}
	c.m[k] = v
	return v, nil
}

type Num interface{ ~int | ~float64 }

func MapKV[K comparable, V, R any](m map[K]V, f func(K, V) R) []R {
	var out []R
	for k, v := range m {
		out = append(out, f(k, v))
	}
	return out
}

type Option[T any] struct {
	v  *T
	ok bool
}

func Some[T any](v T) Option[T] { return Option[T]{&v, true} }
func (o Option[T]) OrElse(d T) T {
	if o.ok {
		return *o.v
	}
	return d
}

type Shape interface {
	Area() float64
}
type Square float64
type Pair struct{ a, b Shape }

func (s Square) Area() float64 { return float64(s * s) }

func stage(in <-chan int, f func(int) int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for v := range in {
			out <- f(v)
		}
	}()
	return out
}

type visitor interface{ visit(n *tree) bool }
type tree struct {
	l, r *tree
	v    int
}
type summer struct{ s int }

func (s *summer) visit(n *tree) bool { s.s += n.v; return true }
func (t *tree) walk(v visitor) {
	if t == nil || !v.visit(t) {
		return
	}
	t.l.walk(v)
	t.r.walk(v)
}
func cleanup(log *[]string) (err error) {
	defer func() { *log = append(*log, "a") }()
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered: %v", r)
			*log = append(*log, "b")
		}
	}()
	defer func() { *log = append(*log, "c"); panic("second") }()
	panic("first")
}

func main() {
	r := &Reader{src: strings.NewReader("hello\nworld\n")}
	sc := bufio.NewScanner(r)
	for sc.Scan() {
		fmt.Println(sc.Text())
	}
	var rc ReadCounter = r
	fmt.Println(rc.Count(), r.n)
	fmt.Fprintf(upper{os.Stdout}, "hi %v\n", 5)
	io.Copy(upper{os.Stdout}, &Reader{src: strings.NewReader("copied\n")})
	acc := &Account{bal: map[string]int{"a": 10}}
	fmt.Println(acc.Move("a", "b", 5), acc.bal)
	err := acc.Move("a", "b", 50)
	var oe *OpErr
	fmt.Println(err, errors.Is(err, ErrFunds), errors.As(err, &oe), oe.Op)
	b := byAge{{"x", 3}, {"y", 1}}
	sort.Sort(sort.Reverse(b))
	fmt.Println(b)
	sort.Sort(b)
	fmt.Println(b, sort.IsSorted(b))
	s := &Subject{}
	var got []string
	s.On(func(m string) { got = append(got, "1"+m) })
	s.On(func(m string) { got = append(got, "2"+m) })
	s.Emit("x")
	fmt.Println(got, *New(WithPort(8080)), New().port)
	c := NewCache(func(k string) (int, error) {
		if k == "" {
			return 0, errors.New("empty")
		}
		return len(k), nil
	})
	fmt.Println(c.Get("abc"))
	fmt.Println(c.Get("abc"))
	_, err = c.Get("")
	fmt.Println(err, c.hit)
	fmt.Println(Some(5).OrElse(1), Option[string]{}.OrElse("d"))
	l := MapKV(map[string]int{"a": 1}, func(k string, v int) string { return fmt.Sprint(k, v) })
	fmt.Println(l)
	p := Pair{Square(2), nil}
	fmt.Println(p.a.Area(), p.b == nil, p)
	src := make(chan int)
	go func() {
		for i := range 5 {
			src <- i
		}
		close(src)
	}()
	for v := range stage(stage(src, func(i int) int { return i * i }), func(i int) int { return -i }) {
		fmt.Print(v, " ")
	}
	fmt.Println()
	t := &tree{&tree{nil, nil, 1}, &tree{nil, &tree{v: 5}, 2}, 3}
	sm := &summer{}
	t.walk(sm)
	fmt.Println(sm.s)
	var log []string
	fmt.Println(cleanup(&log), log)
	tick := time.NewTicker(time.Millisecond)
	n := 0
	for range tick.C {
		n++
		if n == 3 {
			tick.Stop()
			break
		}
	}
	fmt.Println(n)
	var once sync.Once
	for range 3 {
		once.Do(func() { fmt.Println("once") })
	}
	results := make([]int, 5)
	var wg sync.WaitGroup
	for i := range results {
		wg.Go(func() { results[i] = i * i })
	}
	wg.Wait()
	fmt.Println(results)
	sem := make(chan struct{}, 2)
	var mu sync.Mutex
	cnt, maxc := 0, 0
	for range 6 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			sem <- struct{}{}
			mu.Lock()
			cnt++
			maxc = max(maxc, cnt)
			mu.Unlock()
			time.Sleep(time.Millisecond)
			mu.Lock()
			cnt--
			mu.Unlock()
			<-sem
		}()
	}
	wg.Wait()
	fmt.Println(cnt, maxc <= 2)
	words := strings.Fields("the cat the dog a cat the end")
	freq := map[string]int{}
	for _, w := range words {
		freq[w]++
	}
	type kv struct {
		k string
		v int
	}
	var kvs []kv
	for k, v := range freq {
		kvs = append(kvs, kv{k, v})
	}
	slices.SortFunc(kvs, func(a, b kv) int {
		if a.v != b.v {
			return b.v - a.v
		}
		return strings.Compare(a.k, b.k)
	})
	fmt.Println(kvs)
	i, ok := slices.BinarySearchFunc(kvs, 2, func(e kv, v int) int { return v - e.v })
	fmt.Println(i, ok)
	groups := slices.Collect(slices.Chunk([]int{1, 2, 3, 4, 5}, 2))
	fmt.Println(groups)
	for i, v := range slices.Backward([]string{"a", "b"}) {
		fmt.Print(i, v)
	}
	fmt.Println()
	m := [][]float64{{1, 2}, {3, 4}}
	tr := make([][]float64, 2)
	for i := range tr {
		tr[i] = make([]float64, 2)
		for j := range tr[i] {
			tr[i][j] = m[j][i]
		}
	}
	fmt.Println(tr)
	defer fmt.Println("deferred last")
	defer func() {
		if r := recover(); r != nil {
			fmt.Println("main recovered:", r)
		}
	}()
	var arr []int
	idx := 5
	fmt.Println(arr[idx])
}
