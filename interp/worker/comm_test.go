package worker

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"gaucho/interp/supervisor"
	"gaucho/interp/wire"
	"gaucho/stdlib/display"
)

// notebook is what package widgets finds on the sink of package display.
type notebook interface {
	SendComm(typ, id, target string, data, metadata map[string]any, buffers [][]byte) error
	OnComm(func(typ, id, target string, data, metadata map[string]any, buffers [][]byte) func())
	Cell() int
	Callback(cell int, f func()) bool
	AtEnd(key any, f func())
	Run(f func()) map[string]any
	Capture(take func(output map[string]any)) (release func())
	Render(v any) map[string]any
}

// The worker of this package's tests answers comm messages, as package widgets would.
func answerComms() {
	s := display.CurrentSink().(notebook)
	s.OnComm(func(typ, id, target string, data, metadata map[string]any, buffers [][]byte) func() {
		if data["at once"] == true {
			s.SendComm("msg", id, "", map[string]any{"echo": data["value"]}, nil, buffers)
			return nil
		}
		return func() {
			switch as, _ := data["as"].(float64); {
			case data["fail"] == true:
				panic("the handler fails")
			case data["wait"] == true:
				s.Callback(102, func() { select {} })
			case data["capture"] == true:
				var list []map[string]any
				release := s.Capture(func(o map[string]any) { list = append(list, o) })
				failed := s.Run(func() {
					fmt.Print("printed")
					display.ShowAs("d", 1).Update(2)
					display.Clear(true)
					panic("inside")
				})
				release()
				text, _ := json.Marshal(append(list, failed))
				display.Show(display.Markdown(text))
			case as != 0:
				s.Callback(int(as), func() {
					display.Show(display.Markdown("as another"))
					panic("and failed")
				})
			default:
				display.Show(display.Markdown("got " + typ + " " + id))
				s.SendComm("msg", id, "", map[string]any{"echo": data["value"]}, nil, buffers)
			}
		}
	})
}

// comm sends a message and waits until it is done with.
func (s *session) comm(cell int, data map[string]any) {
	s.t.Helper()
	select {
	case <-s.send(cell, data):
	case <-time.After(time.Minute):
		s.t.Fatalf("message %d %v is not done with", cell, data)
	}
}

func (s *session) send(cell int, data map[string]any) <-chan *wire.Done {
	s.t.Helper()
	_, done, err := s.p.SendComm(&wire.Comm{Cell: cell, Type: "msg", ID: "c1", Data: data, Buffers: [][]byte{{1, 2}}})
	if err != nil {
		s.t.Fatal(err)
	}
	return done
}

func TestComm(t *testing.T) {
	s := start(t)
	s.ok("", `rt.Println("hello")`)
	s.comm(100, map[string]any{"value": 3})
	if got := s.sink.kinds(100); len(got) != 2 || got[0].Text != "got msg c1" || got[1].Kind != "comm" {
		t.Errorf("got %+v", got)
	}
	s.comm(101, map[string]any{"fail": true})
	if got := s.sink.text(101, "stderr"); got != "a callback ended: panic: the handler fails\n" {
		t.Errorf("a handler that panics: %q", got)
	}
	s.comm(102, map[string]any{"as": 77})
	if got := s.sink.kinds(77); len(got) != 2 || got[0].Text != "as another" || got[1].Text != "a callback ended: panic: and failed\n" {
		t.Errorf("shown for another cell: %+v", got)
	}
	s.comm(103, map[string]any{"capture": true})
	got := s.sink.kinds(103)
	if len(got) != 1 {
		t.Fatalf("captured: %+v", got)
	}
	for _, part := range []string{
		`{"output_type":"stream","name":"stdout","text":"printed"}`, `"transient":{"display_id":"d"}`,
		`"output_type":"update_display_data"`, `{"output_type":"clear_output","wait":true}`,
		`"output_type":"error"`, `"evalue":"inside"`,
	} {
		var want, all any
		json.Unmarshal([]byte(part), &want)
		if json.Unmarshal([]byte(got[0].Text), &all); want != nil {
			text, _ := json.Marshal(want)
			part = string(text)
		}
		if !strings.Contains(got[0].Text, part) {
			t.Errorf("captured %s\nwithout %s", got[0].Text, part)
		}
	}
}

// Messages are taken while a cell runs; what follows from them waits for its end. An interrupt ends both.
func TestCommWhileCellRuns(t *testing.T) {
	s := start(t)
	ended := make(chan *wire.Done)
	go func() {
		d, _ := s.p.Run(context.Background(), &wire.Run{Cell: 1, Worker: s.p.Generation(), Units: []wire.Unit{{Builtin: "shell", Text: "echo started; sleep 60"}}}, nil)
		ended <- d
	}()
	s.sink.await(t, 1, "stdout", "started")
	s.comm(100, map[string]any{"at once": true})
	waits := s.send(101, map[string]any{"wait": true})
	select {
	case <-waits:
		t.Fatal("a callback ran during a cell")
	case <-time.After(20 * time.Millisecond):
	}
	s.p.Interrupt(1, false)
	if d := <-ended; d.Error == nil || d.Error.Name != "Interrupt" {
		t.Fatalf("cell ended with %+v", d.Error)
	}
	s.p.Interrupt(101, false)
	<-waits
	if got := s.sink.text(102, "stderr"); !strings.Contains(got, "Interrupt") {
		t.Errorf("an interrupted callback: %q", got)
	}
}

// A worker that dies has done with all messages, and says that it is gone.
func TestCommOfDeadWorker(t *testing.T) {
	gone := make(chan bool, 1)
	s := start(t, func(o *supervisor.Options) { o.Gone = func() { gone <- true } })
	s.ok("", "")
	waits := s.send(101, map[string]any{"wait": true})
	s.p.Restart()
	<-waits
	<-gone
}
