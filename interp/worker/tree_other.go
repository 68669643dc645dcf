//go:build !linux && !darwin && !windows

package worker

import "os"

// endTree ends a process.
func endTree(p *os.Process) error { return p.Kill() }
