package main

import (
	"fmt"
	"os"
	"sync"
)

func leave(code int) {
	defer func() { fmt.Println("deferred", recover()) }()
	defer fmt.Println("deferred")
	os.Exit(code)
}

func main() {
	defer fmt.Println("deferred in main")
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		leave(3)
	}()
	wg.Wait()
}
