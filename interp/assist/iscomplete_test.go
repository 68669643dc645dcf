package assist

import "testing"

func TestIsComplete(t *testing.T) {
	for _, tt := range []struct{ src, status, indent string }{
		{"", "complete", ""},
		{"x := 1", "complete", ""},
		{"for i := range 3 {", "incomplete", "\t"},
		{"func f() {\n\tif true {", "incomplete", "\t\t"},
		{"f(1,", "incomplete", "\t"},
		{"s := `abc", "incomplete", ""},
		{"/* note", "incomplete", ""},
		{"x := 1 +", "incomplete", ""},
		{"x :=", "incomplete", ""},
		{"x := }", "invalid", ""},
		{"!ls", "complete", ""},
		{"%%bash\nls", "incomplete", ""},
		{"%%bash\nls\n", "complete", ""},
		{"func f() {\n}", "complete", ""},
		{"}", "invalid", ""},
		{"if", "incomplete", ""},
		{"a b", "invalid", ""},
	} {
		status, indent := IsComplete(tt.src)
		if status != tt.status || indent != tt.indent {
			t.Errorf("isComplete(%q) = %s, %q, want %s, %q", tt.src, status, indent, tt.status, tt.indent)
		}
	}
}
