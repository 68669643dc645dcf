package interp

// This file is Gaucho's: what happens when a function of interpreted code ends by a panic, or has deferred calls. A
// writer of Options.Stderr that has a method Full is not told of more places when that returns true.

import (
	"fmt"
	"reflect"
	"unsafe"
)

// unwind, deferred by a function that starts at n, runs its deferred calls and tells of a panic that passes through it.
// exec is what ran when the panic came, nil if the function ran to its end.
func unwind(n *node, f *frame, exec *bltn) {
	if *exec == nil && len(f.deferred) == 0 {
		return
	}
	if w, ok := n.interp.stderr.(interface{ Full() bool }); ok && len(f.deferred) == 0 && w.Full() {
		return
	}
	var at *node
	if *exec != nil {
		at = nodeOf(n, *exec)
	}
	if len(f.deferred) > 0 {
		f.mutex.Lock()
		f.recovered = recover()
		for _, val := range f.deferred {
			val[0].Call(val[1:])
		}
		r := f.recovered
		f.mutex.Unlock()
		if r != nil {
			tell(n, at)
			panic(r)
		}
		return
	}
	if at != nil && at.fails() {
		// The panic comes from package reflect, whose words are not Go's.
		if r := recover(); r != nil {
			tell(n, at)
			panic(at.reason(f, r))
		}
	}
	tell(n, at)
}

// tell writes where a panic passes, as "file:line:column: panic: package.function(...)".
func tell(n, at *node) {
	if at == nil {
		at = n
	}
	fmt.Fprintln(n.interp.stderr, at.cfgErrorf("panic: %s(...)", panicFunc(at.scope)))
}

// nodeOf returns the node whose exec this is, in the function that starts at n, which may be a literal in that function.
func nodeOf(n *node, exec bltn) (found *node) {
	root := n.anc
	for root.anc != nil && root.kind != funcDecl && root.kind != funcLit {
		root = root.anc
	}
	want := funcPointer(exec)
	root.Walk(func(w *node) bool {
		if w.exec != nil && funcPointer(w.exec) == want && (found == nil || found.action == aNop) {
			found = w // a node without an action of its own takes over that of the next
		}
		return true
	}, nil)
	return found
}

// funcPointer tells closures apart, also those of the same function.
func funcPointer(f bltn) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&f)) }

// runtimeError is an error of interpreted code with the words of the Go runtime.
type runtimeError string

func (e runtimeError) Error() string { return "runtime error: " + string(e) }
func (e runtimeError) RuntimeError() {}

// fails reports whether the node's operation is one for which reason has words.
func (n *node) fails() bool {
	switch n.kind {
	case indexExpr:
		return n.action == aGetIndex && len(n.child) == 2 && !isMap(n.child[0].typ)
	case sliceExpr:
		return n.action == aSlice || n.action == aSlice0
	}
	return false
}

// reason returns the Go runtime's error for an index or slice expression that failed with r, or r.
func (n *node) reason(f *frame, r any) (better any) {
	defer func() {
		if recover() != nil {
			better = r // the operands cannot be had
		}
	}()
	if _, ok := r.(runtimeError); ok {
		return r
	}
	a := genValueArray(n.child[0])(f)
	if !a.IsValid() {
		return runtimeError("invalid memory address or nil pointer dereference")
	}
	operand := func(i int) int { return int(vInt(genValue(n.child[i])(f))) }
	if n.kind == indexExpr {
		if i := operand(1); i < 0 {
			return runtimeError(fmt.Sprintf("index out of range [%d]", i))
		} else if i >= a.Len() {
			return runtimeError(fmt.Sprintf("index out of range [%d] with length %d", i, a.Len()))
		}
		return r
	}
	return n.sliceReason(a, operand, r)
}

// sliceReason is reason for a slice expression.
func (n *node) sliceReason(a reflect.Value, operand func(int) int, r any) any {
	low, at := 0, 1
	if n.action == aSlice {
		low, at = operand(1), 2
	}
	limit, what := 0, "length"
	if a.Kind() != reflect.String {
		limit, what = a.Cap(), "capacity"
		if a.Kind() == reflect.Array {
			what = "length"
		}
	} else {
		limit = a.Len()
	}
	high, max := a.Len(), -1
	if len(n.child) > at {
		high = operand(at)
	}
	if len(n.child) > at+1 {
		max = operand(at + 1)
	}
	outside := func(pattern string, i, n int) any {
		if i < 0 {
			return runtimeError(fmt.Sprintf("slice bounds out of range ["+pattern+"]", i))
		}
		return runtimeError(fmt.Sprintf("slice bounds out of range ["+pattern+"] with %s %d", i, what, n))
	}
	if max >= 0 || len(n.child) > at+1 {
		switch {
		case max < 0 || max > limit:
			return outside("::%d", max, limit)
		case high < 0:
			return runtimeError(fmt.Sprintf("slice bounds out of range [:%d:]", high))
		case high > max:
			return runtimeError(fmt.Sprintf("slice bounds out of range [:%d:%d]", high, max))
		case low < 0:
			return runtimeError(fmt.Sprintf("slice bounds out of range [%d::]", low))
		case low > high:
			return runtimeError(fmt.Sprintf("slice bounds out of range [%d:%d:]", low, high))
		}
		return r
	}
	switch {
	case high < 0 || high > limit:
		return outside(":%d", high, limit)
	case low < 0:
		return runtimeError(fmt.Sprintf("slice bounds out of range [%d:]", low))
	case low > high:
		return runtimeError(fmt.Sprintf("slice bounds out of range [%d:%d]", low, high))
	}
	return r
}
