package main

import (
	"fmt"

	"github.com/dustin/go-humanize"
)

func main() {
	fmt.Println(humanize.Bytes(82854982), humanize.Comma(1234567), humanize.Ordinal(193), humanize.FtoaWithDigits(3.14159, 2), humanize.SI(2.2e-9, "F"))
}
