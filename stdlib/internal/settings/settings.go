// Package settings holds the one rule of the library's settings: a field that is zero
// has its documented default, so that a literal with a few fields says only what it
// changes. Where zero itself is a choice, a package has a name for it, such as None.
package settings

import "reflect"

// None stands for the number 0 in fields whose zero means another default.
const None = -1

// Fill returns a copy of given with the defaults in fields that are zero; nil is all
// defaults. Fields that are None stay None: filled settings can be filled again.
func Fill[T any](given, defaults *T) *T {
	if given == nil {
		return defaults
	}
	out := *given
	v, d := reflect.ValueOf(&out).Elem(), reflect.ValueOf(defaults).Elem()
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			v.Field(i).Set(d.Field(i))
		}
	}
	return &out
}

// Clear sets the fields that are None to 0, for the code that uses them.
func Clear[T int | float64](fields ...*T) {
	for _, f := range fields {
		if *f == None {
			*f = 0
		}
	}
}
