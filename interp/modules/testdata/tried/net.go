package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/net/html"
)

func main() {
	n, err := html.Parse(strings.NewReader("<p>a<b>c</p><table><tr><td>d"))
	fmt.Println(err)
	html.Render(os.Stdout, n)
	fmt.Println()
}
