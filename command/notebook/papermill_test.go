package notebook

import (
	values "go/constant"
	"go/token"
	"go/types"
	"testing"
)

// TestPapermill compares what -p makes of values for a name of which nothing is declared with what papermill 2.7.0 does:
//
//	python -c 'from papermill.cli import _resolve_type as f; print([f(v) for v in …])'
func TestPapermill(t *testing.T) {
	for value, want := range map[string]any{
		"010": 10, "08": 8, "-010": -10, "+5": 5, "1_000": 1000, "0_1": 1, "0": 0, "00": 0, "-0": 0, "007": 7, " 5": 5, "5 ": 5,
		"1e3": 1000., "1E3": 1000., ".5": .5, "1.": 1., "1_0.5": 10.5, "010.5": 10.5, "1.5e-3": 1.5e-3, " 1.5": 1.5, "-.5": -.5,
		"nan": "math.NaN()", "NaN": "math.NaN()", "+nan": "math.NaN()", "inf": "math.Inf(1)", "+inf": "math.Inf(1)", "Infinity": "math.Inf(1)", "-inf": "math.Inf(-1)", "-infinity": "math.Inf(-1)",
		"True": true, "False": false, "none": `"none"`, "yes": `"yes"`, "TRUE": `"TRUE"`, "1__0": `"1__0"`, "_1": `"_1"`, "+": `"+"`, "": `""`, "1j": `"1j"`, "a b": `"a b"`,
	} {
		got, err := declaration{}.value(Parameter{Name: "x", Value: value})
		if err != nil {
			t.Errorf("%q: %v", value, err)
			continue
		}
		if text, ok := want.(string); ok {
			if got != text {
				t.Errorf("%q is %s, want %s", value, got, text)
			}
			continue
		}
		tv, err := types.Eval(token.NewFileSet(), nil, token.NoPos, got)
		if err != nil {
			t.Errorf("%q is %s: %v", value, got, err)
			continue
		}
		var is any
		switch types.Default(tv.Type).String() {
		case "int":
			n, _ := values.Int64Val(tv.Value)
			is = int(n)
		case "float64":
			is, _ = values.Float64Val(tv.Value)
		case "bool":
			is = values.BoolVal(tv.Value)
		}
		if is != want {
			t.Errorf("%q is %s, a %s, want %v, a %T", value, got, tv.Type, want, want)
		}
	}
}
