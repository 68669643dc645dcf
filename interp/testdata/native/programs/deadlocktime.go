package main

import (
	"context"
	"fmt"
	"time"
)

// A program that imports packages with timers and has none ends when all its goroutines wait.
func main() {
	start := time.Now()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	never := make(chan time.Duration)
	go func() {
		time.Sleep(700 * time.Millisecond) // longer than it takes to look
		fmt.Println("slept", time.Since(start) > 700*time.Millisecond)
		select {
		case <-ctx.Done():
		case d := <-never:
			fmt.Println(d)
		}
	}()
	<-never
}
