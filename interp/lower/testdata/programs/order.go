package main

import (
	"errors"
	"fmt"
)

// Where Go leaves the order of evaluation open, its compiler calls functions first and reads variables after.

type machine struct {
	state string
	n     int
	next  *machine
}

func (m *machine) Fire(s string) string { m.state = s; m.n++; return "fired " + s }
func (m *machine) Step() *machine       { m.n += 10; return m }
func (m machine) Value() int            { m.n *= 2; return m.n }

type point struct{ x, y int }

type celsius float64

func (c celsius) String() string { return fmt.Sprintf("%.1f°C", float64(c)) }

var (
	total     = 1
	level     = celsius(20)
	list      = []int{1, 2, 3}
	grid      = [3]int{4, 5, 6}
	ages      = map[string]int{"ann": 30}
	spot      = &point{1, 2}
	boxed any = 5
	done      = make(chan int, 1)
)

// change changes everything.
func change() int {
	total += 10
	level++
	list[0], list[1] = list[0]+10, list[1]+10
	grid[1] += 10
	ages["ann"]++
	spot = &point{spot.x + 10, spot.y + 10}
	boxed = total
	return total
}

func flip(b bool) bool { change(); return !b }

func pair() (int, error) { change(); return total, errors.New("none") }

func show(xs ...any) { fmt.Println(xs...) }

func arguments() {
	m := &machine{state: "idle", next: &machine{}}
	fmt.Println(m.Fire("go"), m.state)
	fmt.Println(m.state, m.Fire("stop"))
	fmt.Println(m.state+"!", m.n*2, m.Fire("again"), m.n)
	fmt.Println(m.n, *m.next, m.next.Step().n, m.next.n, m.Value(), m.Step().Value())
	show(total, level, list[0], grid[1], ages["ann"], spot.x, *spot, boxed, change())
	show(total+1, -total, float64(total), level > 25, point{total, 1}, [2]int{total, 1}, []int{total}, change(), total)
	show(len(list), list[:2], boxed.(int), string([]byte{byte('a' + total%26)}), min(total, 1000), change())
	show(func() int { return total }(), total, total == 1 || flip(false), total)
	show(map[string]int{"a": total, "b": change(), "c": total}["a"], total)
	fmt.Println(fmt.Sprint(total, change()), fmt.Sprint(change(), total), total)
}

func results() (int, any, int) { return total, level, change() }

func named() (n int, err error) {
	defer func() { n += total }()
	return total + 1, fmt.Errorf("%d %d", total, change())
}

func assignments() {
	total, grid[0] = change(), total
	fmt.Println(total, grid)
	list[total%2] = change()
	i := 0
	bump := func() int { i++; return i }
	grid[i] = bump()
	grid[i], i = bump(), 0
	fmt.Println(list, grid, i)
	total += change()
	spot.x += change()
	spot.y, total = total, change()
	ages[fmt.Sprint(total)] = change()
	ages["ann"] += change()
	grid[bump()%3] *= bump() + i
	a, b := total, change()
	var c, d = any(level), pair2()
	p := point{total, change()}
	q := &machine{fmt.Sprint(total), change(), nil}
	fmt.Println(total, *spot, len(ages), ages["ann"], grid, a, b, c, d, p, q.state, q.n)
}

func pair2() string { n, err := pair(); return fmt.Sprint(n, err) }

func flow() {
	if total < change() || total+flow1() > change() {
		fmt.Println("if", total)
	}
	switch total - change() {
	case total - change():
		fmt.Println("moved by as much")
	case 0, change() - total:
		fmt.Println("none")
	}
	switch {
	case total+1 < change():
		fmt.Println("less")
	case total+1 > change() && flip(total > 3):
		fmt.Println("more")
	}
	for k := 0; total < change() || total-k > change()-3 && k < 3; k++ {
		fmt.Println("for", k, total)
		if k == 1 {
			continue
		}
	}
	for k := range total&3 + change()&1 {
		fmt.Println("range", k)
	}
	done <- total + change()
	fmt.Println(<-done-total, total)
	go func(n, m int) { done <- n - m }(total, change())
	fmt.Println(total, <-done)
	defer fmt.Println("deferred", total, change(), total)
	func() {
		defer func() { fmt.Println(recover() != nil, total) }()
		var none *point
		fmt.Println(none.x, change())
	}()
}

func steps() int { total++; return total }

var (
	place   = point{1, 2}
	degrees = 1.5
)

func move() int { place.x++; degrees++; return place.x }

// maps: an entry is stored when its calls have been made, before the next.
func entries() {
	total = 0
	fmt.Println(map[int]string{total: fmt.Sprint(steps())})
	fmt.Println(map[int][]int{total: {total, steps()}, steps(): {total}, total: nil})
	points := map[int]*point{total: {total, steps()}, steps(): {steps(), total}}
	for k := range 12 {
		if p := points[k]; p != nil {
			fmt.Println(k, *p)
		}
	}
	fmt.Println(map[any]any{total: steps(), steps(): total, nil: total})
	fmt.Println(map[point]int{{total, 1}: steps(), {steps(), total}: total})
	fmt.Println(map[string]int{fmt.Sprint(total): steps(), "a": total, "b": steps()})
	fmt.Println(map[point]int{place: move(), {9, 9}: place.x}, map[float64]int{degrees: move(), degrees + 1: move()})
	fmt.Println(map[uint8]int{uint8(total): steps(), 200: steps()}, map[celsius][17]int{celsius(total): {0: steps()}})
	for k, v := range map[int]int{total: steps()} {
		fmt.Println(k, v)
	}
}

func flow1() int { total--; return total }

func main() {
	arguments()
	fmt.Println(results())
	fmt.Println(named())
	assignments()
	flow()
	entries()
	fmt.Println(total, level, list, grid, ages["ann"], *spot, boxed)
}
