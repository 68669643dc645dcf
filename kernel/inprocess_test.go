package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"
)

// inProcess is a client without sockets.
type inProcess struct {
	in           chan [][]byte // for the shell channel; its end is the client's
	shell, iopub chan string   // "TYPE PARENT CONTENT"
}

func (c *inProcess) Receive() (string, [][]byte, error) {
	m, ok := <-c.in
	if !ok {
		return "", nil, errors.New("gone")
	}
	return "shell", m, nil
}

func (c *inProcess) Send(channel string, frames [][]byte) {
	var h, parent header
	json.Unmarshal(frames[0], &h)
	json.Unmarshal(frames[1], &parent)
	out := c.iopub
	if channel == "shell" {
		out = c.shell
	}
	out <- h.Type + " " + parent.ID + " " + string(frames[3])
}

func await(t *testing.T, out <-chan string, want ...string) {
	t.Helper()
	deadline := time.After(time.Minute)
	for _, w := range want {
		select {
		case got := <-out:
			if got != w {
				t.Errorf("got %s, want %s", got, w)
			}
		case <-deadline:
			t.Fatalf("%s has not come after a minute", w)
		}
	}
}

func TestServeClient(t *testing.T) {
	c := &inProcess{in: make(chan [][]byte), shell: make(chan string, 10), iopub: make(chan string, 10)}
	ended := make(chan error, 1)
	go func() {
		ended <- ServeClient(context.Background(), c, &Options{Start: startFake, History: "off"})
	}()
	await(t, c.iopub, `status  {"execution_state":"starting"}`)
	c.in <- [][]byte{[]byte(`{"msg_id":"a","msg_type":"execute_request"}`), empty, empty, []byte(`{"code":"print hello","silent":true}`)}
	await(t, c.iopub,
		`status a {"execution_state":"busy"}`,
		`stream a {"name":"stdout","text":"hello\n"}`,
		`status a {"execution_state":"idle"}`)
	await(t, c.shell, `execute_reply a {"execution_count":0,"payload":[],"status":"ok","user_expressions":{}}`)
	close(c.in)
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("the kernel has not ended a minute after its client")
	}
}
