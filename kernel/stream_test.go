package kernel

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"gaucho/kernel/zmtp"
)

// published keeps what an iopub sends.
type published struct {
	texts []streamText
}

type streamText struct{ Name, Text string }

func (p *published) Publish(m zmtp.Message) {
	var s streamText
	json.Unmarshal(m[len(m)-1], &s)
	p.texts = append(p.texts, s)
}
func (p *published) Wait(context.Context) {}
func (p *published) Close(time.Duration)  {}

// inTurns prints n lines each on standard output and standard error, one after the other, and returns what was published.
func inTurns(t *testing.T, n int, pause time.Duration) []streamText {
	var out published
	synctest.Test(t, func(t *testing.T) {
		s, err := newSigner("hmac-sha256", "key")
		if err != nil {
			t.Fatal(err)
		}
		io := &iopub{pub: &out, composer: &composer{sign: s, count: func() uint64 { return 0 }}, chunk: chunkBytes, streams: map[string]*stream{}}
		cell := &parent{id: "1", raw: empty}
		for i := range n {
			io.write(cell, "stdout", fmt.Sprintf("%d\n", i))
			io.write(cell, "stderr", fmt.Sprintf("%d\n", i))
			time.Sleep(pause)
		}
		io.flushNow(cell)
		synctest.Wait()
	})
	return out.texts
}

// Text that comes in turns on two streams is 20 messages a second, after at most 50: all of it, each stream in order.
func TestStreamsInTurns(t *testing.T) {
	for _, c := range []struct {
		n     int
		pause time.Duration
	}{{100_000, 0}, {10_000, time.Millisecond}, {1000, 10 * time.Millisecond}, {200, 80 * time.Millisecond}} {
		texts := inTurns(t, c.n, c.pause)
		seconds := (time.Duration(c.n) * c.pause).Seconds()
		if most := 2*manyMessages + int(20*seconds) + 2*c.n*12/chunkBytes; len(texts) > most {
			t.Errorf("%d turns in %.0f s are %d messages, expected %d at most", c.n, seconds, len(texts), most)
		}
		var want strings.Builder
		for i := range c.n {
			fmt.Fprintln(&want, i)
		}
		got := map[string]string{}
		for _, s := range texts {
			got[s.Name] += s.Text
		}
		if got["stdout"] != want.String() || got["stderr"] != want.String() {
			t.Errorf("%d turns: %d bytes of stdout and %d of stderr, expected %d of each", c.n, len(got["stdout"]), len(got["stderr"]), want.Len())
		}
	}
}

// Streams that change less than 50 times before they can be sent keep their order: at once, and in the long run.
func TestStreamsKeepOrder(t *testing.T) {
	for _, c := range []struct {
		n     int
		pause time.Duration
	}{{25, 0}, {200, 100 * time.Millisecond}} {
		got := inTurns(t, c.n, c.pause)
		var want []streamText
		for i := range c.n {
			line := fmt.Sprintf("%d\n", i)
			want = append(want, streamText{"stdout", line}, streamText{"stderr", line})
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%d turns, one every %v, are published as %d messages: %.200q", c.n, c.pause, len(got), got)
		}
	}
}
