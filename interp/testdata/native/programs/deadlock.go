package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	never := make(chan int)
	for i := range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			switch i {
			case 0:
				<-never
			case 1:
				mu.Lock()
				mu.Lock()
			case 2:
				select {}
			}
		}()
	}
	fmt.Println("all wait")
	wg.Wait()
}
