package kernel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"gaucho/interp/api"
	"gaucho/interp/cell"
	"gaucho/kernel/zmtp"
)

// What is not signed, garbled, or of a wrong shape is dropped with a line on the log; the kernel lives.
func TestBadMessages(t *testing.T) {
	k, log := newKernel(t, nil)
	good := marshal(header{ID: "1", Type: "kernel_info_request", Session: "s"})
	sign := func(parts ...[]byte) zmtp.Message {
		return append(zmtp.Message{delimiter, k.compose.sign.sign(parts...)}, parts...)
	}
	unsigned := sign(good, empty, empty, empty)
	unsigned[1] = []byte("00ff")
	for name, m := range map[string]zmtp.Message{
		"nothing":         {nil},
		"garbage":         {[]byte("\xff\x00garbage"), []byte("{")},
		"no delimiter":    {[]byte("x"), good, empty, empty, empty},
		"delimiter alone": {delimiter},
		"few frames":      {delimiter, []byte("sig"), good},
		"unsigned":        unsigned,
		"no signature":    {delimiter, nil, good, empty, empty, empty},
		"header no JSON":  sign([]byte("{"), empty, empty, empty),
		"header a list":   sign([]byte("[]"), empty, empty, empty),
		"header null":     sign([]byte("null"), empty, empty, empty),
		"header empty":    sign(empty, empty, empty, empty),
		"id a number":     sign([]byte(`{"msg_id":1,"msg_type":"x"}`), empty, empty, empty),
		"content a list":  sign(good, empty, empty, []byte("[1]")),
		"content empty":   sign(good, empty, empty, nil),
		"two contents":    sign(good, empty, empty, []byte("{}{}")),
		"bad UTF-8":       sign(good, empty, empty, []byte("{\"code\":\"\xff\"}")),
		"deep":            sign(good, empty, empty, []byte(strings.Repeat(`{"a":`, 1<<17)+"1"+strings.Repeat("}", 1<<17))),
		"metadata":        sign(good, empty, []byte("7"), empty),
	} {
		before := strings.Count(log.String(), "dropped")
		for _, socket := range []interface{ Send(...[]byte) error }{k.shell, k.control, k.stdin} {
			if err := socket.Send(m...); err != nil {
				t.Fatal(name, err)
			}
		}
		k.call(k.shell, "kernel_info_request", object{})
		k.call(k.control, "kernel_info_request", object{})
		if n := strings.Count(log.String(), "dropped") - before; n < 2 {
			t.Errorf("%s: %d lines on the log", name, n)
		}
	}
}

// A copy of a signed message does nothing, whichever socket it comes by.
func TestReplayedMessage(t *testing.T) {
	k, log := newKernel(t, nil)
	m := k.compose.compose(nil, message{kind: executeRequest, parent: empty, content: cellContent("value 1")})
	k.shell.Send(m...)
	if reply := k.next(k.shell); reply.content["status"] != "ok" {
		t.Errorf("replied %v", reply)
	}
	k.shell.Send(m...)
	k.shell.Send(m...)
	k.control.Send(m...)
	// What is answered next is what was asked next.
	if reply, _ := k.execute("value 2"); reply.content["execution_count"] != 2.0 {
		t.Errorf("replied %v", reply)
	}
	k.call(k.control, "kernel_info_request", object{})
	if n := strings.Count(log.String(), errReplayed.Error()); n != 3 {
		t.Errorf("%d lines on the log, must be 3:\n%s", n, log)
	}
}

// Signatures are remembered in bounded memory, at least the newest keptSignatures.
func TestSignaturesRemembered(t *testing.T) {
	s, _ := newSigner("hmac-sha256", "key")
	for i := range 5 * keptSignatures {
		if !s.fresh(fmt.Append(nil, i)) {
			t.Fatalf("%d is not fresh", i)
		}
		if old := i - keptSignatures + 1; old >= 0 && s.fresh(fmt.Append(nil, old)) {
			t.Fatalf("%d is forgotten after %d", old, i)
		}
		if n := len(s.seen[0]) + len(s.seen[1]); n > 2*keptSignatures {
			t.Fatalf("%d are kept", n)
		}
	}
}

// Requests whose content is not what it must be get an answer that says so.
func TestBadContent(t *testing.T) {
	k, _ := newKernel(t, nil)
	for _, c := range []struct {
		kind    string
		content any
	}{
		{"execute_request", object{}},
		{"execute_request", object{"code": 1}},
		{"execute_request", object{"code": "value 1", "user_expressions": object{"a": 1}}},
		{"execute_request", object{"code": "value 1", "silent": "yes"}},
		{"complete_request", object{}},
		{"complete_request", object{"code": "x", "cursor_pos": "end"}},
		{"complete_request", object{"code": "x", "cursor_pos": 1e300}},
		{"inspect_request", object{"cursor_pos": 1}},
		{"is_complete_request", object{"code": []int{1}}},
		{"history_request", object{"hist_access_type": "all"}},
		{"history_request", object{"hist_access_type": "tail", "n": "many"}},
		{"comm_info_request", object{"target_name": 1}},
		{"shutdown_request", object{"restart": "perhaps"}},
		{"delete_subshell_request", object{"subshell_id": 1}},
	} {
		reply, _ := k.call(k.shell, c.kind, c.content)
		if reply.content["status"] != "error" || reply.content["ename"] != "BadRequest" || reply.content["traceback"] == nil {
			t.Errorf("%s %v: %v", c.kind, c.content, reply)
		}
	}
	for _, at := range []int{-5, 1000} {
		if reply, _ := k.call(k.shell, "complete_request", object{"code": "é", "cursor_pos": at}); reply.content["status"] != "ok" {
			t.Error(reply)
		}
	}
}

func TestBigCell(t *testing.T) {
	k, _ := newKernel(t, nil)
	reply, out := k.execute("value 1\n" + strings.Repeat("x", 20<<20))
	if reply.content["status"] != "ok" || kinds(out) != "execute_input execute_result" {
		t.Error(reply.content["status"])
	}
}

func TestClientVanishes(t *testing.T) {
	k, _ := newKernel(t, nil)
	other := connect(t, k.c, "other")
	id := other.send(other.shell, "execute_request", cellContent("sleep 50\nask x"))
	other.shell.Close()
	other.stdin.Close()
	other.iopub.Close()
	k.outputs(id)
	if reply, _ := k.execute("value 1"); reply.content["status"] != "ok" {
		t.Error(reply)
	}
}

func TestConnectionFile(t *testing.T) {
	good := object{"transport": "tcp", "ip": "127.0.0.1", "shell_port": 1001, "iopub_port": 1002, "stdin_port": 1003, "control_port": 1004, "hb_port": 1005, "key": "k-e-y", "signature_scheme": "hmac-sha256"}
	for _, c := range []struct {
		name  string
		value any
		want  string // in the error; empty for none
	}{
		{"", nil, ""},
		{"transport", "ipc", ""},
		{"transport", "udp", `transport is "udp", must be tcp or ipc`},
		{"ip", "", "ip is empty"},
		{"shell_port", 0, "shell_port is 0, must be 1 to 65535"},
		{"hb_port", 1001, "hb_port is 1001, which shell_port has already"},
		{"iopub_port", "x", "not a connection file"},
		{"signature_scheme", "hmac-sha512", ""},
		{"signature_scheme", "hmac-sha3_256", ""},
		{"signature_scheme", "", ""},
		{"signature_scheme", "sha256", `signature_scheme is "sha256"`},
		{"signature_scheme", "hmac-rot13", `signature_scheme is "hmac-rot13"`},
		{"unknown", 1, ""},
	} {
		file := filepath.Join(t.TempDir(), "connection.json")
		content := object{}
		maps.Copy(content, good)
		content[c.name] = c.value
		os.WriteFile(file, marshal(content), 0o600)
		_, err := readConnection(file)
		switch {
		case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s = %v: %v", c.name, c.value, err)
		case err != nil && strings.Contains(err.Error(), "k-e-y"):
			t.Errorf("the key is in %v", err)
		}
	}
	if err := Run(t.Context(), filepath.Join(t.TempDir(), "missing.json"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	file := filepath.Join(t.TempDir(), "broken.json")
	os.WriteFile(file, []byte("not JSON"), 0o600)
	if err := Run(t.Context(), file, nil); err == nil || !strings.Contains(err.Error(), file) {
		t.Error(err)
	}
}

func TestWithoutSessions(t *testing.T) {
	for _, o := range []*Options{nil, {History: "off"}} {
		if err := Serve(t.Context(), &Connection{}, o); err == nil || !strings.Contains(err.Error(), "Start") {
			t.Error(err)
		}
	}
}

func TestPortInUse(t *testing.T) {
	k, _ := newKernel(t, nil)
	if err := Serve(t.Context(), k.c, &Options{Start: startFake, History: "off"}); err == nil || !strings.Contains(err.Error(), "socket") {
		t.Error(err)
	}
}

func TestOtherTransports(t *testing.T) {
	dir := t.TempDir()
	for name, change := range map[string]func(*Connection, *Options){
		"ipc":    func(c *Connection, _ *Options) { c.Transport, c.IP = "ipc", filepath.Join(dir, "k") },
		"sha512": func(c *Connection, _ *Options) { c.SignatureScheme = "hmac-sha512" },
		"no key": func(c *Connection, _ *Options) { c.Key = "" },
	} {
		t.Run(name, func(t *testing.T) {
			if name == "no key" {
				change = func(c *Connection, _ *Options) { c.Key, c.KernelName = "", "x" }
			}
			k, _ := newKernel(t, change)
			if reply, _ := k.execute("value 1"); reply.content["status"] != "ok" {
				t.Error(reply)
			}
		})
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestNoSession(t *testing.T) {
	k, _ := newKernel(t, func(_ *Connection, o *Options) {
		o.Session.Engine = "steam"
		o.Start = func(_ context.Context, o api.Options) (Session, error) {
			return nil, errors.New("there is no engine " + o.Engine)
		}
	})
	if reply, _ := k.execute("value 1"); reply.content["ename"] != "KernelError" || !strings.Contains(fmt.Sprint(reply.content["evalue"]), "no engine steam") {
		t.Error(reply)
	}
	if reply, _ := k.call(k.shell, "complete_request", object{"code": "x", "cursor_pos": 1}); reply.content["status"] != "error" {
		t.Error(reply)
	}
}

func TestMarshal(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		v    any
		want string
	}{
		{object{"a": "<b>&"}, `{"a":"<b>&"}`},
		{object{"a": []float64{1, math.NaN(), inf}, "b": map[string]float64{"x": inf}, "c": []any{&inf, "s", []byte{1}}}, `{"a":[1,null,null],"b":{"x":null},"c":[null,"s","AQ=="]}`},
		{object{"a": "\xff"}, `{"a":"\ufffd"}`},
		{make(chan int), `{"error":"cannot be written as JSON: json: unsupported type: chan int"}`},
	} {
		if got := string(marshal(c.v)); got != c.want {
			t.Errorf("%v: %s, must be %s", c.v, got, c.want)
		}
	}
}

// HMAC-SHA256 of RFC 4231, test case 2, split over frames.
func TestSignature(t *testing.T) {
	s, err := newSigner("hmac-sha256", "Jefe")
	if err != nil {
		t.Fatal(err)
	}
	want := "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
	if got := string(s.sign([]byte("what do ya "), []byte("want "), nil, []byte("for nothing?"))); got != want {
		t.Errorf("%s, must be %s", got, want)
	}
	if s.check([]byte(want[:63]), []byte("what do ya want for nothing?")) || s.check(nil) {
		t.Error("a wrong signature passes")
	}
}

// Nothing that a client sends may bring the kernel down, or pass without a right signature.
func FuzzRequests(f *testing.F) {
	f.Add([]byte("id\n<IDS|MSG>\nsig\n{\"msg_id\":\"1\",\"msg_type\":\"execute_request\"}\n{}\n{}\n{\"code\":\"x\",\"cursor_pos\":1}"), true)
	f.Add([]byte("<IDS|MSG>\n\n{}\n{}\n{}\n{}"), false)
	s, _ := newSigner("hmac-sha256", "key")
	f.Fuzz(func(t *testing.T, b []byte, signed bool) {
		var frames zmtp.Message
		for _, line := range strings.Split(string(b), "\n") {
			frames = append(frames, []byte(line))
		}
		at := -1
		for i, fr := range frames {
			if string(fr) == string(delimiter) {
				at = i
				break
			}
		}
		if signed && at >= 0 && len(frames) > at+5 {
			frames[at+1] = s.sign(frames[at+2 : at+6]...)
		} else {
			signed = false
		}
		r, err := parseRequest("peer", frames, s)
		if err != nil {
			return
		}
		if !signed && !s.check(frames[at+1], frames[at+2:at+6]...) {
			t.Fatal("a message without a right signature passes")
		}
		if r.ID == "" || r.Type == "" || !json.Valid(r.content) || !json.Valid(r.raw) {
			t.Fatalf("%+v passes", r)
		}
		var e executeContent
		r.decode(&e)
		if source, at, _, err := r.cursor(); err == nil && (at < 0 || at > len(source)) {
			t.Fatal("the cursor is outside")
		}
		var h historyContent
		if r.decode(&h) == nil {
			h.choose([]entry{{1, 1, "a", nil}, {2, 1, "b", nil}}, 2)
		}
		cell.Question(string(r.content))
		marshal(object{"content": r.content, "parent": r.raw})
	})
}

func FuzzConnection(f *testing.F) {
	f.Add([]byte(`{"shell_port":1,"iopub_port":2,"stdin_port":3,"control_port":4,"hb_port":5,"key":""}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		if c, err := parseConnection(b); err == nil && fmt.Sprint(c.address(c.ShellPort)) == "" {
			t.Fatal("no address")
		}
	})
}

// alone runs a test in a process of its own and reports whether this is it. What is held is known of the process as a whole, and other
// tests leave kernels and clients in it.
func alone(t *testing.T) bool {
	t.Helper()
	if os.Getenv("GAUCHO_TEST_ALONE") != "" {
		return true
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), "GAUCHO_TEST_ALONE=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return false
}

// givenBack waits until the process holds about as much as before.
func givenBack(t *testing.T, before uint64) {
	t.Helper()
	for deadline := time.Now().Add(90 * time.Second); heldMemory() > before+tidyGrowth; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d MB held 90 s after, %d before", heldMemory()>>20, before>>20)
		}
	}
}

// What large cells took is the system's again soon after, and nothing of the kernel's keeps what they held.
func TestMemoryGoesBack(t *testing.T) {
	if !alone(t) {
		return
	}
	k, _ := newKernel(t, nil)
	k.execute("value 1")
	debug.FreeOSMemory()
	before := heldMemory()
	for range 3 {
		k.execute("value 1\nnothing " + strings.Repeat("x", 12_000_000))
	}
	k.execute("value 1") // by now the client, which is in this process, has read it all
	givenBack(t, before)
}

// What is still on its way to a client when memory is looked at is given back when it has arrived, however many requests leave some.
func TestMemoryOnItsWay(t *testing.T) {
	if !alone(t) {
		return
	}
	debug.FreeOSMemory()
	before := heldMemory()
	tidy := newTidier()
	var way [][]byte
	for range 3 {
		way = append(way, make([]byte, tidyGrowth*7/8))
		tidy.busy()
		tidy.after = 2 * tidyAfter // the second look, which gives back the rest of a request
		tidy.tidy()
	}
	runtime.KeepAlive(way)
	way = nil
	tidy.busy()
	tidy.idle()
	givenBack(t, before)
}
