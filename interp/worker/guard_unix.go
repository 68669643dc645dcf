//go:build unix

package worker

import (
	"os"
	"os/signal"
	"syscall"
)

// guardProcess has the end of the kernel end this process and the ones that it started, which are of its
// process group.
func guardProcess() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGTERM)
	go func() {
		<-c
		endChildren()
	}()
}

// endChildren ends this process and all that it started.
func endChildren() {
	if syscall.Getpgrp() == os.Getpid() {
		syscall.Kill(0, syscall.SIGKILL)
	}
}
