package main

import (
	"fmt"

	"github.com/fatih/color"
)

func main() {
	color.NoColor = false
	fmt.Printf("%q %q\n", color.New(color.FgRed, color.Bold).Sprint("red"), color.GreenString("%d", 7))
}
