package main

import (
	"fmt"
	"log"
)

func main() {
	defer fmt.Println("deferred")
	log.SetFlags(log.Lshortfile)
	fmt.Println("before")
	log.Fatalf("it is %d", 7)
}
