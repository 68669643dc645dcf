package main

import (
	"fmt"

	"github.com/spf13/pflag"
)

func main() {
	f := pflag.NewFlagSet("x", pflag.ContinueOnError)
	n := f.IntP("number", "n", 3, "how many `things`")
	l := f.StringSlice("list", nil, "names")
	err := f.Parse([]string{"-n", "7", "--list=a,b", "rest"})
	fmt.Println(*n, *l, f.Args(), err)
	fmt.Print(f.FlagUsages())
}
