package main

import (
	"bytes"
	"fmt"

	"github.com/yuin/goldmark"
)

func main() {
	var b bytes.Buffer
	err := goldmark.Convert([]byte("# A *title*\n\n1. x\n2. `y`\n\n> said <b>\n"), &b)
	fmt.Println(b.String(), err)
}
