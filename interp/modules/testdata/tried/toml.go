package main

import (
	"fmt"
	"os"

	"github.com/BurntSushi/toml"
)

type config struct {
	Name string
	In   struct{ List []int }
}

func main() {
	var c config
	_, err := toml.Decode("name = 'x'\n[in]\nlist = [1, 2]\n", &c)
	fmt.Println(c, err)
	toml.NewEncoder(os.Stdout).Encode(c)
}
