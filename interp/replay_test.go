package interp

import (
	"strings"
	"testing"
)

// inBothEngines runs a test with a session of each engine.
func inBothEngines(t *testing.T, test func(t *testing.T, s *Session, r *transcript)) {
	for _, engine := range []string{"yaegi", "native"} {
		t.Run(engine, func(t *testing.T) {
			r := &transcript{}
			if engine == "native" {
				test(t, startNative(t, r), r)
				return
			}
			test(t, newSession(t, Options{Sink: r, Engine: engine, Dir: t.TempDir()}), r)
		})
	}
}

// saveNow saves as a session does that is idle.
func saveNow(t *testing.T, s *Session) {
	t.Helper()
	s.executing.Lock()
	defer s.executing.Unlock()
	s.save(t.Context())
}

// loseWorker ends the worker, as a crash does.
func loseWorker(t *testing.T, s *Session) {
	t.Helper()
	s.executing.Lock()
	defer s.executing.Unlock()
	if err := s.worker.Restart(); err != nil {
		t.Fatal(err)
	}
	s.renew(s.saves.take())
}

// TestReplayKeepsValues: what %replay brings back is what was there, whatever it is, with what it shared.
func TestReplayKeepsValues(t *testing.T) {
	const declared = `type Box struct{ Width, Height float64 }
type grid [2]int8
type named []float64
type inner struct { hidden []float64; Box }
type tree struct { Name string; Below []tree }`
	const data = `b := Box{Width: 1, Height: 20}
odd := []float64{1, math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1)}
odd32 := []float32{float32(math.Inf(-1)), float32(math.Copysign(0, -1)), 0.1}
z, z64 := complex(1, math.Copysign(0, -1)), []complex64{2 - 1i}
d, month := 3 * time.Second, []time.Month{time.May}
full, fullNames := make([]int, 20000), make([]string, 20000)
full[19999] = 7
fullNames[19999] = "the last of many names"
g := map[string]grid{"a": {1, -2}}
xs := []float64{1, 2, 3, 4, 5, 6}
train, test := xs[:2], xs[4:]
parts := [][]float64{train, xs, nil, {}}
m1 := map[string]int{"a": 1}
m2, ms := m1, []map[string]int{m1, nil, m1}
dense := mat.NewDense(2, 3, xs)
same, none := dense, (*mat.Dense)(nil)
vec := mat.NewVecDense(2, xs[1:3])
in := inner{hidden: xs[3:4], Box: b}
n2 := named(xs[2:4])
var halves [][]int
{ all := []int{1, 2, 3, 4, 5}; halves = [][]int{all[0:2:2], all[3:5]} }
room := make([]int, 2, 10)
more := append(room, 3)
tr := tree{"root", []tree{{"leaf", nil}}}
text := "\x00\xff\"` + "`" + `\n☃"
boxes := []Box{{1, 2}, {3, 4}}
few := boxes[:1]`
	// Everything that can be seen without a change, and then what changes of the others when one is changed.
	const look = `func() string {
seen := fmt.Sprint(b, odd, 1/odd[4], odd32, 1/odd32[1], z, 1/imag(z), z64, d, month, len(full), full[19999], fullNames[19999], g, xs, train, cap(train),
	test, parts, parts[2] == nil, parts[3] == nil, m1, m2, ms, dense, same == dense, none == nil, vec, in, n2, halves, room, more, cap(more) >= 3, tr, []byte(text), boxes, few)
xs[0], xs[1], xs[2], xs[3], xs[4] = 100, 200, 300, 400, 500
m1["new"] = 5
dense.Set(1, 2, 600)
room = append(room, 33)
few[0].Width = 9
few = append(few, Box{7, 7})
halves[0] = append(halves[0], 99)
seen += fmt.Sprint(train, test, parts, m2, ms, same, vec, in, n2, more, boxes, halves)
return seen
}()`
	inBothEngines(t, func(t *testing.T, s *Session, r *transcript) {
		runCell(s, r, 1, declared)
		runCell(s, r, 2, data)
		saveNow(t, s)
		want := runCell(s, r, 3, look)
		loseWorker(t, s)
		if said := runCell(s, r, 4, "%replay"); strings.Contains(said, "Not ") || strings.Contains(said, "rror") {
			t.Errorf("%%replay says\n%s", said)
		}
		if got := runCell(s, r, 5, look); got != want || !strings.Contains(want, "NaN") {
			t.Errorf("after %%replay\n%s\nbefore\n%s", got, want)
		}
	})
}

// TestReplayLeavesOut: what cannot come back is named, alone, and what is there stays as it is.
func TestReplayLeavesOut(t *testing.T) {
	const saved, crash = "saved", "crash" // steps between cells
	for name, c := range map[string]struct {
		steps []string
		said  []string // by the last %replay
		look  string
		want  string
	}{
		"fields in another order": {
			steps: []string{"type Box struct{ Width, Height float64 }\nb := Box{1, 20}\nn := 1", "type Box struct{ Height, Width float64 }", saved, crash, "%replay"},
			said:  []string{"Brought back as last saved: n\n", "Not saved, declare them again: b\n"}, look: "n", want: "= 1\n",
		},
		"fields in another order, since it was saved": {
			steps: []string{"type Box struct{ Width, Height float64 }\nb := Box{1, 20}\nn := 1", saved, "type Box struct{ Height, Width float64 }", crash, "%replay"},
			said:  []string{"Brought back as last saved: n\n", "Not saved, declare them again: b\n"}, look: "n", want: "= 1\n",
		},
		"the earlier form again": {
			steps: []string{"type Box struct{ A int }\nb := Box{1}", saved, crash, "type Box struct{ A float64 }", "%replay"},
			said:  []string{"Not saved, declare them again: b\n"}, look: "Box{}.A", want: "= 0\n",
		},
		"a constant in a type": {
			steps: []string{"const M = 2\nconst N = 2*M\ntype A [N]int", "a := A{1, 2, 3, 4}\nn := 1", "const M = 3", saved, crash, "%replay"},
			said:  []string{"Brought back as last saved: n\n", "Not saved, declare them again: a\n"}, look: "len(A{})", want: "= 6\n",
		},
		"one of an old type": {
			steps: []string{"type T struct{ A int }\nt := T{1}\nprecious := []float64{1, 2, 3}\nfunc f() int { return 1 }", "type T struct{ A int; B string }", saved, crash, "%replay"},
			said:  []string{"Declared again: f, T\n", "Brought back as last saved: precious\n", "Not saved, declare them again: t\n"}, look: "precious, f()", want: "= []float64{1, 2, 3}\n1\n",
		},
		"a constant of an old type": {
			steps: []string{"type E int\nconst Red E = iota\nred := 5\nfunc f() E { return Red }\nfunc g() int { return 2 }", "type E string", saved, crash, "%replay"},
			said:  []string{"Brought back as last saved: red\n", "Not declared again, because they use what is not there: Red, f\n"}, look: "red, g()", want: "= 5\n2\n",
		},
		"twice": {
			steps: []string{"x := 1\nfunc f() int { return 1 }\ny := 7", saved, crash, "x := \"other\"\nfunc f() int { return 2 }", "%replay", "y = 8", "%replay"},
			said:  []string{"There is nothing to run again.\n"}, look: "x, f(), y", want: "= \"other\"\n2\n8\n",
		},
		"two crashes": {
			steps: []string{"keep := []int{1, 2, 3}\nshadow := 1\ntype P struct{ X int }\np := P{4}\nfunc f() int { return 7 + keep[0] }", saved, crash, "other := 5\nshadow := 2", saved, crash, "%replay"},
			said:  []string{"Declared again: P, f\n", "Brought back as last saved: keep, other, p, shadow\n"}, look: "keep, other, f(), shadow, p", want: "= []int{1, 2, 3}\n5\n8\n2\nP{X: 4}\n",
		},
		"a crash right after": {
			steps: []string{"keep := 1.5", saved, crash, "%replay", crash, "%replay"},
			said:  []string{"Brought back as last saved: keep\n"}, look: "keep", want: "= 1.5\n",
		},
		"declared again and not saved": {
			steps: []string{"x := 1", saved, crash, "x := 2", crash, "%replay"},
			said:  []string{"Not saved, declare them again: x\n"}, look: "1", want: "= 1\n",
		},
		"a slice of an array": {
			steps: []string{"arr := [3]int{1, 2, 3}\nsl := arr[:2]\nn := 1", saved, crash, "%replay"},
			said:  []string{"Brought back as last saved: n\n", "Not saved, declare them again: arr, sl\n"}, look: "n", want: "= 1\n",
		},
		"a part of a matrix": {
			steps: []string{"m := mat.NewDense(2, 2, []float64{1, 2, 3, 4})\ncol := m.Slice(0, 2, 0, 1).(*mat.Dense)\nn := 1", saved, crash, "%replay"},
			said:  []string{"Brought back as last saved: n\n", "Not saved, declare them again: col, m\n"}, look: "n", want: "= 1\n",
		},
		"what it shared is declared anew": {
			steps: []string{"xs := []int{1, 2, 3}\ntrain := xs[:2]\nn := 1", saved, crash, "xs := []int{4, 5, 6}", "%replay"},
			said:  []string{"Brought back as last saved: n\n", "Not saved, declare them again: train\n"}, look: "xs", want: "= []int{4, 5, 6}\n",
		},
		"a value that holds itself": {
			steps: []string{"type list struct{ next []list }\nl := list{make([]list, 1)}\nl.next[0] = l\nn := 1", saved, crash, "%replay"},
			said:  []string{"Brought back as last saved: n\n", "Not saved, declare them again: l\n"}, look: "n", want: "= 1\n",
		},
		"packages behind names of variables": {
			steps: []string{"inf := math.Inf(1)", "math := inf\nmat := 2\nv := -math", saved, crash, "%replay"},
			said:  []string{"Brought back as last saved: inf, mat, math, v\n"}, look: "math, mat, v", want: "= +Inf\n2\n-Inf\n",
		},
		"after a reset": {
			steps: []string{"x := 1", saved, crash, "y := 2\nfunc f() int { return 3 }", saved, "%reset", "%replay"},
			said:  []string{"Declared again: f\n", "Not saved, declare them again: x, y\n"}, look: "f()", want: "= 3\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, r := startTest(t)
			said := ""
			for i, step := range c.steps {
				switch step {
				case saved:
					saveNow(t, s)
				case crash:
					loseWorker(t, s)
				default:
					said = runCell(s, r, i+1, step)
				}
			}
			for _, want := range c.said {
				if !strings.Contains(said, want) {
					t.Errorf("%%replay says\n%swithout %q", said, want)
				}
			}
			if got := runCell(s, r, 100, c.look); got != c.want {
				t.Errorf("%s is %q, want %q", c.look, got, c.want)
			}
		})
	}
}
