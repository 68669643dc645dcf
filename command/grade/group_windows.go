package grade

import "os/exec"

func ownGroup(*exec.Cmd, bool) {}

func killGroup(cmd *exec.Cmd) error { return cmd.Process.Kill() }
