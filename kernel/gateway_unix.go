//go:build unix

package kernel

import "syscall"

func processGroup() int { return syscall.Getpgrp() }

func signalSelf(signum int) error { return syscall.Kill(syscall.Getpid(), syscall.Signal(signum)) }
