package main

import (
	"bufio"
	"fmt"
	. "io"
	. "net/http"
	"strings"
)

type r struct{}

func (r) Read(p []byte) (int, error) { return 0, EOF }

func main() {
	_, err := ReadAll(r{})
	fmt.Println(err, EOF, ErrShortWrite == nil)
	_, err = bufio.NewReader(strings.NewReader("")).ReadByte()
	fmt.Println(err == EOF)
	old := DefaultMaxHeaderBytes
	p := &ErrNoProgress
	e := ErrNoProgress
	ErrNoProgress = EOF
	fmt.Println(*p == EOF, old)
	ErrNoProgress = e
	DefaultClient.Timeout = 3
	fmt.Println(DefaultClient.Timeout, ErrNoProgress)
}
