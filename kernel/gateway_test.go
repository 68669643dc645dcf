package kernel

import (
	"context"
	"log/slog"
	"net"
	"testing"
	"time"
)

// TestOrdersOfOthers: the order to end counts only when it comes from the gateway's host.
func TestOrdersOfOthers(t *testing.T) {
	for _, c := range []struct {
		gateway string
		obeyed  bool
	}{{"127.0.0.1:1", true}, {"localhost:1", true}, {"192.0.2.7:1", false}} {
		orders, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		from, err := (&Gateway{ResponseAddress: c.gateway}).hosts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		stopped := make(chan bool)
		go func() {
			obey(orders, from, cancel, slog.New(slog.DiscardHandler))
			close(stopped)
		}()
		conn, err := net.Dial("tcp4", orders.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		conn.Write([]byte(`{"shutdown": 1}`))
		conn.SetReadDeadline(time.Now().Add(20 * time.Second))
		conn.Read(make([]byte, 1)) // it is closed when the order was dealt with
		conn.Close()
		orders.Close()
		<-stopped
		if obeyed := ctx.Err() != nil; obeyed != c.obeyed {
			t.Errorf("the gateway is at %s: an order from 127.0.0.1 is obeyed: %v, want %v", c.gateway, obeyed, c.obeyed)
		}
		cancel()
	}
}
