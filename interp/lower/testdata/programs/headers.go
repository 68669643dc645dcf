package main

import "fmt"

func main() {
	if s := struct{ a int }{3}; s.a == 3 {
		fmt.Println("if")
	}
	for s := (struct{ a int }{0}); s.a < 2; s.a++ {
		fmt.Println("for")
	}
	switch s := (struct{ a int }{3}); s.a {
	case 3:
		fmt.Println("switch")
	}
	switch struct{ a int }{3} {
	case struct{ a int }{3}:
		fmt.Println("switch2")
	}
	switch s := any(struct{ a int }{3}).(type) {
	case struct{ a int }:
		fmt.Println("ts", s.a)
	}
	for _, v := range []struct{ a int }{{1}, {2}} {
		fmt.Println(v.a)
	}
	if s := struct{ a int }{3}; s.a == 3 {
		fmt.Println("if")
	}
	if (struct{ a int }{3}) == (struct{ a int }{3}) {
		fmt.Println("eq")
	}
	type P struct{ x int }
	if p := (P{3}); p == (P{3}) {
		fmt.Println("P")
	}
	for i, s := 0, struct{ a int }{0}; i < 2; i++ {
		fmt.Println(s.a)
	}
	switch s := struct{ a int }{3}; s.a {
	case 3:
		fmt.Println("sw")
	}
	for s := struct{ a int }{0}; s.a < 2; s.a++ {
		fmt.Println(s)
	}
	for s := range map[struct{ a int }]int{{1}: 1} {
		fmt.Println(s)
	}
	if f := func() struct{ a int } { return struct{ a int }{4} }; f().a == 4 {
		fmt.Println("fn")
	}
	if m := map[string]struct{ a int }{"x": {1}}; m["x"].a == 1 {
		fmt.Println("map")
	}
	if p := &struct{ a int }{3}; p.a == 3 {
		fmt.Println("ptr")
	}
	switch p := any(&struct{ a int }{3}).(type) {
	case *struct{ a int }:
		fmt.Println("tsp", p.a)
	}
	initsOnly()
}

func start() int { fmt.Print("init "); return 0 }

// initsOnly has loops with nothing but what comes first in their heads: it runs once.
func initsOnly() {
	n := 0
	for s := start(); ; {
		s++
		if n++; n > 4 {
			break
		}
		if n == 2 {
			continue
		}
		fmt.Print(s, " ")
	}
	var s int
outer:
	for s = start(); ; {
		for t := start(); ; {
			if t++; t > 1 {
				s++
				if s > 2 {
					break outer
				}
				continue outer
			}
		}
	}
	for fmt.Print("call "); ; {
		if n++; n > 7 {
			break
		}
	}
	c := make(chan int, 3)
	for c <- 1; ; {
		if n++; n > 9 {
			break
		}
	}
	for n++; ; {
		if n++; n > 13 {
			break
		}
	}
	var fs []func() int
	for s := start(); ; {
		fs = append(fs, func() int { return s })
		if s++; s > 2 {
			break
		}
	}
	fmt.Println(n, s, len(c), fs[0](), fs[1](), fs[2]())
}
