package main

import (
	"fmt"

	"github.com/araddon/dateparse"
)

func main() {
	for _, s := range []string{"May 8, 2009 5:57:51 PM", "2014-04-26 17:24:37.3186369", "3/31/2014", "1332151919"} {
		t, err := dateparse.ParseAny(s)
		fmt.Println(t.UTC(), err)
	}
}
