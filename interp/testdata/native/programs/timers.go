package main

import (
	"context"
	"fmt"
	"time"
)

// All goroutines wait, for a second, and none is deadlocked.
func main() {
	done := make(chan string)
	time.AfterFunc(time.Second, func() { done <- "timer" })
	fmt.Println(<-done)
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	go func() { <-ctx.Done(); done <- "context" }()
	fmt.Println(<-done)
}
