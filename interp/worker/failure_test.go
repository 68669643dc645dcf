package worker

import "testing"

func TestFunctionName(t *testing.T) {
	for lowered, want := range map[string]string{
		"f_step_1":           "step",
		"f_step_1_2":         "step",
		"f_my_func_2_1":      "my_func_2",
		"f_PǃM_1":            "P.M",
		"f_my_typeǃdo_it_1":  "my_type.do_it",
		"f_step_1.func":      "step.func",
		"f_step_1.func.func": "step.func",
		"c_12":               "",
		"c_12_2":             "",
		"c_12.func":          "func",

		"Fǃstep":                "step",
		"FǃPǃM.func1":           "P.M.func",
		"Hǃspawn.Fǃspawn.func1": "spawn.func",
		"entryǃ.Fǃf.func2":      "f.func",
		"entryǃ.func1":          "func",
		"entryǃ-range1":         "the loop",
		"entryǃ-range1.func2":   "func",
		"entryǃ.func1-range2":   "the loop",
		"FǃPǃM-range1":          "the loop of P.M",
	} {
		if got := functionName(lowered); got != want {
			t.Errorf("%s is %q, want %q", lowered, got, want)
		}
	}
}
