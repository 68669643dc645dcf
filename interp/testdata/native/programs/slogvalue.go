package main

import (
	"fmt"
	"log/slog"
)

func main() {
	v := slog.StringValue("x")
	fmt.Println(v.Any(), v)
}
