// Package kernel implements the Jupyter messaging protocol, version 5.5
// (https://jupyter-client.readthedocs.io/en/stable/messaging.html), and runs cells in an interp.Session.
//
//	err := kernel.Run(ctx, "kernel-1234.json", &kernel.Options{Version: version})
//
// Five sockets (package kernel/zmtp) carry the messages. Their reading goroutines check the signature and the shape of
// a message and queue it: requests of the shell in one queue per subshell, requests of the control channel in another,
// so that an interrupt, a shutdown or a question about the kernel is answered while a cell runs. What is not signed
// with the connection file's key is dropped with a line on the log. The key itself is never logged.
//
// What a client can rely on:
//
//   - Every request is answered, in order, between a busy and an idle status that name it as their parent. Questions
//     (completion, inspection, history, comms ...) that have waited a moment for a running cell are answered while it runs.
//   - All output of a cell comes before its reply, and the reply before its idle. Output of goroutines that outlive
//     their cell still names the cell as its parent.
//   - When a cell fails, the requests that were sent before its failure was known are answered aborted, later ones run.
//   - A client that stops reading delays nobody. A cell that prints faster than its clients read, or than a Jupyter
//     server lets pass, waits for them; nothing is lost.
//
// Environment variables: GAUCHO_HISTORY names the file that keeps the history, or is off; GAUCHO_RATE_LIMIT=off
// lifts the rate limits that apply under a Jupyter server; with JPY_PARENT_PID, which Jupyter sets, the kernel ends when
// the process that started it does.
package kernel
