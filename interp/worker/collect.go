//go:build !js

package worker

import (
	"io"
	"os"
)

// collect returns a file, and copies what is written to it until end is called, which waits for the last of it.
func collect(to io.Writer) (file *os.File, end func(), err error) {
	r, file, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	copied := make(chan struct{})
	go func() {
		defer close(copied)
		io.Copy(to, r)
	}()
	return file, func() {
		file.Close()
		<-copied
		r.Close()
	}, nil
}
