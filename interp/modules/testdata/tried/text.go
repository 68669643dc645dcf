package main

import (
	"fmt"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/unicode/norm"
)

func main() {
	message.NewPrinter(language.German).Printf("%d %.2f\n", 1234567, 1234.5)
	fmt.Println(cases.Title(language.English).String("the go kernel"), len(norm.NFD.String("é")), language.MustParse("pt-BR"))
}
