package run

import (
	"fmt"
	"sync"
)

// What cells have shown, for Out.
var outs struct {
	sync.Mutex
	values map[int]any
	gone   map[int]string // why a cell's value is not kept
}

// Out is what the cell with a number has shown.
func Out(number int) any {
	outs.Lock()
	v, ok := outs.values[number]
	why := outs.gone[number]
	outs.Unlock()
	if !ok {
		panic(fmt.Errorf("there is no Out[%d]: %s", number, why))
	}
	return v
}

// SetOut keeps what a cell has shown.
func SetOut(number int, v any) {
	outs.Lock()
	defer outs.Unlock()
	if outs.values == nil {
		outs.values, outs.gone = map[int]any{}, map[int]string{}
	}
	outs.values[number] = v
	delete(outs.gone, number)
}

// DropOut forgets what a cell has shown, and why.
func DropOut(number int, why string) {
	outs.Lock()
	defer outs.Unlock()
	if outs.gone == nil {
		outs.gone = map[int]string{}
	}
	delete(outs.values, number)
	outs.gone[number] = why
}
