package main

import (
	"fmt"
	"os"
	"time"
)

// main writes what is not UTF-8, a character in two pieces among it.
func main() {
	os.Stdout.Write([]byte{0x89, 'P', 'N', 'G', 0xff, 0x00, 0xc3})
	time.Sleep(30 * time.Millisecond)
	os.Stdout.Write([]byte{0xa9, 0xe2, 0x82})
	fmt.Print("\xf0\x9f")
}
