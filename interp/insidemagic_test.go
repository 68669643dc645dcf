package interp

import (
	"regexp"
	"strings"
	"testing"

	"gaucho/interp/cell"
)

func TestBenchMagic(t *testing.T) {
	out := &transcript{}
	s := newSession(t, Options{Sink: out, BenchTime: "5ms"})
	mustRun(t, s, 1, "%%bench sum\nn := 0\nfor i := range 100 { n += i }\n_ = n")
	if text := out.of("1").String(); !regexp.MustCompile(`(?s)now\nsec/op .* ± .*%\nB/op .*\nallocs/op `).MatchString(text) || strings.Contains(text, "last") {
		t.Errorf("printed %s", text)
	}
	mustRun(t, s, 2, "%%bench sum\nn := 0\nfor i := range 3000 { n += i }\n_ = n")
	if text := out.of("2").String(); !regexp.MustCompile(`sec/op .*\+\d+\.\d\d% \(p=0\.\d+ n=10\)`).MatchString(text) ||
		!regexp.MustCompile(`allocs/op .*(~|%|\?) \(p=`).MatchString(text) {
		t.Errorf("printed %s", text)
	}
}

func TestFigureMagic(t *testing.T) {
	s, _ := startTest(t)
	mustRun(t, s, 1, "%figure 6in 3in scale=1")
	res := s.Execute(t.Context(), Cell{ID: "2", Number: 2, Source: "plot.New()"})
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	svg, _ := res.Display.Data["image/svg+xml"].(string)
	if !strings.Contains(svg, "432pt") && !strings.Contains(svg, `viewBox="0 0 432 216"`) {
		t.Errorf("the figure is %.300s", svg)
	}
	for _, wrong := range []string{"%figure 6in", "%figure 6 parsecs", "%figure scale=x"} {
		if res := s.Execute(t.Context(), Cell{ID: "3", Number: 3, Source: wrong}); res.Err == nil {
			t.Errorf("%s is taken", wrong)
		}
	}
}

// TestEveryMagicHelps asks each magic what it does, and completes it.
func TestEveryMagicHelps(t *testing.T) {
	s, out := startTest(t)
	for _, name := range cell.MagicNames() {
		if does := actions[name] != nil; does != cell.MagicNamed(name).Session() {
			t.Errorf("the session answers %s: %v", name, does)
		}
		mustRun(t, s, 1, name+" -h")
		if text := out.of("1").String(); !strings.Contains(text, name) {
			t.Errorf("%s -h prints %q", name, text)
		}
		found := false
		for _, item := range s.Complete(name[:len(name)-1], len(name)-1).Items {
			found = found || item.Text == name
		}
		if !found {
			t.Errorf("%s is not completed", name)
		}
	}
}

func TestCaptureMagic(t *testing.T) {
	s, out := startTest(t)
	mustRun(t, s, 1, "%%capture text\nfmt.Println(\"hidden\")\ndisplay.Show(3)\n!echo shell\n1 + 1")
	if text := out.of("1").String(); text != "" {
		t.Errorf("shown is %q", text)
	}
	res := s.Execute(t.Context(), Cell{ID: "2", Number: 2, Source: "text"})
	if res.Err != nil || plainText(res.Display.Data) != "`hidden\nshell\n`" {
		t.Errorf("captured is %v, %v", res.Display, res.Err)
	}
	if res := s.Execute(t.Context(), Cell{ID: "3", Number: 3, Source: "%%capture\nfmt.Println(1)\npanic(\"oh\")"}); res.Err == nil {
		t.Error("a panic is captured")
	}
	mustRun(t, s, 4, "fmt.Println(\"seen\")")
	if text := out.of("4").String(); text != "seen\n" {
		t.Errorf("then shown is %q", text)
	}
}
