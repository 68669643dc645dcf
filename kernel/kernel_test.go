package kernel

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"gaucho/interp/api"
	"gaucho/kernel/zmtp"
)

// kinds lists the types of messages.
func kinds(all []incoming) string {
	var s []string
	for _, m := range all {
		s = append(s, m.kind)
	}
	return strings.Join(s, " ")
}

func TestKernelInfo(t *testing.T) {
	k, _ := newKernel(t, func(_ *Connection, o *Options) { o.Version = "1.2.3" })
	for _, on := range []string{"shell", "control"} {
		socket := k.shell
		if on == "control" {
			socket = k.control
		}
		reply, _ := k.call(socket, "kernel_info_request", object{})
		info := reply.content["language_info"].(object)
		if reply.content["status"] != "ok" || reply.content["protocol_version"] != "5.5" || reply.content["implementation_version"] != "1.2.3" || info["name"] != "go" || info["file_extension"] != ".go" {
			t.Errorf("%s: %v", on, reply)
		}
	}
}

func TestExecuteOrder(t *testing.T) {
	k, _ := newKernel(t, nil)
	reply, out := k.execute("print one\nstderr two\nprint three\nshow four\nprint five\nvalue six")
	want := []string{
		`execute_input map[code:print one` + "\nstderr two\nprint three\nshow four\nprint five\nvalue six" + ` execution_count:1]`,
		"stream map[name:stdout text:one\n]", "stream map[name:stderr text:two\n]", "stream map[name:stdout text:three\n]",
		"display_data map[data:map[text/plain:four] metadata:map[] transient:map[display_id:d1]]",
		"stream map[name:stdout text:five\n]",
		"execute_result map[data:map[text/plain:six] execution_count:1 metadata:map[]]",
	}
	for i, m := range out {
		if got := fmt.Sprint(m.kind, " ", m.content); i >= len(want) || got != want[i] {
			t.Errorf("message %d is %s", i, got)
		}
		if !strings.HasPrefix(m.topic, "kernel.") || !strings.HasSuffix(m.topic, "."+m.kind) {
			t.Errorf("topic %q of %s", m.topic, m.kind)
		}
	}
	if len(out) != len(want) {
		t.Errorf("%d messages, must be %d", len(out), len(want))
	}
	if got := fmt.Sprint(reply.content); got != "map[execution_count:1 payload:[] status:ok user_expressions:map[]]" {
		t.Errorf("reply %s", got)
	}
	if reply.metadata["started"] == nil || reply.metadata["status"] != "ok" {
		t.Errorf("metadata of the reply %v", reply.metadata)
	}
}

func TestUpdatesAndClear(t *testing.T) {
	k, _ := newKernel(t, nil)
	_, out := k.execute("show a\nupdate b\nclear wait\nclear now")
	if got := kinds(out); got != "execute_input display_data update_display_data clear_output clear_output" {
		t.Fatal(got)
	}
	if out[3].content["wait"] != true || out[4].content["wait"] != false {
		t.Error(out)
	}
}

func TestCounts(t *testing.T) {
	k, _ := newKernel(t, nil)
	for i, c := range []struct {
		more  object
		count float64
		kinds string
	}{
		{object{}, 1, "execute_input execute_result"},
		{object{"store_history": false}, 1, "execute_input execute_result"},
		{object{"silent": true}, 1, ""},
		{object{"silent": true, "store_history": true}, 1, ""},
		{object{"store_history": nil}, 2, "execute_input execute_result"},
	} {
		reply, out := k.execute("value 1", c.more)
		if reply.content["execution_count"] != c.count || kinds(out) != c.kinds {
			t.Errorf("%d: %v, %s", i, reply, kinds(out))
		}
	}
}

func TestErrors(t *testing.T) {
	k, _ := newKernel(t, nil)
	reply, out := k.execute("print x\nfail because", object{"user_expressions": object{"a": "1"}})
	if kinds(out) != "execute_input stream error" {
		t.Fatal(out)
	}
	for _, name := range []string{"ename", "evalue", "traceback"} {
		if !reflect.DeepEqual(reply.content[name], out[2].content[name]) || reply.content[name] == nil {
			t.Errorf("%s: reply %v, published %v", name, reply.content[name], out[2].content[name])
		}
	}
	if reply.content["status"] != "error" || reply.content["ename"] != "Failure" {
		t.Error(reply)
	}
	if reply, _ := k.execute("panic"); reply.content["ename"] != "KernelError" {
		t.Error(reply)
	}
	if reply, _ := k.execute("value 1"); reply.content["status"] != "ok" {
		t.Error(reply)
	}
}

func TestCellIsReplaced(t *testing.T) {
	k, _ := newKernel(t, nil)
	for code, status := range map[string]string{"replace new text": "ok", "replace new text\nfail": "error"} {
		reply, _ := k.execute(code)
		if got := fmt.Sprint(reply.content["payload"]); got != "[map[replace:true source:set_next_input text:new text]]" || reply.content["status"] != status {
			t.Error(reply)
		}
	}
}

func TestExit(t *testing.T) {
	k, _ := newKernel(t, nil)
	for code, want := range map[string]string{"exit\n": "[map[keepkernel:false source:ask_exit]]", "quit": "[]"} { // quit is declared
		if reply, _ := k.execute(code); fmt.Sprint(reply.content["payload"]) != want || reply.content["status"] != "ok" {
			t.Error(reply)
		}
	}
}

func TestUserExpressions(t *testing.T) {
	k, _ := newKernel(t, nil)
	reply, _ := k.execute("", object{"silent": true, "user_expressions": object{"a": "x+1", "b": "bad"}})
	want := object{
		"a": object{"status": "ok", "data": object{"text/plain": "x+1"}, "metadata": object{}},
		"b": object{"status": "error", "ename": "CompileError", "evalue": "undefined: bad", "traceback": []any{}},
	}
	if got := reply.content["user_expressions"]; !reflect.DeepEqual(got, want) {
		t.Error(got)
	}
}

// Requests that were queued at the failure are aborted, later ones run; without stop_on_error all run.
func TestAbort(t *testing.T) {
	for _, stop := range []bool{true, false} {
		k, _ := newKernel(t, nil)
		var ids []string
		for _, code := range []string{"sleep 300\nfail", "value 1", "value 2"} {
			ids = append(ids, k.send(k.shell, "execute_request", cellContent(code, object{"stop_on_error": stop})))
		}
		info := k.send(k.shell, "kernel_info_request", object{})
		got := map[string]any{}
		for range 4 {
			m := k.next(k.shell)
			got[m.parent] = m.content["status"]
			if m.content["status"] == "aborted" && len(m.content) != 1 {
				t.Errorf("the reply to a cell that was aborted has more than its status: %v", m.content)
			}
		}
		after := "aborted"
		if !stop {
			after = "ok"
		}
		if got[ids[0]] != "error" || got[ids[1]] != after || got[ids[2]] != after || got[info] != "ok" {
			t.Errorf("stop_on_error %v: %v", stop, got)
		}
		if reply, _ := k.execute("value 3"); reply.content["status"] != "ok" {
			t.Error("aborted although it was sent after the failure:", reply)
		}
	}
}

// A front end is not done with sending its cells when the first of them has failed.
func TestAbortWhatIsSentInOneGo(t *testing.T) {
	defer func(s int64) { settled.Store(s) }(settled.Swap(int64(time.Second)))
	k, _ := newKernel(t, nil)
	ids := []string{k.send(k.shell, "execute_request", cellContent("fail"))}
	for m := k.next(k.iopub); m.kind != "error"; m = k.next(k.iopub) {
	}
	for range 3 {
		ids = append(ids, k.send(k.shell, "execute_request", cellContent("value 1")))
	}
	for i, id := range ids {
		want := "aborted"
		if i == 0 {
			want = "error"
		}
		if m := k.next(k.shell); m.parent != id || m.content["status"] != want {
			t.Errorf("%v, must be %s: %s", m, id, want)
		}
	}
}

// What the client's clock shows to have been sent before the failure was known is aborted too, whatever its clock says,
// unless that is a whole second, or the clock was put back after the failure.
func TestAbortOnTheWay(t *testing.T) {
	k, _ := newKernel(t, nil)
	clock := time.Date(1999, 1, 1, 0, 0, 0, 1e6, time.UTC) // a client whose clock is far behind
	at := func(d time.Duration, session string) func(*header) {
		return func(h *header) { h.Date, h.Session = clock.Add(d).Format(time.RFC3339Nano), session }
	}
	run := func(code string, change func(*header)) any {
		k.sendHeader(k.shell, "execute_request", cellContent(code), change)
		return k.next(k.shell).content["status"]
	}
	if got := run("sleep 100\nfail", at(0, "s")); got != "error" {
		t.Fatal(got)
	}
	for _, c := range []struct {
		after   time.Duration
		session string
		want    string
	}{{0, "s", "aborted"}, {50 * time.Millisecond, "s", "aborted"}, {50 * time.Millisecond, "another", "ok"}, {10 * time.Second, "s", "ok"}, {-time.Millisecond, "s", "ok"}, {-5 * time.Second, "s", "ok"}, {-time.Hour, "s", "ok"}} {
		if got := run("value 1", at(c.after, c.session)); got != c.want {
			t.Errorf("sent %v after by %s: %v, must be %s", c.after, c.session, got, c.want)
		}
	}
}

func TestQuestionsBesideACell(t *testing.T) {
	k, _ := newKernel(t, nil)
	cell := k.send(k.shell, "execute_request", cellContent("sleep 800"))
	next := k.send(k.shell, "execute_request", cellContent("value 1"))
	info := k.send(k.shell, "complete_request", object{"code": "é p", "cursor_pos": 3})
	control := k.send(k.control, "kernel_info_request", object{})
	if m := k.next(k.control); m.parent != control {
		t.Error(m)
	}
	if m := k.next(k.shell); m.parent != info || m.content["cursor_start"] != 2.0 || m.content["cursor_end"] != 3.0 {
		t.Errorf("%v, must be the completion", m)
	}
	var last incoming
	for range 2 {
		last = k.next(k.shell)
	}
	if last.parent != next {
		t.Error(last)
	}
	// After each idle of a question the cell is said to be busy again, so idle is never the last word while it runs.
	state, owner := "", ""
	for owner != next || state != "idle" {
		m := k.next(k.iopub)
		if m.kind != "status" {
			continue
		}
		if state == "idle" && owner != cell && owner != next && !(m.parent == cell && m.content["execution_state"] == "busy") && m.parent != control && m.parent != info && m.parent != next {
			t.Errorf("after the idle of a question comes %v", m)
		}
		state, owner = m.content["execution_state"].(string), m.parent
	}
}

func TestShortCellsKeepTheOrder(t *testing.T) {
	defer func(g, p int64) { grace.Store(g); patience.Store(p) }(grace.Swap(int64(time.Hour)), patience.Swap(int64(time.Hour)))
	k, _ := newKernel(t, nil)
	var ids []string
	for i := range 50 {
		ids = append(ids, k.send(k.shell, "execute_request", cellContent(fmt.Sprint("value ", i))))
		ids = append(ids, k.send(k.shell, "is_complete_request", object{"code": "x"}))
	}
	for _, id := range ids {
		if m := k.next(k.shell); m.parent != id {
			t.Fatalf("%v has parent %s, must be %s", m, m.parent, id)
		}
	}
}

func TestLanguageRequests(t *testing.T) {
	k, _ := newKernel(t, nil)
	reply, _ := k.call(k.shell, "complete_request", object{"code": "x pr", "cursor_pos": 4})
	want := object{
		"status": "ok", "matches": []any{"print"}, "cursor_start": 2.0, "cursor_end": 4.0,
		"metadata": object{"_jupyter_types_experimental": []any{object{"text": "print", "type": "function", "signature": "(text)", "start": 2.0, "end": 4.0}}},
	}
	if !reflect.DeepEqual(reply.content, want) {
		t.Error(reply)
	}
	reply, _ = k.call(k.shell, "inspect_request", object{"code": "name", "cursor_pos": 2, "detail_level": 1})
	if reply.content["found"] != true || reply.content["data"].(object)["text/plain"] != "name 1" {
		t.Error(reply)
	}
	reply, _ = k.call(k.shell, "inspect_request", object{"code": "nothing", "cursor_pos": 100})
	if reply.content["found"] != false || !reflect.DeepEqual(reply.content["data"], object{}) {
		t.Error(reply)
	}
	for code, want := range map[string]string{"x": "map[status:complete]", "for {": "map[indent:\t status:incomplete]", "name?": "map[status:complete]"} {
		if reply, _ := k.call(k.shell, "is_complete_request", object{"code": code}); fmt.Sprint(reply.content) != want {
			t.Error(reply)
		}
	}
	reply, out := k.execute("stat.Mean??")
	if got := fmt.Sprint(reply.content["payload"]); got != "[map[data:map[text/plain:stat.Mean 1] source:page start:0]]" || kinds(out) != "execute_input" {
		t.Error(got, out)
	}
}

// answer sends an answer that names a question, or none.
func (k *client) answer(question, value string) {
	k.messages++
	parts := zmtp.Message{marshal(header{ID: fmt.Sprint("answer-", k.messages), Type: "input_reply"}), empty, empty, marshal(object{"value": value})}
	if question != "" {
		parts[1] = marshal(header{ID: question, Type: "input_request"})
	}
	k.stdin.Send(append(zmtp.Message{delimiter, k.compose.sign.sign(parts...)}, parts...)...)
}

func TestInput(t *testing.T) {
	k, _ := newKernel(t, nil)
	id := k.send(k.shell, "execute_request", cellContent("print before\nask name?\nsecret word?"))
	for _, want := range []string{"map[password:false prompt:name?]", "map[password:true prompt:word?]"} {
		m := k.next(k.stdin)
		if m.kind != "input_request" || m.parent != id || fmt.Sprint(m.content) != want {
			t.Error(m)
		}
		k.answer("another question", "a late answer")
		k.answer("", "an answer")
	}
	k.next(k.shell)
	text := ""
	for _, m := range k.outputs(id) {
		if m.kind == "stream" {
			text += m.content["text"].(string)
		}
	}
	if text != "before\ngot an answer\ngot an answer\n" {
		t.Errorf("%q", text)
	}
	if reply, _ := k.execute("ask x", object{"allow_stdin": false}); reply.content["ename"] != "InputError" {
		t.Error(reply)
	}
	id = k.send(k.shell, "execute_request", cellContent("ask x"))
	k.next(k.stdin)
	k.call(k.control, "interrupt_request", object{})
	if m := k.next(k.shell); m.parent != id || m.content["status"] != "error" {
		t.Error(m)
	}
}

func TestInterrupt(t *testing.T) {
	k, _ := newKernel(t, nil)
	k.call(k.control, "interrupt_request", object{}) // while idle
	id := k.send(k.shell, "execute_request", cellContent("loop"))
	queued := k.send(k.shell, "execute_request", cellContent("value 1"))
	for m := k.next(k.iopub); m.parent != id || m.kind != "execute_input"; m = k.next(k.iopub) {
	}
	time.Sleep(20 * time.Millisecond)
	if reply, _ := k.call(k.control, "interrupt_request", object{}); reply.kind != "interrupt_reply" || reply.content["status"] != "ok" {
		t.Error(reply)
	}
	if m := k.next(k.shell); m.parent != id || m.content["ename"] != "Interrupt" {
		t.Error(m)
	}
	if m := k.next(k.shell); m.parent != queued || m.content["status"] != "aborted" {
		t.Error(m)
	}
}

// A cell that waits for the session to start can be interrupted too.
func TestInterruptBeforeTheSession(t *testing.T) {
	start := make(chan bool)
	k, _ := newKernel(t, func(_ *Connection, o *Options) {
		o.Start = func(ctx context.Context, o api.Options) (Session, error) {
			<-start
			return startFake(ctx, o)
		}
	})
	id := k.send(k.shell, "execute_request", cellContent("loop"))
	for m := k.next(k.iopub); m.parent != id || m.kind != "execute_input"; m = k.next(k.iopub) {
	}
	if reply, _ := k.call(k.control, "interrupt_request", object{}); reply.content["status"] != "ok" {
		t.Error(reply)
	}
	close(start)
	if m := k.next(k.shell); m.parent != id || m.content["ename"] != "Interrupt" {
		t.Error(m)
	}
}

// What a goroutine prints after its cell still belongs to it.
func TestLateOutput(t *testing.T) {
	k, _ := newKernel(t, nil)
	id := k.send(k.shell, "execute_request", cellContent("later"))
	k.next(k.shell)
	k.outputs(id)
	k.send(k.shell, "execute_request", cellContent("now"))
	m := k.next(k.iopub)
	for m.kind != "stream" {
		m = k.next(k.iopub)
	}
	if m.parent != id || m.content["text"] != "later\n" {
		t.Errorf("%v of %s, must be the output of %s", m, m.parent, id)
	}
}

// A character that comes in pieces is shown whole, and text is gathered, not sent line by line.
func TestStreams(t *testing.T) {
	k, _ := newKernel(t, nil)
	_, out := k.execute("bytes a€b")
	text := ""
	for _, m := range out[1:] {
		text += m.content["text"].(string)
	}
	if text != "a€b" {
		t.Errorf("%q", text)
	}
	_, out = k.execute("lines 20000")
	text = ""
	for _, m := range out[1:] {
		text += m.content["text"].(string)
	}
	if !strings.HasSuffix(text, "19998\n19999\n") || strings.Count(text, "\n") != 20000 {
		t.Errorf("%d bytes of output, %q at the end", len(text), text[len(text)-20:])
	}
	if len(out) > 2000 {
		t.Errorf("%d messages for 20000 lines", len(out))
	}
	if _, out = k.execute("turns 5000"); len(out) > 200 {
		t.Errorf("%d messages for 5000 lines each of stdout and stderr in turns", len(out))
	}
}

func TestComms(t *testing.T) {
	k, _ := newKernel(t, nil)
	info := func(content object) string {
		reply, _ := k.call(k.shell, "comm_info_request", content)
		return fmt.Sprint(reply.content["comms"])
	}
	_, out := k.execute("comm one")
	if m := out[1]; m.kind != "comm_open" || m.content["target_name"] != "target" || !bytes.Equal(m.buffers[0], []byte{1, 2, 0}) {
		t.Error(out)
	}
	id := k.send(k.shell, "comm_open", object{"comm_id": "two", "target_name": "other", "data": object{}})
	k.outputs(id)
	if got := info(object{}); got != "map[one:map[target_name:target] two:map[target_name:other]]" {
		t.Error(got)
	}
	if got := info(object{"target_name": "other"}); got != "map[two:map[target_name:other]]" {
		t.Error(got)
	}
	id = k.send(k.shell, "comm_msg", object{"comm_id": "two", "data": object{"x": 1}}, []byte("\x00\xff"))
	if out := k.outputs(id); len(out) != 1 || out[0].kind != "comm_msg" || string(out[0].buffers[0]) != "\x00\xff" {
		t.Error(out)
	}
	id = k.send(k.shell, "comm_open", object{"comm_id": "three", "target_name": "unknown"})
	if out := k.outputs(id); kinds(out) != "comm_close" {
		t.Error(out)
	}
	for _, c := range []object{{"comm_id": "one"}, {"comm_id": "two"}, {"comm_id": "nobody's"}} {
		k.outputs(k.send(k.shell, "comm_close", c))
	}
	if got := info(object{}); got != "map[]" {
		t.Error(got)
	}
	for _, bad := range []any{object{"comm_id": 1}, object{}, object{"comm_id": "x", "data": "text"}} {
		k.outputs(k.send(k.shell, "comm_msg", bad))
	}
}

// What a callback shows belongs to the cell that installed it. A page that was loaded anew has another session than the one that ran the
// cell and does not listen for it: it gets the same with its own message.
func TestCallbackOfAnotherClient(t *testing.T) {
	k, _ := newKernel(t, nil)
	cell := k.send(k.shell, "execute_request", cellContent("value 1"))
	k.next(k.shell)
	k.outputs(cell)
	k.outputs(k.send(k.shell, "comm_open", object{"comm_id": "one", "target_name": "t"}))
	for session, want := range map[string]string{"client": "", "loaded anew": "stream display_data"} {
		id := k.sendHeader(k.shell, "comm_msg", object{"comm_id": "one", "data": object{"shows in": cell}}, func(h *header) { h.Session = session })
		var own, shown []string
		for idle := false; !idle; {
			switch m := k.next(k.iopub); {
			case m.kind == "status":
				idle = m.parent == id && m.content["execution_state"] == "idle"
			case m.parent == id:
				own = append(own, m.kind)
			case m.parent == cell:
				shown = append(shown, m.kind)
			}
		}
		if got := strings.Join(own, " "); got != want {
			t.Errorf("the session %s gets %q with its message, want %q", session, got, want)
		}
		if got := strings.Join(shown, " "); got != "stream display_data update_display_data clear_output" {
			t.Errorf("the cell gets %q", got)
		}
	}
}

func TestSubshells(t *testing.T) {
	k, _ := newKernel(t, nil)
	reply, _ := k.call(k.control, "create_subshell_request", object{})
	sub := reply.content["subshell_id"].(string)
	if reply, _ := k.call(k.control, "list_subshell_request", object{}); fmt.Sprint(reply.content["subshell_id"]) != "["+sub+"]" {
		t.Error(reply)
	}
	in := func(id string) func(*header) { return func(h *header) { h.Subshell = id } }
	main := k.send(k.shell, "execute_request", cellContent("sleep 600"))
	beside := k.sendHeader(k.shell, "comm_info_request", object{}, in(sub))
	if m := k.next(k.shell); m.parent != beside {
		t.Errorf("%v before the subshell's", m)
	}
	if m := k.next(k.shell); m.parent != main {
		t.Error(m)
	}
	main = k.send(k.shell, "execute_request", cellContent("sleep 600"))
	cell := k.sendHeader(k.shell, "execute_request", cellContent("value 1"), in(sub))
	for _, want := range []string{cell, main} {
		if m := k.next(k.shell); m.content["status"] != "ok" || m.parent != want {
			t.Error(m)
		}
	}
	k.call(k.control, "delete_subshell_request", object{"subshell_id": sub})
	if reply, _ := k.call(k.control, "delete_subshell_request", object{"subshell_id": sub}); reply.content["status"] != "error" {
		t.Error(reply)
	}
	id := k.sendHeader(k.shell, "execute_request", cellContent("value 1"), in(sub))
	if m := k.next(k.shell); m.parent != id || m.content["status"] != "error" || m.content["ename"] != "UnknownSubshell" {
		t.Error(m)
	}
	k.outputs(id)
}

func TestUsage(t *testing.T) {
	k, _ := newKernel(t, nil)
	for range 2 {
		reply, _ := k.call(k.control, "usage_request", object{})
		if m, ok := reply.content["kernel_memory"].(float64); ok && m < 1<<20 {
			t.Errorf("%v bytes of memory", m)
		}
		if reply.content["cpu_count"] == nil {
			t.Error(reply)
		}
	}
}

func TestUnknownRequest(t *testing.T) {
	k, _ := newKernel(t, nil)
	if reply, _ := k.call(k.shell, "wonder_request", object{}); reply.kind != "wonder_reply" || reply.content["ename"] != "NotSupported" {
		t.Error(reply)
	}
	k.outputs(k.send(k.shell, "wonder", object{})) // no request: no reply
	if reply, _ := k.call(k.control, "connect_request", object{}); reply.content["shell_port"] != float64(k.c.ShellPort) {
		t.Error(reply)
	}
}

func TestShutdown(t *testing.T) {
	for _, restart := range []bool{false, true} {
		k, _ := newKernel(t, nil)
		k.send(k.shell, "execute_request", cellContent("loop"))
		id := k.send(k.control, "shutdown_request", object{"restart": restart})
		if m := k.next(k.control); m.kind != "shutdown_reply" || m.content["restart"] != restart {
			t.Error(m)
		}
		if out := k.outputs(id); kinds(out) != "shutdown_reply" {
			t.Error(out)
		}
		if _, err := k.control.Receive(); err == nil {
			t.Error("the socket is still open")
		}
	}
}

func TestManyRequests(t *testing.T) {
	k, _ := newKernel(t, nil)
	const n = 5000
	var ids []string
	go func() {
		for range 2 * n { // somebody reads what is published
			k.iopub.Receive()
		}
	}()
	for range n {
		ids = append(ids, k.send(k.shell, "execute_request", cellContent("value 1")))
	}
	for _, id := range ids {
		if m := k.next(k.shell); m.parent != id || m.content["status"] != "ok" {
			t.Fatal(m)
		}
	}
}
