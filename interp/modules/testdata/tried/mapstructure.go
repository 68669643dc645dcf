package main

import (
	"fmt"

	"github.com/mitchellh/mapstructure"
)

type person struct {
	Name string
	Age  int
	Tags []string
}

func main() {
	var p person
	err := mapstructure.Decode(map[string]any{"name": "a", "age": 3, "tags": []string{"x"}}, &p)
	fmt.Println(p, err)
	fmt.Println(mapstructure.Decode(map[string]any{"age": "no"}, &p))
}
