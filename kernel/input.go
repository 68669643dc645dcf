package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"gaucho/kernel/zmtp"
)

// input waits for what the user types. One question is open at a time.
type input struct {
	asking sync.Mutex // held by the one who asks

	mu     sync.Mutex
	peer   string      // who is asked
	id     string      // of the question
	answer chan string // nil when nobody asks
	ended  bool
}

var (
	errNoInput   = errors.New("this client does not support input")
	errGone      = errors.New("the client that ran the cell is gone")
	errCancelled = errors.New("the kernel is shutting down")
)

// ask has the client that ran the cell ask its user for a line.
func (k *kernel) ask(ctx context.Context, of *parent, prompt string, password bool) (string, error) {
	if !of.stdin {
		return "", errNoInput
	}
	in := &k.input
	in.asking.Lock()
	defer in.asking.Unlock()
	answer := make(chan string, 1)
	id := k.composer.newID()
	if !in.open(of.peer, id, answer) {
		return "", errCancelled
	}
	defer in.open("", "", nil)
	k.iopub.flushNow(of)
	m := message{kind: "input_request", id: id, parent: of.raw, content: object{"prompt": prompt, "password": password}}
	if err := k.sendQuestion(ctx, of, m); err != nil {
		return "", err
	}
	select {
	case line, ok := <-answer:
		if !ok {
			return "", errCancelled
		}
		return line, nil
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// sendQuestion sends a question. A client whose stdin socket is still connecting is waited for.
func (k *kernel) sendQuestion(ctx context.Context, of *parent, m message) error {
	for patience := time.Now().Add(time.Second); ; {
		err := k.socks.stdin.Send(of.peer, k.composer.compose(of.idents, m))
		if err == nil {
			return nil
		}
		if err != zmtp.ErrNoPeer || time.Now().After(patience) {
			return errGone
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// open begins a question, or with a nil answer ends it. It says false when the kernel is shutting down.
func (in *input) open(peer, id string, answer chan string) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.peer, in.id, in.answer = peer, id, answer
	return !in.ended
}

// put takes a message from the stdin socket. Answers that nobody waits for are dropped, and those that name another
// question; not all clients name one.
func (in *input) put(r *request) {
	var q struct {
		Value string `json:"value"`
	}
	var question header
	if r.Type != "input_reply" || r.decode(&q) != nil || json.Unmarshal(r.parent, &question) != nil {
		return
	}
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.answer != nil && r.peer == in.peer && (question.ID == "" || question.ID == in.id || question.Type != "input_request") {
		in.answer <- q.Value
		in.answer = nil
	}
}

// cancel ends the open question and refuses all others.
func (in *input) cancel() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.ended = true
	if in.answer != nil {
		close(in.answer)
		in.answer = nil
	}
}
