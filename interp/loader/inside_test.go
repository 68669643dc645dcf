//go:build go1.26 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"bytes"
	"go/ast"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"gaucho/internal/modpath"
)

//go:linkname moduledataverify1 runtime.moduledataverify1
func moduledataverify1(*moduledata)

// TestInside runs the tests below in a test binary that is kept: go test links those that it only runs without the symbol
// table that they need.
func TestInside(t *testing.T) {
	if os.Getenv("GAUCHO_KEPT") == "" {
		kept := filepath.Join(t.TempDir(), "kept")
		if out, err := exec.Command("go", "test", "-c", "-o", kept, ".").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		cmd := exec.Command(kept, "-test.run=^TestInside$", "-test.v")
		cmd.Env = append(os.Environ(), "GAUCHO_KEPT=1")
		if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("--- PASS: TestInside/")) {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	l, err := Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Run("types", func(t *testing.T) { insideTypes(t, l.host.types) })
	t.Run("itabs", func(t *testing.T) { insideItabs(t, l.host) })
	t.Run("module", func(t *testing.T) { insideModule(t, l) })
}

// insideTypes finds types by their link names, and walks through all.
func insideTypes(t *testing.T, types *types) {
	for name, want := range map[string]reflect.Type{
		"int": reflect.TypeFor[int](), "error": reflect.TypeFor[error](), "*net/url.URL": reflect.TypeFor[*url.URL](),
		"net/url.URL": reflect.TypeFor[url.URL](), "map[string][]string": reflect.TypeFor[map[string][]string](),
		"net/url.Values": reflect.TypeFor[url.Values](), "io.Reader": reflect.TypeFor[io.Reader](),
		"interface {}": reflect.TypeFor[any](), "[]interface {}": reflect.TypeFor[[]any](),
		"func(string, ...interface {}) error": reflect.TypeFor[func(string, ...any) error](),
		"interface { Unwrap() error }":        reflect.TypeFor[interface{ Unwrap() error }](),
		"struct { A int \"x:\\\"a.b c\\\"\"; " + modpath.Own("gaucho/interp/loader.b") + " *net/url.URL }": reflect.TypeFor[struct {
			A int `x:"a.b c"`
			b *url.URL
		}](),
	} {
		var keep any = reflect.New(want).Interface() // *T is in the typelinks
		got, err := types.find("type:" + name)
		if p := (*[2]unsafe.Pointer)(unsafe.Pointer(&want))[1]; err != nil || got != uintptr(p) {
			t.Errorf("%s is at %#x, found at %#x, %v, %T", name, p, got, err, keep)
		}
	}
	if got, err := types.find("type:net/url.NoSuch"); got != 0 || err != nil {
		t.Error("found what does not exist", got, err)
	}
	// Types that have the hash of another type of the program, which is of a package of its own or of one that was loaded.
	const mine = "example.org/yaml.v3/own.T"
	collision := uint64(typeHash(mine))<<32 | types.byHash[0]&(1<<32-1)
	at, _ := slices.BinarySearch(types.byHash, collision)
	types.byHash = slices.Insert(types.byHash, at, collision)
	if _, err := types.find("type:" + mine); err == nil {
		t.Error("a type that cannot be told from another is found, or not")
	}
	types.packages["example.org/yaml.v3/own"] = true
	if got, err := types.find("type:" + mine); got != 0 || err != nil {
		t.Error("a type of a loaded package is taken for one of the program", got, err)
	}
	types.byHash = slices.Delete(types.byHash, at, at+1)
	if types.packages["a/b.v3"] = true; !types.ofLoaded("map[string]*a/b%2ev3.T") || types.ofLoaded("a/b.T") || types.ofLoaded("a/b%2ev32.T") {
		t.Error("packages that were loaded are not told from others")
	}
	for _, entry := range types.byHash {
		if d := types.at(int32(entry)); d.kind == 0 || d.kind > 26 || d.align == 0 || types.name(d) == "" {
			t.Errorf("a wrong descriptor at %d", int32(entry))
		}
	}
	for link, name := range map[string]string{
		"a/b.T": "b.T", "map[a/b%2ec.T]*x.y": "map[c.T]*x.y", "func(a.T, ...b/c.U) (d.e, error)": "func(a.T, ...c.U) (d.e, error)",
		"a.T·1": "a.T", "a/b.G[c/d.T·2,int]": "b.G[c/d.T·2,int]", "<-chan a/b.T": "<-chan b.T", "struct { a/b.x int; Y []c.Z }": "struct { x int; Y []c.Z }",
		"interface { a/b.f(int) string }": "interface { b.f(int) string }", "[3]a-b/c.T": "[3]c.T", "noalg.map.group[string]a/b.T": "map.group[string]b.T",
	} {
		if bare(link) != bare(name) {
			t.Errorf("%s and %s are %s and %s", link, name, bare(link), bare(name))
		}
	}
}

// insideItabs checks that the linker kept all exported methods in the program's itabs, as keepMethods has it do, save of
// types whose values are never in an interface, which lackMethods finds.
func insideItabs(t *testing.T, h *host) {
	n := 0
	for tab := range h.first.itabs() {
		p := unsafe.Pointer(tab.inter)
		list, count := at[unsafe.Pointer](p, commonSize+8), at[uintptr](p, commonSize+16)
		for i := range count {
			name := nameAt(unsafe.Pointer(h.types.at(at[int32](list, 8*i))))
			fun := at[uintptr](unsafe.Pointer(&tab.fun), 8*i)
			if n++; fun == 0 && i == 0 {
				break // does not implement it
			}
			if ast.IsExported(name) && fun == h.unreachable && !tab.typ.lacksMethods() {
				t.Errorf("%s of %s as %s was dropped", name, h.types.name(tab.typ), h.types.name(tab.inter))
			}
		}
	}
	if n < 100 {
		t.Error("there are only", n, "methods")
	}
}

// insideModule has the runtime verify the module of some packages.
func insideModule(t *testing.T, l *Loader) {
	dir := t.TempDir()
	file := filepath.Join(dir, "x.go")
	if err := os.WriteFile(file, []byte("package x00000\nfunc F(n int) int { if n < 2 { return n }; return F(n-1)+G(n) }\nfunc G(n int) int { defer func() { recover() }(); return F(n-2) }\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	archive := filepath.Join(dir, "x.a")
	if out, err := exec.Command("go", "tool", "compile", "-p", "x00000", "-linkshared", "-dwarf=0", "-o", archive, file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		number := strings.Repeat(string(rune('1'+i)), 5)
		if err := l.Load("x"+number, bytes.ReplaceAll(data, []byte("00000"), []byte(number))); err != nil {
			t.Fatal(err)
		}
		tab := unsafe.Slice((*ftabEntry)(pointer(l.module.ftab.addr)), l.nfunc)
		if got, want := l.nfunc, uintptr(1+3*(i+1)); got != want || tab[got-1] != endOfTab {
			t.Errorf("%d functions, not %d", got, want)
		}
		exact := append([]ftabEntry(nil), tab...)
		exact[len(exact)-1].entry = uint32(l.module.maxpc - l.module.text)
		md := *l.module
		md.ftab = table{uintptr(unsafe.Pointer(&exact[0])), l.nfunc, l.nfunc}
		moduledataverify1(&md) // throws
		f := funcAt[func(int) int](l.symbols.find("x" + number + ".F"))
		if f(15) != 610 {
			t.Error("F(15) is", f(15))
		}
	}
}
