//go:build !linux && !windows

package compiled

import "os/exec"

// startLimited starts a compiler. Only its own limit holds: see GOMEMLIMIT in start.
func startLimited(cmd *exec.Cmd) error { return cmd.Start() }
