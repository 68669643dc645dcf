package cell

import "testing"

// TestFormat: what gofmt prints for each stretch of declarations or statements; a second time changes nothing.
func TestFormat(t *testing.T) {
	for src, want := range map[string]string{
		"x:=1 // one\nyy   := 22 // two\nfmt.Println( x,yy )":                            "x := 1   // one\nyy := 22 // two\nfmt.Println(x, yy)",
		"import \"fmt\"\nfunc f(a int)int{\nif a>0{\nreturn 1}\nreturn 0\n}\n\n\nf(  3)": "import \"fmt\"\n\nfunc f(a int) int {\n\tif a > 0 {\n\t\treturn 1\n\t}\n\treturn 0\n}\n\n\nf(3)",
		"%time f( 1)\nx:=2\n!ls   -l":                                                    "%time f( 1)\nx := 2\n!ls   -l",
		"%%time\nx:=2":                                                                   "%%time\nx := 2",
		"%%bash\nx:=2  ":                                                                 "%%bash\nx:=2  ",
		"x:=(":                                                                           "x:=(",
		"s := `a\n  \n  b`":                                                              "s := `a\n  \n  b`",
		"a,b":                                                                            "a,b",
		"type p struct{\nx int\nlong string}":                                            "type p struct {\n\tx    int\n\tlong string\n}",
		"":                                                                               "",
	} {
		got := Format(src)
		if got != want {
			t.Errorf("%q is formatted as\n%q, must be\n%q", src, got, want)
		}
		if again := Format(got); again != got {
			t.Errorf("%q changes again, to\n%q", got, again)
		}
	}
}

// TestWithout: a line of a string is no magic.
func TestWithout(t *testing.T) {
	if got := Without("%fmt\nx := `\n%fmt\n`\n  %fmt\nx", "%fmt"); got != "x := `\n%fmt\n`\n  x" {
		t.Errorf("without the magic it is %q", got)
	}
}
