package export

import (
	"encoding/binary"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"sort"
	"strings"
)

// A Chunk is an opened chunk. It is not changed after Open and may be shared.
type Chunk struct {
	strings []string
	pkgs    []string // paths
	types   [][]byte
	names   []string // of objects, sorted
	objects [][]byte
}

// Open splits a chunk into its entries. It decodes none of them and keeps references into data.
func Open(data []byte) *Chunk {
	r := reader{data: data}
	c := new(Chunk)
	text := string(data)
	all := make([]string, r.int())
	for i := range all {
		n := r.int()
		start := len(data) - len(r.data)
		r.bytes(n)
		all[i] = text[start : start+n]
	}
	c.strings = all
	c.pkgs = make([]string, r.int())
	for i := range c.pkgs {
		c.pkgs[i] = all[r.int()]
	}
	c.types = make([][]byte, r.int())
	lengths := make([]int, len(c.types))
	for i := range lengths {
		lengths[i] = r.int()
	}
	for i, n := range lengths {
		c.types[i] = r.bytes(n)
	}
	n := r.int()
	c.names, c.objects = make([]string, n), make([][]byte, n)
	lengths = make([]int, n)
	for i := range lengths {
		c.names[i], lengths[i] = all[r.int()], r.int()
	}
	for i, n := range lengths {
		c.objects[i] = r.bytes(n)
	}
	return c
}

// Names returns the names of the objects in the chunk, sorted.
func (c *Chunk) Names() []string { return c.names }

// A Reader builds the packages of one universe from chunks: packages and types that are reached on two ways are the
// same. It is not safe for use by several goroutines.
type Reader struct {
	// find returns the name of a package and its chunk, which is nil for a package without data.
	find       func(path string) (name string, c *Chunk)
	pkgs       map[string]*pkgReader
	interfaces []*types.Interface // not completed yet
}

// NewReader returns a Reader that finds chunks with the given function.
func NewReader(find func(path string) (name string, c *Chunk)) *Reader {
	return &Reader{find: find, pkgs: map[string]*pkgReader{"unsafe": {pkg: types.Unsafe, full: true}}}
}

// Import returns the complete package with the given path: its scope holds all exported objects. It returns nil where
// there is none.
func (r *Reader) Import(path string) *types.Package {
	p := r.open(path)
	if p == nil {
		return nil
	}
	if !p.full {
		for i, name := range p.chunk.names {
			if token.IsExported(name) {
				p.pkg.Scope().Insert(p.object(name, i))
			}
		}
		r.complete()
		p.pkg.MarkComplete()
		p.full = true
	}
	return p.pkg
}

// complete computes the type sets of all interfaces read, so that they can be used by several goroutines.
func (r *Reader) complete() {
	for _, t := range r.interfaces {
		t.Complete()
	}
	r.interfaces = r.interfaces[:0]
}

func (r *Reader) open(path string) *pkgReader {
	p := r.pkgs[path]
	if p == nil {
		name, c := r.find(path)
		if c == nil {
			return nil
		}
		p = &pkgReader{Reader: r, chunk: c, pkg: types.NewPackage(path, name)}
		p.types = make([]types.Type, len(c.types))
		p.objects = make([]types.Object, len(c.objects))
		r.pkgs[path] = p
	}
	return p
}

// A pkgReader decodes the objects of one package.
type pkgReader struct {
	*Reader
	chunk   *Chunk
	pkg     *types.Package
	full    bool
	types   []types.Type
	objects []types.Object
}

// A reader reads the bytes of an entry. The data is our own, so damage is a bug and panics.
type reader struct{ data []byte }

func (r *reader) int() int {
	v, n := binary.Uvarint(r.data)
	r.data = r.data[n:]
	return int(v)
}

func (r *reader) bool() bool { return r.int() != 0 }

func (r *reader) bytes(n int) []byte {
	b := r.data[:n:n]
	r.data = r.data[n:]
	return b
}

func (p *pkgReader) str(r *reader) string { return p.chunk.strings[r.int()] }

func (p *pkgReader) lookup(name string) types.Object {
	i := sort.SearchStrings(p.chunk.names, name)
	if i == len(p.chunk.names) || p.chunk.names[i] != name {
		panic(fmt.Sprintf("export: no %s in the data of %s", name, p.pkg.Path()))
	}
	return p.object(name, i)
}

func (p *pkgReader) object(name string, i int) types.Object {
	if obj := p.objects[i]; obj != nil {
		return obj
	}
	r := &reader{p.chunk.objects[i]}
	var obj types.Object
	switch tag := r.int(); tag {
	case oConst:
		t := p.typ(r)
		obj = types.NewConst(token.NoPos, p.pkg, name, t, p.constant(r))
	case oVar:
		obj = types.NewVar(token.NoPos, p.pkg, name, p.typ(r))
	case oFunc:
		tparams := p.typeParams(r)
		obj = types.NewFunc(token.NoPos, p.pkg, name, p.signature(r, nil, nil, tparams))
	case oType:
		tn := types.NewTypeName(token.NoPos, p.pkg, name, nil)
		named := types.NewNamed(tn, nil, nil)
		p.objects[i] = tn // before what may refer to it
		p.named(r, named)
		return tn
	case oAlias:
		tparams := p.typeParams(r)
		rhs := p.typ(r)
		if p.objects[i] != nil { // reached again through the right side
			return p.objects[i]
		}
		tn := types.NewTypeName(token.NoPos, p.pkg, name, nil)
		types.NewAlias(tn, rhs).SetTypeParams(tparams)
		obj = tn
	default:
		panic(fmt.Sprintf("export: object tag %d", tag))
	}
	p.objects[i] = obj
	return obj
}

func (p *pkgReader) named(r *reader, named *types.Named) {
	if tparams := p.typeParams(r); tparams != nil {
		named.SetTypeParams(tparams)
	}
	underlying := p.typ(r)
	named.SetUnderlying(underlying)
	if _, ok := underlying.(*types.Interface); ok {
		return
	}
	for range r.int() {
		name := p.str(r)
		rparams := p.typeParams(r)
		tparams := p.typeParams(r)
		recv := types.NewVar(token.NoPos, p.pkg, p.str(r), p.typ(r))
		named.AddMethod(types.NewFunc(token.NoPos, p.pkg, name, p.signature(r, recv, rparams, tparams)))
	}
}

func (p *pkgReader) typeParams(r *reader) []*types.TypeParam {
	n := r.int()
	if n == 0 {
		return nil
	}
	list := make([]*types.TypeParam, n)
	for i := range list {
		list[i] = p.typ(r).(*types.TypeParam)
	}
	return list
}

func (p *pkgReader) signature(r *reader, recv *types.Var, rparams, tparams []*types.TypeParam) *types.Signature {
	variadic := r.bool()
	params := p.tuple(r)
	results := p.tuple(r)
	return types.NewSignatureType(recv, rparams, tparams, params, results, variadic)
}

func (p *pkgReader) tuple(r *reader) *types.Tuple {
	n := r.int()
	if n == 0 {
		return nil
	}
	list := make([]*types.Var, n)
	for i := range list {
		name := p.str(r)
		list[i] = types.NewParam(token.NoPos, p.pkg, name, p.typ(r))
	}
	return types.NewTuple(list...)
}

func (p *pkgReader) constant(r *reader) constant.Value {
	switch kind := r.int(); kind {
	case cBool:
		return constant.MakeBool(r.bool())
	case cString:
		return constant.MakeString(p.str(r))
	case cInt:
		return number(p.str(r))
	case cFloat:
		num, den := number(p.str(r)), number(p.str(r))
		return constant.ToFloat(constant.BinaryOp(num, token.QUO, den))
	case cComplex:
		re, im := p.constant(r), p.constant(r)
		return constant.BinaryOp(constant.ToComplex(re), token.ADD, constant.MakeImag(im))
	}
	return constant.MakeUnknown()
}

// number parses an integer in decimal digits, or a floating-point number in the form 0x.1234p+5.
func number(s string) constant.Value {
	digits, neg := strings.CutPrefix(s, "-")
	kind := token.INT
	if strings.Contains(digits, "p") {
		kind = token.FLOAT
	}
	v := constant.MakeFromLiteral(digits, kind, 0)
	if neg {
		v = constant.UnaryOp(token.SUB, v, 0)
	}
	return v
}

func (p *pkgReader) typ(r *reader) types.Type { return p.typeAt(r.int()) }

func (p *pkgReader) typeAt(n int) types.Type {
	if t := p.types[n]; t != nil {
		return t
	}
	r := &reader{p.chunk.types[n]}
	t := p.decode(r, n)
	p.types[n] = t
	return t
}

func (p *pkgReader) decode(r *reader, n int) types.Type {
	switch tag := r.int(); tag {
	case tBasic:
		return predeclared[r.int()]
	case tNamed:
		return p.reference(r)
	case tPointer:
		return types.NewPointer(p.typ(r))
	case tSlice:
		return types.NewSlice(p.typ(r))
	case tArray:
		length := r.int()
		return types.NewArray(p.typ(r), int64(length))
	case tMap:
		key := p.typ(r)
		return types.NewMap(key, p.typ(r))
	case tChan:
		dir := types.ChanDir(r.int())
		return types.NewChan(dir, p.typ(r))
	case tFunc:
		return p.signature(r, nil, nil, nil)
	case tStruct:
		return p.structure(r)
	case tInterface:
		return p.iface(r)
	case tUnion:
		terms := make([]*types.Term, r.int())
		for i := range terms {
			tilde := r.bool()
			terms[i] = types.NewTerm(tilde, p.typ(r))
		}
		return types.NewUnion(terms)
	case tParam:
		t := types.NewTypeParam(types.NewTypeName(token.NoPos, p.pkg, p.str(r), nil), nil)
		p.types[n] = t // before its constraint, which may refer to it
		t.SetConstraint(p.typ(r))
		return t
	default:
		panic(fmt.Sprintf("export: type tag %d", tag))
	}
}

func (p *pkgReader) reference(r *reader) types.Type {
	path := p.chunk.pkgs[r.int()]
	name := p.str(r)
	home := p
	if path != p.pkg.Path() {
		if home = p.open(path); home == nil {
			panic("export: no data of " + path)
		}
	}
	t := home.lookup(name).Type()
	nargs := r.int()
	if nargs == 0 {
		return t
	}
	args := make([]types.Type, nargs)
	for i := range args {
		args[i] = p.typ(r)
	}
	inst, err := types.Instantiate(nil, t, args, false)
	if err != nil {
		panic(fmt.Sprintf("export: %s.%s: %v", path, name, err))
	}
	return inst
}

func (p *pkgReader) structure(r *reader) types.Type {
	n := r.int()
	fields, tags := make([]*types.Var, n), make([]string, n)
	for i := range fields {
		pkg := p.pkg
		if path := p.chunk.pkgs[r.int()]; path != pkg.Path() {
			pkg = p.open(path).pkg
		}
		name, embedded := p.str(r), r.bool()
		tags[i] = p.str(r)
		fields[i] = types.NewField(token.NoPos, pkg, name, p.typ(r), embedded)
	}
	return types.NewStruct(fields, tags)
}

func (p *pkgReader) iface(r *reader) types.Type {
	var recv *types.Var
	if n := r.int(); n > 0 {
		recv = types.NewVar(token.NoPos, p.pkg, "", p.typeAt(n-1))
	}
	implicit := r.bool()
	methods := make([]*types.Func, r.int())
	for i := range methods {
		name := p.str(r)
		methods[i] = types.NewFunc(token.NoPos, p.pkg, name, p.signature(r, recv, nil, nil))
	}
	embedded := make([]types.Type, r.int())
	for i := range embedded {
		embedded[i] = p.typ(r)
	}
	t := types.NewInterfaceType(methods, embedded)
	if implicit {
		t.MarkImplicit()
	}
	p.interfaces = append(p.interfaces, t)
	return t
}
