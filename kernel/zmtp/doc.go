// Package zmtp is the server's side of ZeroMQ as a Jupyter kernel needs it: sockets that are bound to one address and
// speak ZMTP 3.1 (https://rfc.zeromq.org/spec/37) with the NULL mechanism, over TCP or Unix sockets.
//
//	l, err := zmtp.Listen("tcp://127.0.0.1:5555")
//	...
//	router := zmtp.NewRouter(l, func(peer string, m zmtp.Message) { ... }, nil)
//	router.Send(peer, zmtp.Message{[]byte("reply")})
//
// There are three kinds of socket. A [Router] takes messages from its peers and answers each by its identity. A
// [Publisher] sends every message to the peers that subscribed to a prefix of its first frame, and tells who
// subscribed. An [Echo] returns what it gets.
//
// What holds:
//
//   - Every connection has a goroutine that reads, one that writes, and a queue of its own, bounded in bytes. Sending
//     never waits for a peer; a peer that stops reading loses messages once its queue is full, and nobody else does.
//   - Messages from one peer are handled in their order, messages to one peer arrive in the order of the calls.
//   - A peer that sends what is no ZMTP is dropped; memory is spent only on bytes that have arrived.
//   - A peer that connects with the identity of another takes its place, as after a reconnection.
//
// [Publisher.Wait] is the back-pressure: it returns when no live subscriber is far behind, and does not wait for one
// that has stopped reading.
package zmtp
