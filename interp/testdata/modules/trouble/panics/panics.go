// Package panics cannot be initialised.
package panics

import "errors"

var table = build()

func build() []int { panic(errors.New("no table")) }

// N is a number.
func N() int { return len(table) }
