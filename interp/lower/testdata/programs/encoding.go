package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"text/template"
)

type P struct {
	Name string
	Age  int
	Kids []P
	X    any
	m    map[string]int
}

type Shape interface {
	Area() float64
	Perimeter() float64
}
type Sq struct{ S float64 }

func (s Sq) Area() float64      { return s.S * s.S }
func (s Sq) Perimeter() float64 { return 4 * s.S }

type Temp float64

func (t Temp) MarshalText() ([]byte, error) { return []byte(fmt.Sprintf("%.1fC", float64(t))), nil }
func (t *Temp) UnmarshalText(b []byte) error {
	_, err := fmt.Sscanf(string(b), "%fC", (*float64)(t))
	return err
}

type Emb struct {
	P
	T Temp `json:"t"`
}

func describe(s Shape) string { return fmt.Sprintf("%T %.1f %.1f", s, s.Area(), s.Perimeter()) }

type Color int

const (
	Red Color = iota + 1
	Green
	Blue = Color(10)
)

func (c Color) String() string {
	switch c {
	case Red:
		return "red"
	case Green:
		return "green"
	}
	return fmt.Sprintf("Color(%d)", int(c))
}

func main() {
	t := template.Must(template.New("").Parse("{{.Name}} {{.Age}} {{range .Kids}}[{{.Name}}]{{end}} {{.X}}\n"))
	if err := t.Execute(os.Stdout, P{Name: "a", Age: 3, Kids: []P{{Name: "k"}}, X: 5}); err != nil {
		fmt.Println(err)
	}
	template.Must(template.New("").Parse("{{range .}}{{.Name}},{{end}}\n")).Execute(os.Stdout, []*P{{Name: "q"}, {Name: "r"}})
	template.Must(template.New("").Parse("{{.a.Name}} {{.b}}\n")).Execute(os.Stdout, map[string]any{"a": P{Name: "z"}, "b": 1})
	e := Emb{P{Name: "n", Age: 1}, 36.6}
	b, err := json.Marshal(e)
	fmt.Println(string(b), err)
	var e2 Emb
	fmt.Println(json.Unmarshal(b, &e2), e2.Name, e2.T)
	dec := json.NewDecoder(strings.NewReader(`{"Name":"d","Age":2} {"Name":"e"}`))
	for {
		var p P
		if err := dec.Decode(&p); err != nil {
			fmt.Println(err)
			break
		}
		fmt.Println(p.Name, p.Age)
	}
	json.NewEncoder(os.Stdout).Encode(map[string]P{"k": {Name: "x"}})
	fmt.Println(describe(Sq{2}), Red, Blue, []Color{Red, Green, 7}, map[Color]string{Red: "r"})
	fmt.Printf("%v %d %s %+v %#v %T %x\n", Green, Green, Green, Green, Green, Green, Green)
	fmt.Printf("%v %+v\n", e, &e)
	var sh Shape
	fmt.Println(sh == nil, sh)
	fmt.Printf("%T %v\n", sh, sh)
	sh = &Sq{3}
	fmt.Println(sh.Area(), sh.(*Sq).S)
	_, ok := sh.(interface{ Volume() float64 })
	fmt.Println(ok)
	func() {
		defer func() { fmt.Println(recover()) }()
		_ = sh.(Sq)
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		_ = any(sh).(fmt.Stringer)
	}()
	func() {
		defer func() { fmt.Println(recover()) }()
		var m map[P2]int
		m[P2{1}]++
	}()
	func() {
		defer func() { r := recover(); fmt.Printf("%T %v\n", r, r) }()
		panic(Sq{1})
	}()
	func() {
		defer func() { r := recover(); fmt.Printf("%T %v\n", r, r) }()
		panic(fmt.Errorf("x %w", os.ErrNotExist))
	}()
	var x any = 3
	switch v := x.(type) {
	case int, string:
		fmt.Printf("%T\n", v)
	case nil:
		fmt.Println("nil")
	}
	var arr [4]int
	for i := range arr {
		arr[i] = i * i
	}
	s := arr[1:3]
	s[0] = 100
	fmt.Println(arr, s, cap(s))
	ptrs := map[string]*P{"a": {Name: "p"}}
	ptrs["a"].Age++
	ptrs["a"].m = map[string]int{"x": 1}
	ptrs["a"].m["x"] += 5
	fmt.Println(ptrs["a"].Age, ptrs["a"].m)
	type key struct{ a, b int }
	grid := map[key]rune{{0, 1}: 'a'}
	grid[key{1, 1}] = 'b'
	fmt.Println(len(grid), string(grid[key{0, 1}]))
	var sb strings.Builder
	fmt.Fprintf(&sb, "%d", 5)
	sb.WriteString("x")
	fmt.Println(sb.String(), sb.Len())
	f := func(xs ...int) (n int) {
		for _, x := range xs {
			n += x
		}
		return
	}
	fmt.Println(f(), f(1, 2), f([]int{4, 5}...))
	a, bb := 1, 2
	a, bb = bb, a+bb
	fmt.Println(a, bb)
}

type P2 struct{ a int }
