package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"runtime/pprof"
	"time"
)

var sink uint64

//go:noinline
func busyHere(until time.Time) {
	for time.Now().Before(until) {
		for i := range uint64(100000) {
			sink = sink*31 + i
		}
	}
}

func main() {
	var out bytes.Buffer
	if err := pprof.StartCPUProfile(&out); err != nil {
		panic(err)
	}
	done := make(chan bool)
	for range 3 {
		go func() { busyHere(time.Now().Add(300 * time.Millisecond)); done <- true }()
	}
	for range 3 {
		<-done
	}
	pprof.StopCPUProfile()
	r, err := gzip.NewReader(&out)
	if err != nil {
		panic(err)
	}
	data, err := io.ReadAll(r)
	fmt.Println(err, bytes.Contains(data, []byte("busyHere")), bytes.Contains(data, []byte("profile.go")))
	var goroutines bytes.Buffer
	pprof.Lookup("goroutine").WriteTo(&goroutines, 1)
	fmt.Println(bytes.Contains(goroutines.Bytes(), []byte("main")))
}
