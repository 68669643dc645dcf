// Package halt lets a host, such as a notebook's worker, end computations that the library has under way. In a program
// without a host, nothing ever ends them.
package halt

import "sync/atomic"

var host atomic.Pointer[func()]

// SetHost has Here call f, which ends the running goroutine, as runtime.Goexit does or by a panic, if it must end.
func SetHost(f func()) { host.Store(&f) }

// Here is called between the blocks of a long computation. It does not return if the running goroutine must end; what
// the computation was writing is then left as it is.
func Here() {
	if f := host.Load(); f != nil {
		(*f)()
	}
}
