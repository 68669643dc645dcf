package main

import (
	"fmt"

	"github.com/cespare/xxhash/v2"
)

func main() {
	d := xxhash.New()
	d.WriteString("go")
	fmt.Println(xxhash.Sum64String("gaucho, a kernel for Go, of more than 32 bytes"), d.Sum64())
}
