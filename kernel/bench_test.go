package kernel

import (
	"testing"

	"gaucho/kernel/zmtp"
)

// The kernel's own share of a cell: from the request to the idle, with a session that does nothing.
func BenchmarkTrivialCell(b *testing.B) {
	k, _ := newKernel(b, nil)
	for b.Loop() {
		k.execute("value 1")
	}
}

// Ten megabytes of output in 10,000 lines, to a client that only reads.
func BenchmarkOutput(b *testing.B) {
	k, _ := newKernel(b, nil)
	b.SetBytes(10_000_000)
	for b.Loop() {
		id := k.send(k.shell, executeRequest, cellContent("bulk 10000"))
		k.next(k.shell)
		for got := false; !got; {
			frames, err := k.iopub.Receive()
			if err != nil {
				b.Fatal(err)
			}
			r, _ := parseRequest("", frames, &signer{})
			got = r.Type == "status" && string(r.content) == `{"execution_state":"idle"}` && containsID(frames, id)
		}
	}
}

func containsID(frames zmtp.Message, id string) bool {
	r, err := parseRequest("", append(zmtp.Message{delimiter, nil, frames[4]}, frames[4:]...), &signer{})
	return err == nil && r.ID == id
}

func BenchmarkCompose(b *testing.B) {
	s, err := newSigner("hmac-sha256", "a secret key")
	if err != nil {
		b.Fatal(err)
	}
	c := &composer{sign: s, session: "session", user: "user", count: func() uint64 { return 1 }}
	b.ReportAllocs()
	for b.Loop() {
		c.compose(zmtp.Message{[]byte("topic")}, message{kind: "status", parent: empty, content: object{"execution_state": "busy"}})
	}
}
