package compiled

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// forms are the forms of a function that its next one reaches: of each layout the first, whose variable W the others share.
func (f *function) forms() []older {
	if slices.ContainsFunc(f.older, func(o older) bool { return o.layout == f.layout }) {
		return f.older
	}
	return append(slices.Clone(f.older), older{f.home, f.obj, f.sig, f.layout})
}

// later is the variable that holds the newest form of a function. The first form of a layout declares it; later ones set it, so
// that a form is compiled with one of those before it and not with all.
func (e *emitter) later(f *function, typ string) string {
	f.sig, f.layout = f.qualified(e)
	i := slices.IndexFunc(f.older, func(o older) bool { return o.layout == f.layout })
	if i < 0 {
		w := "W" + mark + f.name
		e.decl("\n//line /w:1\nvar %s %s\n", w, typ)
		e.entries = append(e.entries, w+" = nil\n")
		return w
	}
	o := f.older[i]
	w := e.ref(&o.home, "W"+mark+strings.TrimSuffix(o.name, mark))
	if o.sig != f.sig { // a type has got a method since: the older form takes and returns the same bits
		w = fmt.Sprintf("*(*%s)(%s.Pointer(&%s))", typ, e.lib("unsafe", "unsafe"), w)
	}
	e.decl("\n//line /w:1\n")
	e.entries = append(e.entries, w+" = F"+mark+f.name+"\n")
	return w
}

// qualified is a function's parameters and results with the types of the session under full names: sig tells apart the
// forms of a type that has got methods since it was declared, layout does not.
func (f *function) qualified(e *emitter) (sig, layout string) {
	var b strings.Builder
	of := f.obj.Signature()
	write := func(t types.Type) {
		b.WriteString(types.TypeString(t, func(p *types.Package) string { return p.Path() }))
		b.WriteByte(',')
	}
	if of.Recv() != nil {
		write(of.Recv().Type())
	}
	for v := range of.Params().Variables() {
		write(v.Type())
	}
	b.WriteByte(';')
	for v := range of.Results().Variables() {
		write(v.Type())
	}
	var forms, objects []string
	for obj, h := range signatureUses(e, of) {
		forms = append(forms, fmt.Sprintf("%s=%p", obj.Name(), h))
		objects = append(objects, fmt.Sprintf("%s=%p", obj.Name(), obj))
	}
	slices.Sort(forms)
	slices.Sort(objects)
	return b.String() + strings.Join(forms, ","), b.String() + strings.Join(objects, ",")
}

func signatureUses(e *emitter, sig *types.Signature) map[*types.TypeName]*typeHome {
	var uses map[*types.TypeName]*typeHome
	e.collect(func() string {
		if sig.Recv() != nil {
			e.typ(sig.Recv().Type(), 0)
		}
		return e.signature(sig, 0)
	}, &uses)
	return uses
}
