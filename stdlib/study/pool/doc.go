// Package pool runs a study on many machines over NATS JetStream. One process serves the study: it holds the records,
// queues the replications that are missing and takes in what comes back. Any number of workers, which join and leave at
// will, run them:
//
//	go pool.Work(ctx, &pool.Settings{URL: "nats://127.0.0.1:4222", Version: v}, load)
//	res, err := pool.Serve(ctx, s, &study.Settings{Workers: 1, Dir: "records"}, task, &pool.Settings{Listen: "127.0.0.1:4222", Store: "store", Version: v})
//
// Batches of replications are in a work queue. A worker publishes what a batch gave, waits until the server has it on
// its disk, and only then acknowledges the batch; while it works it says so, and a batch of which nobody says so is given
// to another worker. So nothing is lost when a worker, the server or the network fails at any moment. Some replications
// may be run twice then; a record is known by its point and replication, and enters the file once. What is missing when
// the queue is empty is queued again.
//
// A worker runs code that it is sent, so whoever has the server's token has the right to run code as the workers' users.
// The embedded server asks for one always: every user of a machine can reach what listens there. It is the user's own, kept
// where nobody else can read it, if none is given. The server listens on this machine alone, unless it has a certificate
// and a token of its own, and workers talk to other machines over TLS only. What a worker sends back is signed for the task,
// read, checked, and written anew. A worker trusts the server that it is given: start the server first, since on a
// machine with other users somebody else could listen on its port.
//
// A program that runs its studies alone does not link this package.
package pool
