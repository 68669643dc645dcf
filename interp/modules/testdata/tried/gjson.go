package main

import (
	"fmt"

	"github.com/tidwall/gjson"
)

func main() {
	s := `{"name":{"first":"Tom"},"n":[1,2,{"x":3.5}]}`
	fmt.Println(gjson.Get(s, "name.first"), gjson.Get(s, "n.#"), gjson.Get(s, "n.2.x").Float(), gjson.Valid(s))
}
