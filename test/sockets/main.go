// Sockets serves one socket of each kind of package kernel/zmtp, for the tests that try them against libzmq.
//
// The router does what its messages say: "publish FIRST COUNT SIZE" publishes messages of two frames, a number and
// SIZE bytes; anything else comes back as it is. It prints where the three listen, a line, and ends with its standard input.
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"time"

	"gaucho/kernel/zmtp"
)

func main() {
	if len(os.Args) != 4 {
		fail("usage: sockets PUB ROUTER ECHO (addresses)")
	}
	set := zmtp.DefaultSettings()
	set.Log = slog.New(slog.NewTextHandler(os.Stderr, nil))
	listeners := [3]net.Listener{listen(os.Args[1]), listen(os.Args[2]), listen(os.Args[3])}
	pub := zmtp.NewPublisher(listeners[0], func(topic string) zmtp.Message {
		return zmtp.Message{[]byte(topic), []byte("welcome")}
	}, set)
	var router *zmtp.Router
	ready := make(chan struct{})
	router = zmtp.NewRouter(listeners[1], func(peer string, m zmtp.Message) {
		<-ready
		var first, count, size int
		if _, err := fmt.Sscanf(string(m[len(m)-1]), "publish %d %d %d", &first, &count, &size); err == nil {
			body := make([]byte, size)
			for i := range count {
				pub.Wait(context.Background())
				pub.Publish(zmtp.Message{fmt.Appendf(nil, "%d", first+i), body})
			}
		}
		router.Send(peer, m)
	}, set)
	close(ready)
	echo := zmtp.NewEcho(listeners[2], set)
	fmt.Println(listeners[0].Addr(), listeners[1].Addr(), listeners[2].Addr())
	io.Copy(io.Discard, os.Stdin)
	router.Close(time.Second)
	pub.Close(time.Second)
	echo.Close(0)
}

func fail(v any) {
	fmt.Fprintln(os.Stderr, v)
	os.Exit(1)
}

func listen(address string) net.Listener {
	l, err := zmtp.Listen(address)
	if err != nil {
		fail(err)
	}
	return l
}
