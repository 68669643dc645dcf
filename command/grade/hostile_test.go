//go:build linux && (amd64 || arm64)

package grade

import (
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"gaucho/command/grade/fence"
)

// hostile are submissions that try to get points without a solution, to read what they must not, or to bring the grader
// down. SOURCE is the directory of the source with the hidden tests, OUTSIDE a file outside, ADDRESS one that listens.
// All get nothing for the cell that tests Double.
var hostile = map[string]string{
	"endless loop":            "func Double(x float64) float64 { for {} }",
	"endless loop in a cell":  "for {}",
	"endless sleep":           "func Double(x float64) float64 { select {} }",
	"endless recursion":       "func Double(x float64) float64 { return Double(x) + Double(x) }",
	"loop that recovers":      "func Double(x float64) float64 { for { func() { defer func() { recover() }(); for {} }() } }",
	"fork bomb":               "for { os.StartProcess(`/bin/sh`, []string{`sh`, `-c`, `sleep 1000`}, &os.ProcAttr{}) }",
	"shell":                   "!touch OUTSIDE-touched",
	"shell cell":              "%%bash\ntouch OUTSIDE-touched",
	"exec":                    "import \"os/exec\"\nexec.Command(`touch`, `OUTSIDE-touched`).Run()",
	"system calls":            "import \"syscall\"\nsyscall.Kill(1, 9)",
	"unsafe":                  "import \"unsafe\"\nvar p unsafe.Pointer",
	"100 GB":                  "var b [][]byte\nfor { c := make([]byte, 1<<28); for i := range len(c) / 4096 { c[4096*i] = 1 }; b = append(b, c) }",
	"100 GB at once":          "b := make([]byte, 100<<30)\nb[99<<30] = 1",
	"goroutines without end":  "for { go func() { b := make([]byte, 1<<16); for { b[0]++ } }() }",
	"full disk":               "for i := range 1000 { os.WriteFile(fmt.Sprint(i), make([]byte, 1<<20), 0o644) }\nfor {}",
	"large file":              "os.WriteFile(`large`, make([]byte, 32<<20), 0o644)\npanic(`cannot`)",
	"output without end":      "for { fmt.Println(strings.Repeat(`x`, 1000)) }",
	"reads the hidden tests":  "b, err := os.ReadFile(`SOURCE/ps.ipynb`)\nif err == nil { panic(`read: ` + string(b)) }",
	"loads the hidden tests":  "%load SOURCE/ps.ipynb",
	"links the hidden tests":  "os.Symlink(`SOURCE/ps.ipynb`, `mine`)\nb, err := os.ReadFile(`mine`)\nif err == nil { panic(`read: ` + string(b)) }",
	"walks everything":        "filepath.WalkDir(`/`, func(p string, d fs.DirEntry, err error) error { if strings.Contains(p, `ps.ipynb`) { panic(`read: found`) }; return nil })",
	"reads its parent":        "b, err := os.ReadFile(fmt.Sprintf(`/proc/%d/environ`, os.Getppid()))\nif err == nil { panic(`read: ` + string(b)) }",
	"writes the grades":       "os.WriteFile(`OUTSIDE`, []byte(`all points`), 0o644)",
	"writes by a magic":       "%%writefile OUTSIDE\nall points",
	"removes the grades":      "os.Remove(`OUTSIDE`)",
	"opens the grades to all": "os.Chmod(`OUTSIDE`, 0o777)",
	"connects":                "c, err := (&tls.Dialer{}).Dial(`tcp`, `ADDRESS`)\nif err == nil { panic(c) }",
	"fetches":                 "import \"net/http\"\nhttp.Get(`http://ADDRESS`)",
	"kills its parent":        "p, _ := os.FindProcess(os.Getppid())\np.Kill()",
	"kills init":              "p, _ := os.FindProcess(1)\np.Kill()",
	"exits early":             "os.Exit(0)",
	"exits in the test":       "func Double(x float64) float64 { os.Exit(0); return 0 }",
	"prints success":          "fmt.Println(`3 of 3 points`)\nfunc Double(x float64) float64 { fmt.Println(`{\"k\":\"float\",\"v\":\"7\"}`); return 0 }",
	"shows success": "func Double(x float64) float64 { display.Show(display.Bundle{`application/vnd.gaucho.check+json`: " +
		"map[string]any{`k`: `passed`}}); return 0 }",
	"replaces the tests":        "type checks struct{}\nfunc (checks) Hand(any) {}\nfunc (checks) Near(a, b, c any) {}\nvar check checks\nfunc Double(x float64) float64 { return 0 }",
	"hands over too much":       "type checks struct{}\nfunc (checks) Hand(any) { display.Show(display.Bundle{`application/vnd.gaucho.check+json`: strings.Repeat(`[`, 1<<24)}) }\nvar check checks",
	"value without end":         "type list struct{ Next *list }\nfunc Double(x float64) *list { l := &list{}; l.Next = l; return l }",
	"huge value":                "func Double(x float64) []float64 { return make([]float64, 1<<24) }",
	"speaks for its process":    "f := os.NewFile(4, `x`)\nfor range 100 { f.Write([]byte(strings.Repeat(`\\xff`, 4096))) }",
	"closes the pipes":          "for i := range 64 { os.NewFile(uintptr(i), `x`).Close() }",
	"reads its own pipe":        "io.Copy(io.Discard, os.NewFile(3, `x`))",
	"panics with nothing":       "func Double(x float64) float64 { panic(nil) }",
	"nested without end":        "x := " + strings.Repeat("(", 100000) + "1" + strings.Repeat(")", 100000),
	"huge constant":             "const c = 1 << 1000000000",
	"generic recursion":         "type T[P any] struct { f *T[T[P]] }\nvar x T[int]",
	"ends the whole process":    "debug.SetMaxThreads(1)\nlog.Fatal(`now`)",
	"a goroutine kills it":      "m := map[int]int{}\nfor range 8 { go func() { for i := 0; ; i++ { m[i%10] = i } }() }\ntime.Sleep(time.Second)",
	"waits for everybody":       "func Double(x float64) float64 { var mu sync.Mutex; mu.Lock(); mu.Lock(); return 2 * x }",
	"asks for input":            "var s string\nfmt.Scanln(&s)",
	"copies the cell of tests":  "// a copy of a graded cell counts once",
	"changes the working place": "%cd /",
}

func TestHostile(t *testing.T) {
	if err := fence.Available(); err != nil {
		t.Skip(err)
	}
	beHostile(t)
	if os.Getuid() == 0 && !testing.Short() {
		t.Run("as an ordinary user", asNobody)
	}
}

const asNobodyVariable = "GAUCHO_TEST_AS_NOBODY"

// asNobody runs this test's program again as a user who owns nothing.
func asNobody(t *testing.T) {
	base, err := os.MkdirTemp("", "grade-nobody-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(base, "grade.test")
	if err := copyFile(self, program); err != nil {
		t.Fatal(err)
	}
	os.Chmod(program, 0o755)
	os.Chmod(base, 0o777)
	cmd := exec.Command(program, "-test.run", "^TestHostile$")
	cmd.Dir = base
	cmd.Env = append(os.Environ(), "TMPDIR="+base, "HOME="+base, asNobodyVariable+"=yes")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// crowded has more submissions at a time than there are processors: most of them wait for their end.
func crowded() *Options {
	o := options()
	o.Parallel = 4
	o.Limits.Cell = 200 * time.Millisecond
	return o
}

func beHostile(t *testing.T) {
	a := assignmentOf(t, "check.Near(Double(3.5), 7.0, 1e-12)") // without hidden tests, with which each runs twice
	outside := filepath.Join(t.TempDir(), "grades.csv")
	if err := os.WriteFile(outside, []byte("grades"), 0o600); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			t.Error("somebody connected")
			c.Close()
		}
	}()
	places := strings.NewReplacer("SOURCE", a.notebook.Dir, "OUTSIDE", outside, "ADDRESS", listener.Addr().String())
	all := map[string]string{"right": right}
	for i, name := range slices.Sorted(maps.Keys(hostile)) {
		if testing.Short() && i%6 > 0 {
			continue
		}
		all[name] = places.Replace(hostile[name])
	}
	if os.Getenv(asNobodyVariable) == "" { // what these try is the same for every user
		for name, source := range hostileToo {
			all[name] = places.Replace(source)
		}
	}
	for name, r := range handInWith(t, a, all, crowded) {
		test := r.Marks[0]
		if want := name == "right"; want != (test.Points == 3) || want && r.Points != 4 {
			t.Errorf("%s: %v points for the test, %v in all; %s %+v", name, test.Points, r.Points, r.End, test.Results)
		}
		for _, c := range r.cells {
			for _, o := range c.Outputs {
				if strings.Contains(o.Evalue, "read: ") {
					t.Errorf("%s: %s", name, o.Evalue)
				}
			}
		}
	}
	if b, err := os.ReadFile(outside); string(b) != "grades" {
		t.Errorf("the grades are %q now, error %v", b, err)
	}
	if st, err := os.Stat(outside); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("the grades' mode is %v now, error %v", st.Mode(), err)
	}
	if _, err := os.Stat(outside + "-touched"); err == nil {
		t.Error("a shell ran")
	}
}
