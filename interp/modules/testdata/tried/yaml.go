package main

import (
	"fmt"

	"gopkg.in/yaml.v3"
)

type config struct {
	Name string
	List []int `yaml:"list"`
	In   struct{ Deep bool }
}

func main() {
	var c config
	err := yaml.Unmarshal([]byte("name: x\nlist: [1, 2]\nin: {deep: true}\n"), &c)
	fmt.Println(c, err)
	out, err := yaml.Marshal(map[string]any{"b": []int{1}, "a": c})
	fmt.Println(string(out), err)
}
