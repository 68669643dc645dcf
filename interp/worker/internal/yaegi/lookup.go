package interp

// This file is Gaucho's.

import "reflect"

// Func returns a function that was declared in package main. Evaluating its name, which gives the same, takes a hundred
// times as long.
func (interp *Interpreter) Func(name string) (f reflect.Value, ok bool) {
	interp.mutex.RLock()
	sc := interp.scopes[mainID]
	interp.mutex.RUnlock()
	if sc == nil || sc.sym[name] == nil || sc.sym[name].kind != funcSym || sc.sym[name].node == nil {
		return f, false
	}
	return genFunctionWrapper(sc.sym[name].node)(interp.frame), true
}
