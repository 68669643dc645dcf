package rt

// NewError returns a box whose type has an Error method as compiled code sees it, with those further methods that the
// standard library looks for in errors: Timeout and Temporary. errors.Is asks whether an error can be compared, so the
// box of a value that cannot be is not comparable either.
func NewError(b Box) error {
	if b.T.comparable() {
		return withMore[struct{}](b)
	}
	return withMore[[0]func()](b)
}

// withMore has a field of type M, which makes the box comparable or not.
func withMore[M any](b Box) error {
	e := ErrBox{b}
	_, timeout := e.funcOf("Timeout").(func(any) bool)
	_, temporary := e.funcOf("Temporary").(func(any) bool)
	var m M
	_, comparable := any(m).(struct{})
	switch {
	case timeout && temporary:
		return netError[M]{timeoutError[M]{e, m}}
	case timeout:
		return timeoutError[M]{e, m}
	case temporary:
		return temporaryError[M]{e, m}
	case !comparable:
		return markedError[M]{e, m}
	}
	return e
}

type markedError[M any] struct {
	ErrBox
	mark M
}

type timeoutError[M any] markedError[M]

func (e timeoutError[M]) Timeout() bool { return MethodOf(e.T, "Timeout").(func(any) bool)(e.V) }

type temporaryError[M any] markedError[M]

func (e temporaryError[M]) Temporary() bool { return MethodOf(e.T, "Temporary").(func(any) bool)(e.V) }

type netError[M any] struct{ timeoutError[M] }

func (e netError[M]) Temporary() bool { return MethodOf(e.T, "Temporary").(func(any) bool)(e.V) }
