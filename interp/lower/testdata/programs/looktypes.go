package main

import (
	"encoding/json"
	"fmt"
	"reflect"
	"sync/atomic"
)

// What library code sees of a program's types.

type Sq struct{ S int }
type W struct{ Any any }
type D struct{ N int }

func (d *D) IsZero() bool { return d.N == 7 }

type O struct {
	D D `json:"d,omitzero"`
}
type Base struct{ ID int }
type T struct {
	*Base
	Name string
}
type A1 struct{}
type A2 struct{}
type M struct{ state string }

func (m *M) Fire(s string) string { m.state = s; return "fired" }

func try(name string, f func()) {
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(name, "panics", r)
		}
	}()
	f()
}

func main() {
	try("json", func() {
		w := W{Any: &Sq{}}
		fmt.Println(json.Unmarshal([]byte(`{"Any":{"S":8}}`), &w))
		fmt.Printf("%T %v\n", w.Any, w.Any)
		m := map[string]any{"a": &Sq{1}}
		json.Unmarshal([]byte(`{"a":{"S":9}}`), &m)
		fmt.Printf("%T\n", m["a"])
		var x any = &Sq{}
		json.Unmarshal([]byte(`{"S":3}`), &x)
		fmt.Printf("%T %v\n", x, x)
	})
	try("omitzero", func() {
		b, err := json.Marshal(&O{D{7}})
		fmt.Println(string(b), err)
		b, err = json.Marshal(O{D{7}})
		fmt.Println(string(b), err)
	})
	try("field", func() {
		f, ok := reflect.TypeOf(T{}).FieldByName("ID")
		fmt.Println(f.Name, f.Index, ok)
	})
	try("atomic", func() {
		var v atomic.Value
		v.Store(A1{})
		v.Store(A2{})
	})
	try("order", func() {
		m := &M{"idle"}
		fmt.Println(m.Fire("go"), m.state)
		n := M{"idle"}
		fmt.Println(n.state, n.Fire("go"), n.state)
	})
	try("assert", func() {
		var x any = Sq{}
		_ = x.(D)
	})
	if s := struct{ a int }{3}; s.a == 3 {
		fmt.Println("ok")
	}
}
