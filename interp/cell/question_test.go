package cell

import (
	"fmt"
	"testing"
)

func TestQuestion(t *testing.T) {
	for code, want := range map[string]string{
		"x?": "x 0", " stat.Mean ?? \n": "stat.Mean 1", "?for": "for 0", "%time?": "%time 0", "??%%prof": "%%prof 1", "%%%x?": "", "?? größe": "größe 1",
		"": "", "?": "", "x???": "", "?x?": "", "x? y": "", "f(x)?": "", "a..b?": "", "1?": "", "x\ny?": "",
	} {
		name, detail, ok := Question(code)
		if got := fmt.Sprint(name, " ", detail); ok && got != want || ok == (want == "") {
			t.Errorf("%q: %s, %v", code, got, ok)
		}
	}
}
