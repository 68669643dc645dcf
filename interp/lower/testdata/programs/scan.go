package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"text/template"
)

type V struct{ A, B int }

func (v *V) Scan(st fmt.ScanState, verb rune) error {
	_, err := fmt.Fscanf(st, "%d:%d", &v.A, &v.B)
	return err
}

type My int
type Text []byte
type Plain struct{ X int }
type Emb struct {
	*V
	n string
}

type In struct{ X, y int }
type Q struct {
	A any
	In
	B []any
	u string
}

type head struct {
	A uint16
	B [2]uint8
}

func main() {
	var v V
	var m My
	var tx Text
	var p Plain
	fmt.Println(fmt.Sscan("3:4", &v))
	fmt.Println(fmt.Sscanf("x 5:6 y", "x %v y", &v))
	args := []any{&m, &v}
	fmt.Println(fmt.Fscan(strings.NewReader("42 9:8"), args...))
	fmt.Println(v, m)
	fmt.Println(fmt.Sscan("text", &tx))
	fmt.Println(string(tx))
	fmt.Println(fmt.Sscan("1", &p))
	fmt.Println(fmt.Sscan("1", p))
	fmt.Println(fmt.Sscan("1", v))
	fmt.Println(fmt.Sscan("a:b", &v))
	fmt.Println(fmt.Sscanln("7 1:2\n3", &m, &v))
	e := Emb{&V{}, "n"}
	fmt.Println(fmt.Sscanf("6:7|8", "%v|%d", e, &m))
	fmt.Println(*e.V, m)
	var sc fmt.Scanner = &v
	fmt.Println(fmt.Sscan("70:80", sc))
	f := fmt.Sscan
	fmt.Println(f("1:1", &v))
	r := strings.NewReader("1:2 3:4 5:6")
	for {
		if _, err := fmt.Fscan(r, &v); err != nil {
			fmt.Println(err == io.ErrUnexpectedEOF, err)
			break
		}
		fmt.Print(v, " ")
	}
	fmt.Println()

	var buf bytes.Buffer
	var h any = head{1, [2]uint8{3, 4}}
	fmt.Println(binary.Write(&buf, binary.LittleEndian, h), buf.Bytes())
	var h2 head
	var ph any = &h2
	fmt.Println(binary.Read(&buf, binary.LittleEndian, ph), h2)

	show := func(text string, data any) {
		t := template.New("t").Funcs(template.FuncMap{"x": func(i In) int { return i.X }, "in": func(n int) In { return In{n, n} }})
		if err := template.Must(t.Parse(text)).Execute(os.Stdout, data); err != nil {
			fmt.Print("failed")
		}
		fmt.Println()
	}
	q := Q{A: 5, In: In{1, 2}, B: []any{1, "x", In{3, 4}}, u: "uu"}
	show("{{.}} {{.X}} {{.In.X}} {{.A}} {{if .A}}yes{{end}} {{eq .A 5}} {{range .B}}[{{.}}]{{end}} {{len .B}}", q)
	show("{{.Nope}}", q)
	show("{{with .A}}{{.X}}{{end}} {{printf \"%v %d\" .In .X}}", &Q{A: &In{7, 8}, In: In{1, 2}})
	show("{{x .}} {{(in 3).X}} {{x (in 4)}}", In{9, 9})

	var wg sync.WaitGroup
	g := wg.Go
	g(func() { fmt.Println("in a goroutine") })
	wg.Wait()
	(*sync.WaitGroup).Go(&wg, func() { fmt.Println("in another") })
	wg.Wait()
	after := context.AfterFunc
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan bool)
	stop := after(ctx, func() { close(done) })
	cancel()
	<-done
	fmt.Println(stop())
}
