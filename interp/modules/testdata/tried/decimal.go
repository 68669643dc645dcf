package main

import (
	"fmt"

	"github.com/shopspring/decimal"
)

func main() {
	a := decimal.RequireFromString("0.1")
	fmt.Println(a.Add(decimal.NewFromFloat(0.2)), a.Div(decimal.NewFromInt(3)), a.Pow(decimal.NewFromInt(5)), a.Cmp(decimal.Zero))
}
