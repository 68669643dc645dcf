package value

import (
	"errors"
	"reflect"
)

// An ErrBox is a box whose type has an Error method, as compiled code sees it. It compares as the box does. What else of an
// error compiled code looks for (Unwrap, Is, Timeout), NewError adds where the type has it.
type ErrBox struct{ Box }

// Error calls the method of the box.
func (e ErrBox) Error() string { return MethodOf(e.T, "Error").(func(any) string)(e.V) }

// As is errors.As for a target of which only the running program knows the type.
func As(err error, target any) bool {
	b, ok := target.(Boxed)
	if !ok {
		return errors.As(err, target)
	}
	box := b.Unboxed()
	if box.T.Kind != reflect.Pointer || reflect.ValueOf(box.V).IsNil() {
		panic(Thrown{errors.New("errors: target must be a non-nil pointer")})
	}
	found, ok, done := FindAs(err, box.T.Elem, target)
	if !ok {
		return done
	}
	if inner, boxed := found.(Box); boxed && len(box.T.Elem.Iface) == 0 {
		found = inner.V
	}
	reflect.ValueOf(box.V).Elem().Set(reflect.ValueOf(found))
	return true
}

// FindAs looks along an error's chain for one whose type is t, or that implements the interface t, and returns it as
// cell code sees it. It does for types of cells what errors.As does for others. An As method of an error in the chain
// gets the target, a pointer to a t, and may set it; done reports that one has.
func FindAs(err error, t *Type, target any) (v any, found, done bool) {
	for err != nil {
		v := Unwrap(err)
		b, boxed := v.(Box)
		if boxed && b.T == t || len(t.Iface) > 0 && Implements(v, t) {
			return v, true, false
		}
		if as, ok := err.(interface{ As(any) bool }); ok && as.As(target) {
			return nil, false, true
		}
		if u, ok := err.(interface{ Unwrap() []error }); ok {
			for _, inner := range u.Unwrap() {
				if v, found, done := FindAs(inner, t, target); found || done {
					return v, found, done
				}
			}
		}
		u, ok := err.(interface{ Unwrap() error })
		if !ok {
			break
		}
		err = u.Unwrap()
	}
	return nil, false, false
}

// NewError returns a box whose type has an Error method as compiled code sees it. errors.Is asks whether an error can be
// compared, so the box of a value that cannot be is not comparable either.
func NewError(b Box) error {
	if b.T.comparable() {
		return Compose(b, ErrBox{b}).(error)
	}
	return Compose(b, incomparableError{ErrBox: ErrBox{b}}).(error)
}

// An incomparableError is an ErrBox that cannot be compared.
type incomparableError struct {
	_ [0]func()
	ErrBox
}

// asError returns a box whose type has an Error method as compiled code sees it, anything else as it is.
func asError(v any) any {
	if b, ok := v.(Box); ok {
		if m := b.T.method("Error"); m != nil && m.Key == "func()string" {
			return NewError(b)
		}
	}
	return v
}
