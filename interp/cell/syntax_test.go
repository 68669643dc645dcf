package cell

import "testing"

func TestForeignHint(t *testing.T) {
	for line, want := range map[string]string{
		"while x > 2 {":                          "Go's while is for: for x > 2 {",
		"while (x > 2):":                         "Go's while is for: for x > 2 {",
		"while x > 2 { x-- }":                    "Go's while is for: for x > 2 {",
		"for i in range(3):":                     "Go writes: for i := range 3 {",
		"for i in range(3) { fmt.Println(i) }":   "Go writes: for i := range 3 {",
		"for i in range(2, n): print(i)":         "Go writes: for i := 2; i < n; i++ {",
		"for x in xs { fmt.Println(x) }":         "Go writes: for _, x := range xs {",
		"for (x in model.rows)":                  "Go writes: for _, x := range model.rows {",
		"for x in sorted(xs):":                   "Go writes: for _, x := range xs {",
		"const n = 3":                            "Go writes: n :=",
		"for i := range 3 { fmt.Println(\"in\")": "",
	} {
		if got := foreignHint(line); got != want {
			t.Errorf("%s gives the hint %q, want %q", line, got, want)
		}
	}
}
