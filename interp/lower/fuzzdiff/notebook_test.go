package fuzzdiff

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A notebookCell is a cell of a random notebook.
type notebookCell struct {
	source string
	fails  bool // the notebook expects it to fail
}

// A subject is something that a session's cells declare, use and declare again: the first cells, and those that may come after them in
// any order, again and again. $v is a name of the notebook's own, $n a number of the cell's own, $a and $b are any numbers. A cell
// that fails begins with an exclamation mark.
type subject struct{ first, then []string }

var subjects = []subject{
	{ // functions
		first: []string{
			"func $vf(n int) int { return n + $a }\nfunc $vcall(n int) int { return $vf(n) }\nvar $vheld []func(int) int",
		},
		then: []string{
			"func $vf(n int) int { return $a*n - $b }",
			"func $vf(n int) int { if n <= 0 { return $a }; return $vf(n-1) + $b }",
			"func $vf(n int) (sum int) { defer func() { sum += $a }(); return n }",
			"// $vf is declared again, and called\nfunc $vf(n int) int { return n % 3 }\n$vf($a)",
			"$vg$n := $vf\n$vg$n($a)",
			"func $vc$n(n int) int { return $vf(n) + $vcall($a) }\n$vc$n($b)",
			"$vheld = append($vheld, $vf, $vcall)",
			"$vheld = append($vheld, func(n int) int { return $vf(n) * $a })",
			"for _, f := range $vheld { fmt.Print(f($a), \" \") }\nfmt.Println(len($vheld))",
			"$vs$n := struct{ F func(int) int }{$vf}\n$vs$n.F($a)",
			"$vch$n := make(chan int)\ngo func() { $vch$n <- $vf($a) }()\n<-$vch$n",
			"defer fmt.Println(\"deferred\", $vf($a))\n$vf($b)",
			"$vm$n := map[string]func(int) int{\"f\": $vf}\n$vm$n[\"f\"]($a), $vcall($b)",
			"$vcall($a), $vf($b)",
		},
	},
	{ // functions of another signature
		first: []string{"func $vf(n int) int { return n + $a }\nfunc $vcall(n int) int { return $vf(n) }"},
		then: []string{
			"func $vf(s string) string { return s + \"$a\" }\n$vf(\"s\")",
			"func $vf(n int) int { return $a - n }\n$vf($b)",
			"func $vf(ns ...int) (int, error) { return len(ns), nil }\n$vf($a, $b)",
			"$vcall($a)",
			"func $vcall(n int) int { return n * $a }",
		},
	},
	{ // methods
		first: []string{
			"type $vT struct{ N int }\nfunc (t $vT) M(n int) int { return t.N + n }\nfunc (t *$vT) Add(n int) { t.N += n }\n$vt := $vT{$a}",
			"type $vI interface{ M(int) int }\nvar $vi $vI = $vt\n$vheld := []func(int) int{$vt.M}",
		},
		then: []string{
			"func (t $vT) M(n int) int { return $a*t.N - n }",
			"func (t $vT) M(n int) int { t.Add(n); return t.N }\n$vt.M($a)",
			"func (t *$vT) Add(n int) { t.N -= $b }",
			"$vt.Add($a)\n$vt",
			"$vt.M($a), $vi.M($b)",
			"$vi = $vt",
			"$vi = &$vt",
			"$vheld = append($vheld, $vt.M, $vi.M)",
			"for _, f := range $vheld { fmt.Print(f($a), \" \") }\nfmt.Println(len($vheld))",
			"$vm$n := $vT.M\n$vm$n($vt, $a)",
			"(*$vT).Add(&$vt, $a)",
			"type $vO$n struct {\n\t$vT\n\tS string\n}\n$vo$n := $vO$n{$vt, \"s\"}\nfmt.Printf(\"%v %+v %d\\n\", $vo$n, $vo$n, $vo$n.M($a))",
			"fmt.Printf(\"%T %v\\n\", $vi, $vt)",
			"func $vuse$n(x $vI) int { return x.M($a) }\n$vuse$n($vt)",
		},
	},
	{ // methods of another signature
		first: []string{
			"type $vT struct{ N int }\nfunc (t $vT) M() int { return t.N + $a }",
			"func $vcall(t $vT) int { return t.M() + func() int { return t.M() }() }",
		},
		then: []string{
			"func (t $vT) M() string { return fmt.Sprint(\"s\", t.N) }\n$vT{$a}.M()",
			"func (t *$vT) M(n int) int { t.N += n; return t.N }\n(&$vT{$a}).M($b)",
			"$vcall($vT{$a})",
			"$vt$n := $vT{$a}\n$vt$n",
		},
	},
	{ // types declared again
		first: []string{"type $vP struct{ A int }\nfunc (p $vP) Sum() int { return p.A + $a }\n$vp := $vP{$b}"},
		then: []string{
			"type $vP struct{ A, B int }\n$vq$n := $vP{$a, $b}\n$vq$n",
			"type $vP struct{ A int; S []string }\n$vq$n := $vP{$a, []string{\"$b\"}}\nstring(must(json.Marshal($vq$n)))",
			"type $vP struct{ A int }",
			"$vp, $vp.Sum()",
			"fmt.Printf(\"%v %T\\n\", $vp, $vp)",
			"string(must(json.Marshal($vp)))",
			"func (p $vP) Sum() int { return p.A * $a }",
			"type $vQ$n struct {\n\t$vP\n\tOwn string\n}\nstring(must(json.Marshal($vQ$n{Own: \"$a\"})))",
		},
	},
	{ // generic functions and types
		first: []string{
			"func $vG[T any](x T) string { return fmt.Sprint(\"g\", $a, x) }\nfunc $vuse() string { return $vG($b) + $vG(\"s\") }",
			"type $vS[T any] struct{ xs []T }\nfunc (s *$vS[T]) Push(x T) *$vS[T] { s.xs = append(s.xs, x); return s }\nfunc (s $vS[T]) Len() int { return len(s.xs) }\nvar $vs $vS[int]",
		},
		then: []string{
			"func $vG[T any](x T) string { return fmt.Sprint(x, \"h\", $a) }",
			"func $vG[T any](x T) string { return fmt.Sprintf(\"%T %v\", x, x) }\n$vG([]int{$a})",
			"$vuse(), $vG(1.5)",
			"$vg$n := $vG[int]\n$vg$n($a)",
			"$vs.Push($a)\n$vs",
			"$vs.Push($a).Push($b).Len()",
			"func $vm$n[K comparable, V any](m map[K]V) int { return len(m) + $a }\n$vm$n(map[string]int{\"a\": 1})",
			"type $vPair$n[A, B any] struct { First A; Second B }\nfmt.Printf(\"%v\\n\", $vPair$n[int, $vS[int]]{$a, $vs})",
		},
	},
	{ // variables
		first: []string{"$vx := $a\nfunc $vget() int { return $vx }\n$vset := func(n int) { $vx = n }\nconst $vk = $b"},
		then: []string{
			"$vx := $b", "$vx := $vx + $a", "$vset($a)", "$vx += $a", "$vx, $vget()", "const $vk = $a\n$vk + $vx",
			"$vy$n, $vz$n := $vx, fmt.Sprint($vx)\n$vy$n, $vz$n",
			"$vp$n := &$vx\n*$vp$n++\n$vget()",
			"var (\n\t$vu$n, $vw$n = $vx, $a // two\n\t$vr$n [2]int\n)\n$vr$n[1] = $vu$n + $vw$n\n$vr$n",
			"const $vk = \"$a\"\n$vk + \"!\"",
			"fmt.Println($vk)",
			"if $vx := $vx + 1; $vx > $a { fmt.Println(\"more\", $vx) } else { fmt.Println(\"less\", $vx) }",
		},
	},
	{ // variables of other types
		first: []string{"$vx := $a\n$vy := \"y$b\"\nfunc $vget() int { return $vx }"},
		then: []string{
			"$vx := fmt.Sprint(\"s\", $a)\n$vx", "$vx := []int{$a, $b}\n$vx", "$vx := $a\n$vx + 1", "$vx := fmt.Sprint($vx, \"!\")",
			"$vget()", "fmt.Println($vx, $vy, $vget())", "$vx, $vy := $vy, $vx\n$vx, $vy", "var $vx map[string]int\nlen($vx)",
			"$vx, $vo$n := $a, $b\n$vx + $vo$n",
		},
	},
	{ // memory that is shared
		first: []string{"$vxs := []int{3, $a, $b}\n$vm := map[string][]int{\"a\": $vxs}"},
		then: []string{
			"$vxs[1] = $a", "$vm[\"a\"][0]++", "sort.Ints($vxs)", "$vxs = append($vxs[:1], $a, $b)", "$vm", "$vxs, len($vm)",
			"for k := range 3 { $vm[fmt.Sprint(k % 2)] = append($vm[fmt.Sprint(k % 2)], k+$a) }",
			"$vpart$n := $vxs[:2]\n$vpart$n[0] = $b\n$vxs", "slices.Max($vxs)",
			"for i, x := range $vxs {\n\tif i == 1 {\n\t\tcontinue\n\t}\n\tdefer fmt.Println(\"deferred\", i, x)\n}\n$vxs",
		},
	},
	{ // cells that fail
		first: []string{"$vx := $a\nfunc $vfail(n int) int { if n > 4 { panic(fmt.Sprint(\"more than 4: \", n)) }; return n }"},
		then: []string{
			"!$vx = $b\npanic(\"lost\")", "!$vx += must(strconv.Atoi(\"x\"))", "![]int{}[$vx-$vx+$a]", "$vx", "!strconv.Atoi(\"q\")",
			"!func() { defer func() { $vx++ }(); panic(fmt.Sprint($vx)) }()", "!defer fmt.Println(\"deferred\", $vx)\n$vx++\npanic($vx)",
			"!fmt.Println(\"before\")\n$vx = $vfail($a + 5)\nfmt.Println(\"never\")", "!undefined$n($a)",
			"func() { defer func() { fmt.Println(\"recovered\", recover()) }(); $vx = $vfail($a) }()", "$vfail($a % 5), $vx",
			"!$vnew$n := $a\nfmt.Println($vnew$n)\nvar $vmap$n map[int]int\n$vmap$n[1] = 1", "strconv.Atoi(\"$a\")",
		},
	},
	{ // deferred calls and values
		then: []string{
			"defer fmt.Println(\"last\", $a)\ndefer func() { fmt.Println(\"first\") }()\nfmt.Println(\"body\")\n[]int{$a, $b}",
			"$vs$n := []int{1}\ndefer func() { $vs$n[0] = $a }()\n$vs$n", "$a / 4.0, \"text\", []string{\"a\", \"$b\"}", "time.Duration($a) * time.Second",
			"map[int]bool{$a: true, 20: false}", "struct{ A int; B []string }{$a, nil}", "[2][2]int{{$a}}", "[]byte(\"ab$a\")", "errors.New(\"e$a\")",
			"(*int)(nil)", "complex($a, $b)", "'x'", "fmt.Sprint($a) + \"\\n\"", "big.NewInt($a)", "float32($a) / 3", "$a;", "int8(-$a), uint64($b)",
			"import $vstr$n \"strings\"\n$vstr$n.ToUpper(\"a$a\")", "x$v$n := func() (int, string) { return $a, \"b\" }\nx$v$n()",
			"mat.NewDense(2, 2, []float64{1, $a, 3, $b})", "display.Show($a)\n$b", "display.Show(\"a$a\", []int{$b})",
			"%%capture $vout$n\nfmt.Println(\"kept $a\")", "%%capture\nfmt.Println(\"hidden $a\")\n$b", "select { case <-ctx.Done(): fmt.Println(\"done\"); default: fmt.Println(\"running\") }",
			"i$v$n := 0\nagain$v$n:\nif i$v$n++; i$v$n < $a { goto again$v$n }\ni$v$n", "switch y := any($a).(type) { case int: fmt.Println(\"int\", y); default: fmt.Println(y) }",
			"plotting.Hist([]float64{1, 2, $a, $b})",
		},
	},
}

// notebook makes the notebook of a seed: some subjects, whose cells come in any order that keeps those of each subject in theirs.
func notebook(seed uint64) (cells []notebookCell) {
	rng := rand.New(rand.NewPCG(seed, 3))
	var queues [][]string
	for i := range 3 {
		k := subjects[rng.IntN(len(subjects))]
		list := append([]string(nil), k.first...)
		for range 3 + rng.IntN(4) {
			list = append(list, k.then[rng.IntN(len(k.then))])
		}
		for j, text := range list {
			list[j] = strings.ReplaceAll(text, "$v", string("uvw"[i]))
		}
		queues = append(queues, list)
	}
	for left := len(queues); left > 0; {
		i := rng.IntN(len(queues))
		if len(queues[i]) == 0 {
			continue
		}
		text := queues[i][0]
		if queues[i] = queues[i][1:]; len(queues[i]) == 0 {
			left--
		}
		text = strings.ReplaceAll(text, "$n", fmt.Sprint(len(cells)))
		for _, number := range []string{"$a", "$b"} {
			text = strings.ReplaceAll(text, number, fmt.Sprint(rng.IntN(10)))
		}
		source, fails := strings.CutPrefix(text, "!")
		cells = append(cells, notebookCell{source, fails})
	}
	return cells
}
