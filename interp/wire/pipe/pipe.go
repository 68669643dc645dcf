// Package pipe is what joins the supervisor's process and its worker's: which files the two share, and how the worker's own
// streams are read without losing what is in them when it dies.
package pipe

import "bytes"

// The worker's files after standard input, output and error, in the order in which its command line has their numbers.
const (
	Requests  = iota // messages to the worker
	Messages         // messages of the worker
	RawStdout        // reading end of the worker's standard output
	RawStderr        // reading end of the worker's standard error
	NumFiles
)

// LastWords returns where in p the Go runtime begins to say why it ends the process, -1 if nowhere.
func LastWords(p []byte) int {
	first := -1
	for _, s := range []string{"fatal error: ", "panic: ", "runtime: goroutine stack exceeds", "runtime: out of memory", "unexpected fault address", "SIG"} {
		at := bytes.Index(p, []byte(s))
		for at > 0 && p[at-1] != '\n' {
			next := bytes.Index(p[at+1:], []byte(s))
			if next < 0 {
				at = -1
				break
			}
			at += 1 + next
		}
		if at >= 0 && (first < 0 || at < first) {
			first = at
		}
	}
	return first
}
