package main

import (
	"fmt"

	"github.com/stretchr/testify/assert"
)

type point struct{ x, Y int }
type failures struct{ n int }

func (f *failures) Errorf(format string, args ...any) { f.n++ }

func main() {
	t := new(failures)
	assert.Equal(t, map[string]int{"a": 1}, map[string]int{"a": 2})
	assert.Equal(t, point{1, 2}, point{1, 3})
	fmt.Println(assert.ElementsMatch(t, []int{1, 2}, []int{2, 1}), assert.ObjectsAreEqual(point{1, 2}, point{1, 2}), t.n)
}
