package main

import (
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	var r io.Reader = strings.NewReader("x")
	if w, ok := r.(io.WriterTo); ok {
		w.WriteTo(os.Stdout)
	}
	var s fmt.Stringer = &strings.Builder{}
	fmt.Println(s.String())
	if q, ok := s.(interface{ Len() int }); ok {
		fmt.Println(q.Len())
	}
}
