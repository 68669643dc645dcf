package value

import (
	"bytes"
	"io"
	"reflect"
	"runtime"
	"testing"
	"unsafe"
)

type (
	asserted1 struct{ box Box }
	asserted2 struct{ box Box }
	wrapped1  struct{ box Box }
)

func (b *asserted1) Close() error  { return b.box.V.(io.Closer).Close() }
func (b *asserted1) Format() error { return nil } // which Box has
func (b *asserted1) WriteTo(int)   {}
func (b *asserted2) WriteTo(w io.Writer) (int64, error) {
	return (*(*func(any, io.Writer) (int64, error))(FuncAt(b.box.T, "WriteTo")))(b.box.V, w)
}
func (b *wrapped1) Read(p []byte) (int, error) {
	return (*(*func(any, []byte) (int, error))(FuncAt(b.box.T, "Read")))(b.box.V, p)
}
func (b *wrapped1) Seek(int64, int) (int64, error) { return 0, nil }

// A story has the methods that the parts call.
type story struct{ *bytes.Buffer }

func (story) Close() error { return io.ErrClosedPipe }

// TestCompose composes a reader's wrapper with methods that its type has and compiled code looks for, and calls them through
// interfaces, while the collector runs.
func TestCompose(t *testing.T) {
	oldAsserted, oldWrapped := Asserted, Wrapped
	defer func() { Asserted, Wrapped = oldAsserted, oldWrapped }()
	Asserted, Wrapped = []any{(*asserted1)(nil), (*asserted2)(nil)}, []any{(*wrapped1)(nil)}
	typ := &Type{String: "main.story", Kind: reflect.Struct, Methods: []*Method{
		{Sig{Name: "Close"}, func(v any) error { return v.(story).Close() }},
		{Sig{Name: "Format"}, func(any) error { return nil }},
		{Sig{Name: "Read"}, func(v any, p []byte) (int, error) { return v.(story).Read(p) }},
		{Sig{Name: "Seek"}, func(v any, offset int64, whence int) (int64, error) { return 0, nil }},
		{Sig{Name: "WriteTo"}, func(v any, w io.Writer) (int64, error) { return v.(story).WriteTo(w) }},
	}}
	var first io.Reader
	for i := range 100 {
		b := Box{typ, story{bytes.NewBufferString("once")}}
		wrapped := Wrap(b, reflect.TypeFor[io.Reader]())
		r := *(*io.Reader)(unsafe.Pointer(&wrapped))
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
	if r := Compose(plain, ErrBox{plain}); r != any(ErrBox{plain}) {
		t.Errorf("%T", r)
	}
	b := Box{typ, story{bytes.NewBufferString("once")}}
	if _, ok := Reveal(b).(io.Reader); ok {
		t.Error("a method that compiled code does not look for")
	}
	if _, ok := Reveal(b).(io.WriterTo); !ok {
		t.Error("a method that compiled code looks for is not there")
	}
}
