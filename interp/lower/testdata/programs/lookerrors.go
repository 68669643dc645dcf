package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
)

// What the standard library looks for in a program's errors.

type timeout struct{ code int }

func (timeout) Error() string { return "timed out" }
func (timeout) Timeout() bool { return true }

type netErr struct{ temporary bool }

func (netErr) Error() string      { return "net" }
func (netErr) Timeout() bool      { return true }
func (e *netErr) Temporary() bool { return e.temporary }

type brief struct{}

func (brief) Error() string   { return "brief" }
func (brief) Temporary() bool { return true }

type uncomparable struct{ list []string }

func (uncomparable) Error() string { return "uncomparable" }

type alike struct{ list []string }

func (alike) Error() string          { return "alike" }
func (a alike) Is(target error) bool { _, ok := target.(uncomparable); return ok }
func (a alike) As(target any) bool   { return a.as(target) }
func (a alike) as(target any) bool {
	switch p := target.(type) {
	case *timeout:
		*p = timeout{len(a.list)}
		return true
	case **netErr:
		*p = &netErr{true}
		return true
	}
	return false
}

func main() {
	var errs []error = []error{timeout{1}, &netErr{true}, &netErr{false}, brief{}, uncomparable{nil}, alike{[]string{"a", "b"}}, errors.New("plain")}
	for _, err := range errs {
		wrapped := fmt.Errorf("wrapped: %w", err)
		u := &url.Error{Op: "Get", URL: "x", Err: err}
		p := &fs.PathError{Op: "open", Path: "x", Err: err}
		o := &net.OpError{Op: "dial", Net: "tcp", Err: err}
		fmt.Println(err, os.IsTimeout(err), u.Timeout(), u.Temporary(), p.Timeout(), o.Timeout(), o.Temporary())
		var ne net.Error
		fmt.Println(errors.As(wrapped, &ne), ne)
		var t timeout
		fmt.Println(errors.As(wrapped, &t), t.code)
		var n *netErr
		fmt.Println(errors.As(wrapped, &n), n != nil && n.temporary)
		v, ok := errors.AsType[timeout](wrapped)
		fmt.Println(v, ok)
		fmt.Println(errors.Is(wrapped, uncomparable{}), errors.Is(wrapped, timeout{1}), errors.Is(err, errs[0]), errors.Is(uncomparable{}, uncomparable{}))
		var pe *fs.PathError
		fmt.Println(errors.As(fmt.Errorf("p: %w", p), &pe), pe.Path, errors.Is(p, timeout{1}))
	}
	var ne net.Error = &netErr{true}
	var err error = ne
	fmt.Println(ne.Timeout(), ne.Temporary(), err == ne, errors.Is(fmt.Errorf("%w", err), ne))
}
