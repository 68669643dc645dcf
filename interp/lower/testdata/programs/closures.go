package main

import (
	"fmt"
	"sync"
)

// each runs n goroutines, each with a literal of its own, and counts what they were called for.
func each(n int) (missing, twice int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	seen := make([]int, n)
	count := func(k int) {
		mu.Lock()
		seen[k]++
		mu.Unlock()
	}
	for k := range n {
		switch k % 3 {
		case 0:
			wg.Go(func() { count(k) })
		case 1:
			wg.Add(1)
			go func() {
				defer wg.Done()
				count(k)
			}()
		default:
			wg.Add(1)
			go func(k int) {
				count(k)
				wg.Done()
			}(k)
		}
	}
	wg.Wait()
	for _, c := range seen {
		switch {
		case c == 0:
			missing++
		case c > 1:
			twice++
		}
	}
	return missing, twice
}

// argument: a literal that ends while the arguments of a call are evaluated leaves the other argument alone.
func argument() (out []int) {
	var earlier func() int
	call := func(f func() int, n int) { out = append(out, f()*10+n) }
	for i := range 3 {
		f := func(k int) int {
			if earlier != nil {
				k += earlier()
			}
			return k
		}
		call(func() int { return i }, f(i))
		earlier = func() int { return i }
	}
	return out
}

type op struct {
	name string
	f    func(a, b int) int
}

func literals() {
	ops := []op{
		{"add", func(a, b int) int { return a + b }},
		{"mul", func(a, b int) int { return a * b }},
	}
	table := map[string]func(int) int{"double": func(x int) int { return 2 * x }, "square": func(x int) int { return x * x }}
	list := []func() func() int{}
	for i := range 3 {
		list = append(list, func() func() int { i *= 2; return func() int { i++; return i } })
	}
	for _, o := range ops {
		fmt.Println(o.name, o.f(3, 4))
	}
	fmt.Println(table["double"](5), table["square"](5), list[1]()(), list[2]()(), list[2]()())
}

// fib and the pair recurse as literals, far enough to go through what makes panics cheap.
func recursion() {
	var fib func(int) int
	fib = func(n int) int {
		if n < 2 {
			return n
		}
		return fib(n-1) + fib(n-2)
	}
	var even, odd func(n int) (bool, error)
	even = func(n int) (bool, error) {
		if n == 0 {
			return true, nil
		}
		return odd(n - 1)
	}
	odd = func(n int) (bool, error) {
		if n == 0 {
			return false, nil
		}
		return even(n - 1)
	}
	yes, err := even(1000)
	fmt.Println(fib(15), yes, err, depth(2000), total(1, 2, 3), len(fmt.Sprint(joined(600, "a", "b"))))
}

func depth(n int) (d int) {
	if n == 0 {
		return 0
	}
	defer func() { d++ }()
	return depth(n - 1)
}

func total(xs ...int) int {
	if len(xs) == 0 {
		return 0
	}
	return xs[0] + total(xs[1:]...)
}

func joined(n int, words ...string) (string, int) {
	if n == 0 {
		return fmt.Sprint(words), len(words)
	}
	return joined(n-1, words...)
}

type tree struct {
	left, right *tree
	v           int
}

func (t *tree) insert(v int) *tree {
	if t == nil {
		return &tree{v: v}
	}
	if v < t.v {
		t.left = t.left.insert(v)
	} else {
		t.right = t.right.insert(v)
	}
	return t
}

func (t *tree) walk(visit func(int)) {
	if t == nil {
		return
	}
	t.left.walk(visit)
	visit(t.v)
	t.right.walk(visit)
}

func bottom(n int) int {
	if n == 0 {
		var t *tree
		return t.v
	}
	return bottom(n-1) + 1
}

func main() {
	fmt.Println(each(2000))
	fmt.Println(argument())
	literals()
	recursion()
	var t *tree
	for i := range 400 {
		t = t.insert(i * 7 % 400)
	}
	sum, last := 0, -1
	t.walk(func(v int) {
		if v != last+1 {
			fmt.Println("out of order:", last, v)
		}
		last, sum = v, sum+v
	})
	fmt.Println(sum)
	func() {
		defer func() { fmt.Println(recover()) }()
		bottom(5000)
	}()
}
