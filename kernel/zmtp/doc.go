// Package zmtp is the server's side of ZeroMQ as a Jupyter kernel needs it: sockets that are bound to one address and
// speak ZMTP 3 (https://rfc.zeromq.org/spec/23) with the NULL mechanism, over TCP or Unix sockets. Connections are those
// of [github.com/go-zeromq/zmq4]: greeting, security mechanism, metadata, frames and commands are its own.
//
//	l, err := zmtp.Listen("tcp://127.0.0.1:5555")
//	...
//	router := zmtp.NewRouter(l, func(peer string, m zmtp.Message) { ... }, nil)
//	router.Send(peer, zmtp.Message{[]byte("reply")})
//
// There are three kinds of socket. A [Router] takes messages from its peers and answers each by its identity. A
// [Publisher] sends every message to the peers that subscribed to a prefix of its first frame, and reports
// subscriptions, in the way of ZMTP 3.0 or 3.1. An [Echo] returns what it gets.
//
// What holds:
//
//   - Every connection has a goroutine that reads, one that writes, and a queue of its own, bounded in bytes. Sending
//     never waits for a peer; a peer that stops reading loses messages once its queue is full, and nobody else does.
//   - Messages from one peer are handled in their order, messages to one peer arrive in the order of the calls.
//   - A peer that sends what is no ZMTP is dropped; memory is spent only on bytes that have arrived, and 64 KiB.
//   - A peer that connects with the identity of another takes its place, as after a reconnection.
//
// [Publisher.Wait] is the back-pressure: it returns when no live subscriber lags far, and does not wait for one
// that has stopped reading.
//
// zmq4 alone does not hold this, so some of it is avoided. As of v0.17.0:
//
//   - Its sockets (zmq4.NewRouter and the others) shake hands with one peer at a time and without a time limit, so a
//     silent peer keeps all others out; they hold a lock while they write to a peer that does not read; and an unknown
//     socket type or a frame that claims 2^63 bytes ends the process. Only zmq4.Open and zmq4.Conn are used.
//   - zmq4.Open panics on an unknown socket type and on some metadata that are cut off: the panic becomes an error.
//   - zmq4.Conn allocates what a frame's head claims, takes any number of frames and reads commands as frames of a message:
//     the net.Conn that it is given checks each head first.
//   - Conn.RecvMsg drops the name of a command and answers a PING without its context: it is called only when no command
//     comes, else Conn.RecvCmd. Conn.SendMsg writes each frame's head and body by themselves: they go into a buffer.
package zmtp
