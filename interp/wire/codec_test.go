package wire

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"os"
	"reflect"
	"testing"
)

// every message type, with each field set.
var messages = []Message{
	&Run{Cell: 7, Number: 3, Stdin: true, Types: []Type{{ID: 1, String: "main.P", Kind: 25, Name: "P", Version: 2,
		Fields:  []Field{{Name: "X", Type: 2, Tag: `json:"x"`, Embedded: true, Exported: true}},
		Methods: []Sig{{"String", "func() string"}}}, {ID: 2, String: "int", Kind: 2, Native: true}},
		Units: []Unit{{Imports: []string{"fmt"}, Text: "package main\nvar v_x = \"<&\xff\"\n", Entry: "c_7_0", Show: true}, {Text: ""}}},
	&Done{Cell: 7, Unit: 1, Step: 2, Result: Bundle{"text/plain": "1 < 2", "application/json": json.RawMessage(`{"a":1e400}`)}},
	&Done{Cell: 7, Error: &Error{Name: "Exit", Value: "os.Exit(3)", Code: 3, Lost: true, Trace: []Frame{{1, 2, 3, "f", true}}}},
	&Done{Cell: 8, Result: Bundle{}},
	&Output{Cell: 300, Stream: Stderr, Data: []byte("a\xff\x00b")},
	&Output{Cell: 1, Stream: Stdout, Data: []byte{}},
	&Display{Cell: 1, Data: Bundle{"text/html": "<b>"}, Metadata: map[string]any{"a": "b"}, ID: "i", Update: true},
	&Clear{Cell: 2, Wait: true},
	&InputRequest{Cell: 1, ID: 2, Prompt: "name: ", Password: true},
	&InputReply{ID: 2, Text: "x", Error: "no"},
	&Comm{Cell: 1, Type: "open", ID: "c", Target: "jupyter.widget", Data: map[string]any{"v": 1.5},
		Metadata: map[string]any{"version": "2.1"}, Buffers: [][]byte{{1, 2}, {}, {255}}},
	&Interrupt{Cell: 4},
	&UsageRequest{},
	&Usage{Heap: 1 << 40, Total: 2, Stacks: 3, Goroutines: 4, GC: 5},
	&Ready{PID: 12},
	&OverMemory{Used: 2, Limit: 1},
	&Task{Data: []byte("run")},
	&News{Data: []byte("done")},
	&Shutdown{},
	&Started{Cell: 7},
	&More{Cell: 7},
	&Part{Cell: 7, Types: []Type{{ID: 3, String: "int", Kind: 2}}, Units: []Unit{{Text: "package main\n", Entry: "c_7_1"}, {Builtin: "ps"}}, More: true},
	&Part{Cell: 7, Error: &Error{Name: "Interrupt", Value: "no"}},
}

func TestRoundTrip(t *testing.T) {
	var b bytes.Buffer
	c := NewConn(&b, &b)
	for _, m := range messages {
		if err := c.Send(m); err != nil {
			t.Fatalf("%T: %v", m, err)
		}
	}
	for _, want := range messages {
		got, err := c.Receive()
		if err != nil {
			t.Fatalf("%T: %v", want, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got  %#v\nwant %#v", got, want)
		}
	}
	if _, err := c.Receive(); err != io.EOF {
		t.Errorf("after the last message: %v, want EOF", err)
	}
}

func TestLargeMessage(t *testing.T) {
	var b bytes.Buffer
	c := NewConn(&b, &b)
	data := bytes.Repeat([]byte("0123456789"), 500_000)
	if err := c.Send(&Output{Cell: 1, Stream: 1, Data: data}); err != nil {
		t.Fatal(err)
	}
	m, err := c.Receive()
	if err != nil || !bytes.Equal(m.(*Output).Data, data) {
		t.Fatalf("5 MB did not come back: %v", err)
	}
}

func TestUnencodable(t *testing.T) {
	var b bytes.Buffer
	c := NewConn(&b, &b)
	err := c.Send(&Comm{Data: map[string]any{"f": func() {}}})
	if e := (*EncodeError)(nil); !errors.As(err, &e) {
		t.Fatalf("sending a func gives %v", err)
	}
	if b.Len() != 0 {
		t.Errorf("%d bytes were sent", b.Len())
	}
	if err := c.Send(&Clear{Cell: 1}); err != nil {
		t.Fatal(err)
	}
	if m, err := c.Receive(); err != nil || m.(*Clear).Cell != 1 {
		t.Errorf("the connection is broken: %v %v", m, err)
	}
}

// Broken input must give errors, not crashes or huge allocations.
func FuzzReceive(f *testing.F) {
	for _, m := range messages {
		var b bytes.Buffer
		if err := NewConn(nil, &b).Send(m); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
		f.Add(b.Bytes()[:b.Len()-1])
	}
	f.Add(binary.LittleEndian.AppendUint32(nil, 1<<31-1))
	f.Fuzz(func(t *testing.T, p []byte) {
		c := NewConn(bytes.NewReader(p), nil)
		for range 100 {
			if _, err := c.Receive(); err != nil {
				return
			}
		}
	})
}

func TestNewBundle(t *testing.T) {
	b, err := NewBundle(map[string]any{
		"text/plain":       "a\xff",
		"image/png":        []byte{1, 2, 3},
		"image/svg+xml":    []byte("<svg/>"),
		"application/json": map[string]int{"a": 1},
	})
	want := Bundle{"text/plain": "a\uFFFD", "image/png": "AQID", "image/svg+xml": "<svg/>",
		"application/json": json.RawMessage(`{"a":1}`)}
	if err != nil || !reflect.DeepEqual(b, want) {
		t.Errorf("got %v %v, want %v", b, err, want)
	}
	if b, err := NewBundle(map[string]any{"application/json": func() {}, "text/plain": "f"}); err == nil || b.Text("text/plain") != "f" {
		t.Errorf("a func as JSON: %v %v", b, err)
	}
}

// pipes returns two connections that are joined by pipes of the operating system.
func pipes(b *testing.B) (*Conn, *Conn) {
	r1, w1, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	r2, w2, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { r1.Close(); w1.Close(); r2.Close(); w2.Close() })
	return NewConn(r1, w2), NewConn(r2, w1)
}

// A trivial cell's way there and back.
func BenchmarkRunDone(b *testing.B) {
	kernel, worker := pipes(b)
	go func() {
		for {
			m, err := worker.Receive()
			if err != nil {
				return
			}
			worker.Send(&Done{Cell: m.(*Run).Cell, Result: Bundle{"text/plain": "3"}})
		}
	}()
	run := &Run{Cell: 1, Number: 1, Units: []Unit{{Imports: []string{"gaucho/interp/rt"}, Entry: "c_1_0", Show: true,
		Text: "package main\n\nfunc c_1_0() {\n//line c1:1\nrt.Result(1, 1+2)\n}\n"}}}
	b.ReportAllocs()
	for b.Loop() {
		if err := kernel.Send(run); err != nil {
			b.Fatal(err)
		}
		if _, err := kernel.Receive(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOutput(b *testing.B) {
	kernel, worker := pipes(b)
	go func() {
		for {
			if _, err := worker.Receive(); err != nil {
				return
			}
		}
	}()
	o := &Output{Cell: 1, Stream: 1, Data: []byte("hello, world\n")}
	b.ReportAllocs()
	for b.Loop() {
		if err := kernel.Send(o); err != nil {
			b.Fatal(err)
		}
	}
}
