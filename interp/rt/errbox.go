package rt

import (
	"errors"
	"reflect"
)

// An ErrBox is a box whose type has an Error method, as compiled code sees it. It compares as the box does.
type ErrBox struct{ Box }

// Error calls the method of the box.
func (e ErrBox) Error() string { return MethodOf(e.T, "Error").(func(any) string)(e.V) }

// Unwrap calls the method of the box, if it has one that returns an error. For one that returns a list, see Is and As.
func (e ErrBox) Unwrap() error {
	if f, ok := e.funcOf("Unwrap").(func(any) error); ok {
		return f(e.V)
	}
	return nil
}

// Is calls the method of the box, if it has one, and looks into the list that its Unwrap method may return.
func (e ErrBox) Is(target error) bool {
	if f, ok := e.funcOf("Is").(func(any, error) bool); ok && f(e.V, target) {
		return true
	}
	for _, err := range e.list() {
		if errorsIs(err, target) {
			return true
		}
	}
	return false
}

// As calls the method of the box, if it has one, and looks into the list that its Unwrap method may return.
func (e ErrBox) As(target any) bool {
	if f, ok := e.funcOf("As").(func(any, any) bool); ok && f(e.V, target) {
		return true
	}
	for _, err := range e.list() {
		if errorsAs(err, target) {
			return true
		}
	}
	return false
}

func (e ErrBox) funcOf(name string) any {
	if m := e.T.method(name); m != nil {
		return m.Func
	}
	return nil
}

func (e ErrBox) list() []error {
	if f, ok := e.funcOf("Unwrap").(func(any) []error); ok {
		return f(e.V)
	}
	return nil
}

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
		list := []error(nil)
		if boxed {
			if f, ok := (ErrBox{b}).funcOf("As").(func(any, any) bool); ok && f(b.V, target) {
				return nil, false, true
			}
			list = ErrBox{b}.list()
		} else if as, ok := err.(interface{ As(any) bool }); ok && as.As(target) {
			return nil, false, true
		}
		if u, ok := err.(interface{ Unwrap() []error }); ok {
			list = u.Unwrap()
		}
		for _, inner := range list {
			if v, found, done := FindAs(inner, t, target); found || done {
				return v, found, done
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

// asError returns a box whose type has an Error method as compiled code sees it, anything else as it is.
func asError(v any) any {
	if b, ok := v.(Box); ok {
		if m := b.T.method("Error"); m != nil && m.Key == "func()string" {
			return NewError(b)
		}
	}
	return v
}
