package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

// What library code looks for in a program's values beyond the methods of the interface that it asks for.

// plain hides a reader's other methods.
type plain struct{ r io.Reader }

func (p plain) Read(b []byte) (int, error) { return p.r.Read(b) }

type sink struct{ from, text int }

func (s *sink) Write(p []byte) (int, error) { return len(p), nil }
func (s *sink) WriteString(t string) (int, error) {
	s.text += len(t)
	return len(t), nil
}
func (s *sink) ReadFrom(r io.Reader) (int64, error) {
	b, err := io.ReadAll(r)
	s.from += len(b)
	return int64(len(b)), err
}

// bytewise reads no more than is asked for.
type bytewise struct {
	plain
	left []rune
	n    int
}

func (b *bytewise) ReadByte() (byte, error) {
	b.n++
	var one [1]byte
	_, err := io.ReadFull(b.plain, one[:])
	return one[0], err
}

// runes can take a rune back, so fmt.Fscan reads nothing beyond what it scans.
type runes struct{ *strings.Reader }

func readers() {
	s := &sink{}
	n, err := io.Copy(s, plain{strings.NewReader("to ReadFrom")})
	fmt.Println(n, err, *s)
	io.WriteString(s, "text")
	fmt.Fprint(s, "bytes")
	fmt.Println(*s)
	w := bufio.NewWriter(s)
	n, err = w.ReadFrom(plain{strings.NewReader("through a buffer")})
	fmt.Println(n, err, *s)

	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	z.Write([]byte("packed"))
	z.Close()
	zipped.WriteString("rest")
	b := &bytewise{plain: plain{&zipped}}
	g, err := gzip.NewReader(b)
	fmt.Println(err)
	g.Multistream(false)
	text, err := io.ReadAll(g)
	rest, _ := io.ReadAll(b)
	fmt.Println(string(text), err, string(rest), b.n > 0)
	v, err := binary.ReadUvarint(&bytewise{plain: plain{bytes.NewReader([]byte{0xac, 0x02})}})
	fmt.Println(v, err)

	in := runes{strings.NewReader("12 34")}
	var x, y int
	fmt.Fscan(in, &x)
	fmt.Println(x, in.Len())
	fmt.Fscan(in, &y)
	fmt.Println(y, in.Len())
}

// tree is a file system that answers more than Open.
type tree struct{ asked []string }

func (t *tree) say(what, name string) { t.asked = append(t.asked, what+" "+name) }

func (t *tree) Open(name string) (fs.File, error) {
	t.say("Open", name)
	return nil, fs.ErrNotExist
}
func (t *tree) ReadFile(name string) ([]byte, error) {
	t.say("ReadFile", name)
	return []byte("data"), nil
}
func (t *tree) ReadDir(name string) ([]fs.DirEntry, error) { t.say("ReadDir", name); return nil, nil }
func (t *tree) Stat(name string) (fs.FileInfo, error)      { t.say("Stat", name); return nil, fs.ErrInvalid }
func (t *tree) Glob(name string) ([]string, error)         { t.say("Glob", name); return []string{"g"}, nil }
func (t *tree) Sub(name string) (fs.FS, error)             { t.say("Sub", name); return &tree{}, nil }

func files() {
	t := &tree{}
	b, err := fs.ReadFile(t, "a")
	fmt.Println(string(b), err)
	_, err = fs.ReadDir(t, "b")
	fmt.Println(err)
	_, err = fs.Stat(t, "c")
	fmt.Println(err)
	names, err := fs.Glob(t, "*")
	fmt.Println(names, err)
	s, err := fs.Sub(t, "d")
	_, same := s.(*tree)
	fmt.Println(same, err, t.asked)
}

// own is a context with a channel of its own, which only AfterFunc saves a goroutine.
type own struct {
	context.Context
	done  chan struct{}
	after []func()
}

func (c *own) Done() <-chan struct{} { return c.done }
func (c *own) Err() error {
	select {
	case <-c.done:
		return context.Canceled
	default:
		return nil
	}
}
func (c *own) Value(key any) any { return nil }
func (c *own) AfterFunc(f func()) func() bool {
	fmt.Println("AfterFunc asked")
	c.after = append(c.after, f)
	return func() bool { return true }
}
func (c *own) end() {
	close(c.done)
	for _, f := range c.after {
		f()
	}
}

func contexts() {
	c := &own{Context: context.Background(), done: make(chan struct{})}
	child, cancel := context.WithCancel(c)
	defer cancel()
	c.end()
	<-child.Done()
	fmt.Println(child.Err(), context.Cause(child))
}

type onOff bool

func (o *onOff) String() string     { return fmt.Sprint(bool(*o)) }
func (o *onOff) Set(s string) error { *o = s == "true"; return nil }
func (o *onOff) IsBoolFlag() bool   { return true }
func (o *onOff) Get() any           { return bool(*o) }

func flags() {
	set := flag.NewFlagSet("x", flag.ContinueOnError)
	set.SetOutput(os.Stdout)
	var o onOff
	set.Var(&o, "o", "on or off")
	fmt.Println(set.Parse([]string{"-o", "rest"}), o, set.Args())
	set.PrintDefaults()
	g, ok := set.Lookup("o").Value.(flag.Getter)
	fmt.Println(ok, g.Get())
}

type base struct{}

func (base) Open(string) (driver.Conn, error) { return &link{}, nil }

type link struct{}

func (*link) Prepare(string) (driver.Stmt, error) { return nil, errors.New("Prepare called") }
func (*link) Close() error                        { fmt.Println("closed"); return nil }
func (*link) Begin() (driver.Tx, error)           { return nil, errors.New("Begin called") }
func (*link) BeginTx(_ context.Context, o driver.TxOptions) (driver.Tx, error) {
	fmt.Println("BeginTx", o.ReadOnly)
	return deal{}, nil
}
func (*link) ExecContext(_ context.Context, q string, args []driver.NamedValue) (driver.Result, error) {
	fmt.Println("ExecContext", q, args)
	return driver.RowsAffected(2), nil
}
func (*link) CheckNamedValue(v *driver.NamedValue) error {
	if c, ok := v.Value.(cents); ok {
		v.Value = fmt.Sprint(int(c), " cents")
		return nil
	}
	return driver.ErrSkip
}
func (*link) ResetSession(context.Context) error { fmt.Println("ResetSession"); return nil }
func (*link) IsValid() bool                      { fmt.Println("IsValid"); return true }

type deal struct{}

func (deal) Commit() error   { return nil }
func (deal) Rollback() error { return nil }

type cents int

func database() {
	sql.Register("base", base{})
	db, err := sql.Open("base", "")
	fmt.Println(err)
	r, err := db.Exec("put", cents(5), int8(7), sql.Named("n", "v"))
	n, _ := r.RowsAffected()
	fmt.Println(n, err)
	t, err := db.BeginTx(context.Background(), &sql.TxOptions{ReadOnly: true})
	fmt.Println(err, t.Commit())
	fmt.Println(db.Close())
}

// grade is a number that is printed as a word; the default converter takes the number.
type grade int

func (g grade) String() string { return [...]string{"fail", "pass"}[g] }

type (
	blob  []byte
	pairs map[string]int
	marks []int
	spot  struct{ x, y int }
	wide  uint64
	wave  complex128
)

type simple struct{}

func (simple) Open(string) (driver.Conn, error) { return only{}, nil }

type only struct{}

func (only) Prepare(string) (driver.Stmt, error) { return says{}, nil }
func (only) Close() error                        { return nil }
func (only) Begin() (driver.Tx, error)           { return nil, errors.New("none") }

type says struct{}

func (says) Close() error  { return nil }
func (says) NumInput() int { return -1 }
func (says) Exec(v []driver.Value) (driver.Result, error) {
	for _, x := range v {
		fmt.Printf("%T %v\n", x, x)
	}
	return driver.RowsAffected(len(v)), nil
}
func (says) Query([]driver.Value) (driver.Rows, error) { return &one{}, nil }

type one struct{ read bool }

func (*one) Columns() []string { return []string{"n"} }
func (*one) Close() error      { return nil }
func (o *one) Next(d []driver.Value) error {
	if o.read {
		return io.EOF
	}
	o.read, d[0] = true, int64(1)
	return nil
}

func converters() {
	sql.Register("simple", simple{})
	db, _ := sql.Open("simple", "")
	g := grade(1)
	for _, x := range []any{g, &g, (*grade)(nil), blob("b"), pairs{"a": 1}, marks{1}, spot{1, 2}, &spot{1, 2}, (*spot)(nil), wide(1 << 63), wave(1), onOff(true), [2]int{1, 2}} {
		_, err := db.Exec("x", x)
		fmt.Println(err)
		v, err := driver.DefaultParameterConverter.ConvertValue(x)
		fmt.Println(v, err)
	}
	v, err := driver.Int32.ConvertValue(g)
	fmt.Println(v, err)
	var read grade
	fmt.Println(db.QueryRow("x").Scan(&read), read)
	var to spot
	fmt.Println(db.QueryRow("x").Scan(&to))
	fmt.Println(db.QueryRow("x").Scan(read))
	var maybe *grade
	fmt.Println(db.QueryRow("x").Scan(&maybe), *maybe)
	var none *spot
	fmt.Println(db.QueryRow("x").Scan(none))
	var null sql.Null[grade]
	fmt.Println(db.QueryRow("x").Scan(&null), null)
}

// wrapped is the documented way to add to a ResponseWriter.
type wrapped struct {
	http.ResponseWriter
	status int
}

func (w *wrapped) WriteHeader(code int)        { w.status = code; w.ResponseWriter.WriteHeader(code) }
func (w *wrapped) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func server() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	hijack := func(w http.ResponseWriter, r *http.Request) {
		conn, rw, err := http.NewResponseController(w).Hijack()
		if err != nil {
			fmt.Println("hijack", err)
			return
		}
		defer conn.Close()
		rw.WriteString("HTTP/1.1 299 Mine\r\nContent-Length: 2\r\n\r\nhi")
		rw.Flush()
	}
	flush := func(w http.ResponseWriter, r *http.Request) {
		c := http.NewResponseController(w)
		fmt.Println(c.SetWriteDeadline(time.Now().Add(time.Minute)), c.SetReadDeadline(time.Time{}), c.EnableFullDuplex())
		w.WriteHeader(201)
		io.WriteString(w, "part")
		fmt.Println(c.Flush())
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/hijack", hijack)
	mux.HandleFunc("/flush", flush)
	s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { mux.ServeHTTP(&wrapped{ResponseWriter: w}, r) })}
	go s.Serve(l)
	for _, path := range []string{"/hijack", "/flush"} {
		r, err := http.Get("http://" + l.Addr().String() + path)
		if err != nil {
			fmt.Println(err)
			continue
		}
		b, err := io.ReadAll(r.Body)
		fmt.Println(r.Status, string(b), err)
	}
	fmt.Println(s.Close())
}

// trip is a transport that counts who closes it.
type trip struct{ closed int }

func (t *trip) RoundTrip(r *http.Request) (*http.Response, error) { return nil, late{} }
func (t *trip) CloseIdleConnections()                             { t.closed++ }

type late struct{}

func (late) Error() string { return "late" }
func (late) Timeout() bool { return true }

func client() {
	t := &trip{}
	c := &http.Client{Transport: t}
	_, err := c.Get("http://x/")
	var timeout interface{ Timeout() bool }
	fmt.Println(err, os.IsTimeout(err), errors.As(err, &timeout) && timeout.Timeout())
	c.CloseIdleConnections()
	fmt.Println(t.closed)
}

func main() {
	readers()
	files()
	contexts()
	flags()
	database()
	converters()
	server()
	client()
}
