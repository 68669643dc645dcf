package worker

import (
	"testing"

	"gaucho/interp/wire"
	"gaucho/stdlib/display"
)

// The worker of this package's tests answers comm messages, as package widgets would.
func answerComms() {
	type sink interface {
		SendComm(typ, id, target string, data, metadata map[string]any, buffers [][]byte) error
		OnComm(func(typ, id, target string, data, metadata map[string]any, buffers [][]byte))
	}
	previous := display.SetSink(nil)
	display.SetSink(previous)
	s := previous.(sink)
	s.OnComm(func(typ, id, target string, data, metadata map[string]any, buffers [][]byte) {
		if data["fail"] == true {
			panic("the handler fails")
		}
		display.Show(display.Markdown("got " + typ + " " + id))
		s.SendComm("msg", id, "", map[string]any{"echo": data["value"]}, nil, buffers)
	})
}

func TestComm(t *testing.T) {
	s := start(t)
	s.ok("", `rt.Println("hello")`)
	if err := s.p.SendComm(&wire.Comm{Cell: 100, Type: "msg", ID: "c1", Data: map[string]any{"value": 3}, Buffers: [][]byte{{1, 2}}}); err != nil {
		t.Fatal(err)
	}
	s.ok("", "")
	if got := s.sink.kinds(100); len(got) != 2 || got[0].Text != "got msg c1" || got[1].Kind != "comm" {
		t.Errorf("got %+v", got)
	}
	s.p.SendComm(&wire.Comm{Cell: 101, Type: "msg", ID: "c1", Data: map[string]any{"fail": true}})
	s.ok("", "")
	if got := s.sink.text(101, "stderr"); got != "a goroutine ended: panic: the handler fails\n" {
		t.Errorf("a handler that panics: %q", got)
	}
}
