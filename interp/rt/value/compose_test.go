package value

import (
	"bytes"
	"io"
	"reflect"
	"runtime"
	"testing"
)

type closePart struct{ Box Box }

func (p closePart) Close() error { return p.Box.V.(io.Closer).Close() }

type writeToPart struct{ Box Box }

func (p writeToPart) WriteTo(w io.Writer) (int64, error) { return p.Box.V.(io.WriterTo).WriteTo(w) }

type readBase struct{ Box }

func (r readBase) Read(p []byte) (int, error) { return r.V.(io.Reader).Read(p) }

// A story has the methods that the parts call.
type story struct{ *bytes.Buffer }

func (story) Close() error { return io.ErrClosedPipe }

// TestCompose composes a reader's wrapper with methods that its type has and compiled code looks for, and calls them through
// interfaces, while the collector runs.
func TestCompose(t *testing.T) {
	old := parts
	defer func() { parts = old }()
	parts = func() map[string][]Part {
		yes := func(b Box) bool { _, ok := b.T.FuncOf("WriteTo").(func()); return ok }
		return map[string][]Part{
			"Close":   {{reflect.TypeFor[closePart](), "Close", yes}},
			"WriteTo": {{reflect.TypeFor[writeToPart](), "WriteTo", yes}},
			"Format":  {{reflect.TypeFor[closePart](), "Close", yes}}, // which Box has
		}
	}
	typ := &Type{String: "main.story", Kind: reflect.Struct}
	for _, name := range []string{"Close", "Format", "Read", "WriteTo"} {
		typ.Methods = append(typ.Methods, &Method{Sig: Sig{Name: name}, Func: func() {}})
	}
	var first io.Reader
	for i := range 100 {
		b := Box{typ, story{bytes.NewBufferString("once")}}
		r := Compose(b, readBase{b}).(io.Reader)
		if first == nil {
			first = r
		}
		runtime.GC()
		var out bytes.Buffer
		if n, err := r.(io.WriterTo).WriteTo(&out); n != 4 || err != nil || out.String() != "once" {
			t.Fatal(n, err, out.String())
		}
		if err := r.(io.Closer).Close(); err != io.ErrClosedPipe {
			t.Fatal(err)
		}
		if n, err := r.Read(make([]byte, 1)); n != 0 || err != io.EOF {
			t.Fatal(n, err)
		}
		if _, ok := r.(io.Seeker); ok || Unwrap(r) != any(b) || reflect.TypeOf(r) != reflect.TypeOf(first) || (r == first) != (i == 0) {
			t.Fatal("identity", ok, Unwrap(r))
		}
	}
	plain := Box{&Type{String: "main.plain"}, 1}
	if r := Compose(plain, readBase{plain}); r != any(readBase{plain}) {
		t.Errorf("%T", r)
	}
}
