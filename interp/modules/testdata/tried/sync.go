package main

import (
	"errors"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

func main() {
	var g errgroup.Group
	var n atomic.Int64
	g.SetLimit(3)
	for i := range 10 {
		g.Go(func() error {
			n.Add(int64(i))
			if i == 7 {
				return errors.New("seven")
			}
			return nil
		})
	}
	fmt.Println(g.Wait(), n.Load())
}
