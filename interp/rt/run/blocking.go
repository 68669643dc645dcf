package run

import (
	"reflect"
	"time"

	"gaucho/interp/rt/value"
)

// stopIfDone ends the goroutine when it must end.
func stopIfDone() {
	if why := self().mustEnd(); why != nil {
		end(why, Place{})
	}
}

// doneCase is the case of a select that comes when the goroutine must end.
func doneCase() reflect.SelectCase {
	return reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(Done())}
}

// Recv receives from a channel, and ends when the goroutine must end.
func Recv(c any) (any, bool) {
	ch := reflect.ValueOf(c)
	if ch.Kind() != reflect.Chan {
		value.NilDereference()
	}
	if !ch.IsNil() {
		if v, ok := ch.TryRecv(); v.IsValid() {
			return v.Interface(), ok
		}
	}
	i, v, ok := reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: ch}, doneCase()})
	if i == 1 {
		stopIfDone()
	}
	return v.Interface(), ok
}

// Send sends on a channel, and ends when the goroutine must end.
func Send(c, v any) {
	ch := reflect.ValueOf(c)
	val := sendable(ch, v)
	if !ch.IsNil() && ch.TrySend(val) {
		return
	}
	i, _, _ := reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectSend, Chan: ch, Send: val}, doneCase()})
	if i == 1 {
		stopIfDone()
	}
}

func sendable(ch reflect.Value, v any) reflect.Value {
	elem := ch.Type().Elem()
	if v == nil {
		return reflect.Zero(elem)
	}
	val := reflect.ValueOf(v)
	if val.Type() != elem {
		val = val.Convert(elem)
	}
	return val
}

// A Case is one communication of a select statement.
type Case struct{ c reflect.SelectCase }

// RecvCase is a receive in a select statement.
func RecvCase(c any) Case {
	return Case{reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(c)}}
}

// SendCase is a send in a select statement.
func SendCase(c, v any) Case {
	ch := reflect.ValueOf(c)
	return Case{reflect.SelectCase{Dir: reflect.SelectSend, Chan: ch, Send: sendable(ch, v)}}
}

// Select is a select statement: it returns the number of the case that came, -1 for the default, and what was received.
func Select(hasDefault bool, cases ...Case) (which int, v any, ok bool) {
	list := make([]reflect.SelectCase, 0, len(cases)+1)
	for _, c := range cases {
		list = append(list, c.c)
	}
	if hasDefault {
		list = append(list, reflect.SelectCase{Dir: reflect.SelectDefault})
	} else {
		list = append(list, doneCase())
	}
	i, got, ok := reflect.Select(list)
	if i == len(cases) {
		if hasDefault {
			return -1, nil, false
		}
		stopIfDone()
	}
	if list[i].Dir == reflect.SelectRecv {
		v = got.Interface()
	}
	return i, v, ok
}

// Sleep is time.Sleep, and ends when the goroutine must end.
func Sleep(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-Done():
		stopIfDone()
		<-t.C
	}
}
