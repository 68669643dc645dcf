//go:build go1.26 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// An object is one object file of the Go compiler or assembler, read in place. The format is that of cmd/internal/goobj:
// a header with the offsets of blocks, blocks of fixed-size records, and for each defined symbol its relocations, its
// auxiliary symbols and its data.
type object struct {
	data   []byte
	blocks [numBlocks]uint32
	asm    bool // made by the assembler

	packages []string
	nself    int // defined symbols by kind, in the order in which they are numbered
	nhash64  int
	nhash    int
	nnamed   int
	nrefs    int // symbols of others, by name
	syms     []symbol
	nfiles   uint32
}

// Blocks of an object file.
const (
	blockAutolib = iota
	blockPackages
	blockFiles
	blockSelf
	blockHash64
	blockHash
	blockNamed
	blockRefs
	blockRefFlags
	blockHash64Sums
	blockHashSums
	blockRelocIndex
	blockAuxIndex
	blockDataIndex
	blockRelocs
	blockAux
	blockData
	blockRefNames
	blockEnd
	numBlocks
)

const (
	objectMagic = "\x00go120ld"

	symbolSize = 21
	relocSize  = 23
	auxSize    = 9

	flagFromAssembly = 1 << 2
)

// Package indices of symbol references that mean something else than a package.
const (
	pkgNone    = 1<<31 - 1 - iota // by name
	pkgHash64                     // by content
	pkgHash                       // by content
	pkgBuiltin                    // functions of package runtime
	pkgSelf
)

// Kinds of symbols.
const (
	kindText = iota + 1
	kindTextFIPS
	kindRodata
	kindRodataFIPS
	kindNoptrdata
	kindNoptrdataFIPS
	kindData
	kindDataFIPS
	kindBSS
	kindNoptrBSS
	kindTLSBSS
	kindDwarfFirst
)

// Flags of symbols.
const (
	flagDupok       = 1 << 0
	flagTypelink    = 1 << 2
	flagUsedInIface = 1 << 0 // of the second byte, as the next
	flagItab        = 1 << 1

	abiStatic = ^uint16(0)
)

// Auxiliary symbols.
const (
	auxGotype = iota
	auxFuncInfo
	auxFuncdata
	auxDwarfInfo
	auxDwarfLoc
	auxDwarfRanges
	auxDwarfLines
	auxPcsp
	auxPcfile
	auxPcline
	auxPcinline
	auxPcdata
)

// A symbol is one that an object defines or refers to by name.
type symbol struct {
	obj   *object
	index int // among the defined symbols of obj; -1 for a reference
	name  string
	abi   uint16
	kind  uint8
	flag  uint8
	flag2 uint8
	size  uint32
	align uint32

	state state
	alias *symbol // of another object of the archive
	addr  uintptr
	near  uintptr // of a late symbol: within reach of the code, its address and then a copy
}

// state is what becomes of a symbol.
type state uint8

const (
	unused  state = iota
	placed        // defined here, has or gets a place of its own
	outside       // addr is in the program or in what was loaded before
	aliased       // see alias
	late          // an itab: the runtime says where, once the types are in place
	missing
)

// A ref refers to a symbol by number.
type ref struct{ pkg, index uint32 }

// A reloc is one place in a symbol's data that depends on an address.
type reloc struct {
	off  int32
	size uint8
	kind relocKind
	weak bool
	add  int64
	sym  ref
}

type relocKind uint16

const relocWeak = 1 << 15

func (o *object) u32(off uint32) uint32 { return binary.LittleEndian.Uint32(o.data[off:]) }

func (o *object) str(off uint32) string {
	n, start := o.u32(off), o.u32(off+4)
	return string(o.data[start : start+n])
}

// count is how many records of a size a block has.
func (o *object) count(block int, size uint32) int {
	return int((o.blocks[block+1] - o.blocks[block]) / size)
}

// readObject reads the tables of an object file.
func readObject(data []byte) (*object, error) {
	if !bytes.HasPrefix(data, []byte(objectMagic)) {
		return nil, errors.New("the object file has another format than this release's")
	}
	o := &object{data: data}
	const flags = uint32(len(objectMagic) + 8)
	o.asm = o.u32(flags)&flagFromAssembly != 0
	for i := range o.blocks {
		o.blocks[i] = o.u32(flags + 4 + 4*uint32(i))
	}
	o.packages = make([]string, o.count(blockPackages, 8))
	for i := range o.packages {
		o.packages[i] = o.str(o.blocks[blockPackages] + 8*uint32(i))
	}
	o.nfiles = uint32(o.count(blockFiles, 8))
	o.nself = o.count(blockSelf, symbolSize)
	o.nhash64 = o.count(blockHash64, symbolSize)
	o.nhash = o.count(blockHash, symbolSize)
	o.nnamed = o.count(blockNamed, symbolSize)
	o.nrefs = o.count(blockRefs, symbolSize)
	defined := o.nself + o.nhash64 + o.nhash + o.nnamed
	o.syms = make([]symbol, defined+o.nrefs)
	for i := range o.syms { // the five blocks follow each other
		rec := o.data[o.blocks[blockSelf]+symbolSize*uint32(i):][:symbolSize]
		s := &o.syms[i]
		*s = symbol{
			obj: o, index: i,
			abi: binary.LittleEndian.Uint16(rec[8:]), kind: rec[10], flag: rec[11], flag2: rec[12],
			size: binary.LittleEndian.Uint32(rec[13:]), align: binary.LittleEndian.Uint32(rec[17:]),
		}
		n, start := binary.LittleEndian.Uint32(rec), binary.LittleEndian.Uint32(rec[4:])
		s.name = string(o.data[start : start+n])
		if i >= defined {
			s.index = -1
		}
	}
	return o, nil
}

// symbol returns what r refers to, nil for nothing.
func (o *object) symbol(r ref) *symbol {
	i := int(r.index)
	switch r.pkg {
	case 0:
		return nil
	case pkgSelf:
		return &o.syms[:o.nself][i]
	case pkgHash64:
		return &o.syms[o.nself:][:o.nhash64][i]
	case pkgHash:
		return &o.syms[o.nself+o.nhash64:][:o.nhash][i]
	case pkgNone:
		return &o.syms[o.nself+o.nhash64+o.nhash:][i]
	}
	panic(errNumbered)
}

var errNumbered = errors.New("the object refers to other packages by number; it must be compiled with -linkshared, which makes that names")

// relocs appends the relocations of a defined symbol.
func (o *object) relocs(s *symbol, list []reloc) []reloc {
	list = list[:0]
	first, end := o.indexed(blockRelocIndex, s.index)
	for i := first; i < end; i++ {
		rec := o.data[o.blocks[blockRelocs]+relocSize*i:][:relocSize]
		kind := binary.LittleEndian.Uint16(rec[5:])
		list = append(list, reloc{
			off: int32(binary.LittleEndian.Uint32(rec)), size: rec[4],
			kind: relocKind(kind &^ relocWeak), weak: kind&relocWeak != 0,
			add: int64(binary.LittleEndian.Uint64(rec[7:])),
			sym: ref{binary.LittleEndian.Uint32(rec[15:]), binary.LittleEndian.Uint32(rec[19:])},
		})
	}
	return list
}

func (o *object) indexed(block, i int) (first, end uint32) {
	at := o.blocks[block] + 4*uint32(i)
	return o.u32(at), o.u32(at + 4)
}

// contents are the data of a defined symbol; what size has beyond them is zero.
func (o *object) contents(s *symbol) []byte {
	first, end := o.indexed(blockDataIndex, s.index)
	return o.data[o.blocks[blockData]:][first:end]
}

// aux calls f with each auxiliary symbol.
func (o *object) aux(s *symbol, f func(kind uint8, r ref)) {
	first, end := o.indexed(blockAuxIndex, s.index)
	for i := first; i < end; i++ {
		rec := o.data[o.blocks[blockAux]+auxSize*i:][:auxSize]
		f(rec[0], ref{binary.LittleEndian.Uint32(rec[1:]), binary.LittleEndian.Uint32(rec[5:])})
	}
}

func (o *object) file(i uint32) string { return o.str(o.blocks[blockFiles] + 8*i) }

// readArchive returns the objects of a package archive, or the one of a file that is just an object.
func readArchive(data []byte) (objects []*object, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the object file is damaged: %v", r)
		}
	}()
	const magic = "!<arch>\n"
	if !bytes.HasPrefix(data, []byte(magic)) {
		o, err := readMember(data)
		if err != nil {
			return nil, err
		}
		return []*object{o}, nil
	}
	for data = data[len(magic):]; len(data) > 0; {
		const header = 60
		if len(data) < header {
			return nil, errors.New("the archive ends early")
		}
		size, err := strconv.Atoi(strings.TrimSpace(string(data[48:58])))
		if err != nil || size < 0 || size > len(data)-header {
			return nil, errors.New("the archive is damaged")
		}
		name := strings.TrimSpace(string(data[:16]))
		member := data[header : header+size]
		data = data[min(len(data), header+size+size&1):]
		if name == "__.PKGDEF" || name == "preferlinkext" || name == "dynimportfail" {
			continue
		}
		o, err := readMember(member)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		objects = append(objects, o)
	}
	if len(objects) == 0 {
		return nil, errors.New("the archive has no object")
	}
	return objects, nil
}

// readMember reads an object file: lines that say what made it, a line with an exclamation mark, and the object.
func readMember(data []byte) (*object, error) {
	if !bytes.HasPrefix(data, []byte("go object ")) {
		return nil, errors.New("not an object of the Go compiler")
	}
	line, _, _ := bytes.Cut(data, []byte("\n"))
	if err := checkHeader(string(line)); err != nil {
		return nil, err
	}
	_, rest, ok := bytes.Cut(data, []byte("\n!\n"))
	if !ok {
		return nil, errors.New("the object has no header")
	}
	return readObject(rest)
}
