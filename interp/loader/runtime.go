//go:build go1.26 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"strconv"
	"sync/atomic"
	"unsafe"
)

// All that the loader knows of the insides of package runtime is in this file, and what differs by release in runtime126.go and so on.

type table struct{ addr, len, cap uintptr }

type bitvector struct {
	n    int32
	bits uintptr
}

// pcHeader is runtime.pcHeader.
type pcHeader struct {
	magic      uint32
	pad1, pad2 uint8
	minLC      uint8
	ptrSize    uint8
	nfunc      uintptr
	nfiles     uintptr
	_          uintptr
	funcname   uintptr
	cu         uintptr
	filetab    uintptr
	pctab      uintptr
	pclntab    uintptr
}

const pclntabMagic = 0xfffffff1

// function is runtime._func. The offsets of its tables follow, first those in pctab, then those of funcdata.
type function struct {
	entry       uint32 // from moduledata.text
	name        int32
	args        int32
	deferreturn uint32
	pcsp        uint32
	pcfile      uint32
	pcln        uint32
	npcdata     uint32
	cu          uint32
	startLine   int32
	id          uint8
	flag        uint8
	_           uint8
	nfuncdata   uint8
}

const (
	functionSize = 44

	pcdataInlTree   = 2 // runtime's PCDATA_InlTreeIndex
	funcdataArgsMap = 0
	funcdataInlTree = 3
	funcdataArgInfo = 5

	flagAsm = 1 << 2 // of function.flag
)

// inlinedCall is runtime.inlinedCall.
type inlinedCall struct {
	id        uint8
	_         [3]byte
	name      int32
	parentPC  int32
	startLine int32
}

// ftabEntry is runtime.functab.
type ftabEntry struct{ entry, function uint32 }

// bucket is runtime.findfuncbucket: the index in ftab for 4096 bytes of code, and what to add to it for each 256.
type bucket struct {
	index uint32
	sub   [16]uint8
}

const bucketSpan = 4096

// descriptor is abi.Type.
type descriptor struct {
	size       uintptr
	ptrBytes   uintptr
	hash       uint32
	tflag      uint8
	align      uint8
	fieldAlign uint8
	kind       uint8
	equal      uintptr
	gcdata     uintptr
	str        int32
	ptrToThis  int32
}

const (
	tflagUncommon       = 1 << 0
	tflagExtraStar      = 1 << 1
	tflagNamed          = 1 << 2
	tflagGCMaskOnDemand = 1 << 4

	kindArray     = 17
	kindChan      = 18
	kindFunc      = 19
	kindInterface = 20
	kindMap       = 21
	kindPointer   = 22
	kindSlice     = 23
	kindStruct    = 25
)

// uncommon is abi.UncommonType, methodEntry is abi.Method.
type uncommon struct {
	pkgPath int32
	mcount  uint16
	xcount  uint16
	moff    uint32
	unused  uint32
}

type methodEntry struct{ name, typ, ifn, tfn int32 }

// itab is abi.ITab.
type itab struct {
	inter *descriptor
	typ   *descriptor
	hash  uint32
	fun   [1]uintptr
}

// lastmoduledatap is the end of the runtime's list of modules. The runtime keeps the name open for package sonic.
//
//go:linkname lastmoduledatap runtime.lastmoduledatap
var lastmoduledatap *moduledata

// internals are what the runtime does not keep open by name. Their addresses come from the program's symbol table.
type internals struct {
	first       *moduledata
	modulesinit func()
	getitab     func(inter, typ *descriptor, canfail bool) *itab
	unreachable uintptr // runtime.unreachableMethod, in place of methods that the linker dropped
	iscgo       bool
	exitHooks   *[]exitHook
	exitLock    *int32 // 1 while somebody changes the hooks or runs them
	release     releaseInternals
}

// exitHook is exithook.Hook, what os.Exit calls first.
type exitHook struct {
	f         func()
	onFailure bool // also where the status is not zero
}

// hostModule returns the program's moduledata if it looks as this file has it.
func hostModule() (*moduledata, error) {
	// The program's own module is the last one as well, unless plugins are open.
	md := lastmoduledatap
	pc := pcOf(hostModule)
	hdr := (*pcHeader)(pointer(md.pcHeader))
	switch {
	case md.next != 0 || pc < md.minpc || pc >= md.maxpc:
		return nil, errors.New("the program is not one module")
	case hdr.magic != pclntabMagic || hdr.ptrSize != 8 || md.funcnametab.addr != md.pcHeader+hdr.funcname ||
		md.pclntable.addr != md.pcHeader+hdr.pclntab || md.ftab.len != hdr.nfunc+1 ||
		md.text > md.minpc || md.etext < md.maxpc || md.types >= md.etypes || md.end < md.ebss ||
		!md.hasTypelinks() || md.gcdatamask.n == 0:
		return nil, errors.New("the runtime's tables have another form than this release's")
	}
	return md, nil
}

func pcOf[T any](f T) uintptr { return **(**uintptr)(unsafe.Pointer(&f)) }

// funcAt makes a func value of the address of a function's code.
func funcAt[T any](addr uintptr) T {
	p := &addr
	return *(*T)(unsafe.Pointer(&p))
}

// findInternals finds the functions of the runtime that have to be found by address.
func findInternals(first *moduledata, lookup func(name string) (uintptr, bool)) (*internals, error) {
	rt := &internals{first: first}
	var err error
	find := func(name string) uintptr {
		addr, ok := lookup(name)
		if !ok && err == nil {
			err = fmt.Errorf("the program has no %s", name)
		}
		return addr
	}
	rt.modulesinit = funcAt[func()](find("runtime.modulesinit"))
	rt.getitab = funcAt[func(inter, typ *descriptor, canfail bool) *itab](find("runtime.getitab"))
	if at := find("runtime.iscgo"); at != 0 {
		rt.iscgo = *(*bool)(pointer(at))
	}
	rt.unreachable, _ = lookup("runtime.unreachableMethod")
	rt.exitHooks = (*[]exitHook)(pointer(find("internal/runtime/exithook.hooks")))
	rt.exitLock = (*int32)(pointer(find("internal/runtime/exithook.locked")))
	rt.release.find(find)
	return rt, err
}

// onExit does what [Loader.OnExit] says. The runtime takes a hook from the list and holds the lock while it runs.
func (rt *internals) onExit(f func(code int) (leave func())) {
	var hook exitHook
	hook = exitHook{onFailure: true, f: func() {
		if leave := f(exitCode()); leave != nil {
			*rt.exitHooks = append(*rt.exitHooks, hook)
			atomic.StoreInt32(rt.exitLock, 0)
			leave()
		}
	}}
	for !atomic.CompareAndSwapInt32(rt.exitLock, 0, 1) {
		runtime.Gosched()
	}
	*rt.exitHooks = append(*rt.exitHooks, hook)
	atomic.StoreInt32(rt.exitLock, 0)
}

var exitCall = regexp.MustCompile(`(?m)^os\.Exit\(0x([0-9a-f]+)\)$`)

// exitCode is the status that the running goroutine ends the process with, which hooks are not told. As os.Exit still needs it
// after the hooks, the traceback has it.
func exitCode() int {
	trace := make([]byte, 16<<10)
	call := exitCall.FindSubmatch(trace[:runtime.Stack(trace, false)])
	if call == nil {
		return 1
	}
	code, _ := strconv.ParseUint(string(call[1]), 16, 64)
	return int(code)
}

// newModule fills in the moduledata of the region. Offsets of types, names and functions count from where the program's
// own do, so that descriptors in the region can refer to types and functions of the program, which lie before it.
//
// The lengths of the tables are those that they can grow to; what is not yet in them is never looked at, as maxpc ends
// before it.
func newModule(r *region, host *moduledata) (*moduledata, error) {
	hdrAddr, err := r.module.take(unsafe.Sizeof(pcHeader{}), 8)
	if err != nil {
		return nil, err
	}
	addr, err := r.module.take(unsafe.Sizeof(moduledata{}), 64)
	if err != nil {
		return nil, err
	}
	full := func(a *area, size uintptr) table {
		n := (a.end - a.base) / size
		return table{a.base, n, n}
	}
	hdr := (*pcHeader)(pointer(hdrAddr))
	*hdr = *(*pcHeader)(pointer(host.pcHeader))
	hdr.nfunc, hdr.nfiles = 0, 0
	hdr.funcname, hdr.cu, hdr.filetab = r.names.base-hdrAddr, r.cus.base-hdrAddr, r.files.base-hdrAddr
	hdr.pctab, hdr.pclntab = r.pctab.base-hdrAddr, r.functions.base-hdrAddr
	md := (*moduledata)(pointer(addr))
	*md = moduledata{
		pcHeader:    hdrAddr,
		funcnametab: full(&r.names, 1), cutab: full(&r.cus, 4), filetab: full(&r.files, 1), pctab: full(&r.pctab, 1),
		pclntable: full(&r.functions, 1), ftab: full(&r.ftab, 8), findfunctab: r.buckets.base,
		minpc: r.text.base, maxpc: r.text.base, text: host.text, etext: r.text.end,
		noptrdata: r.noptr.base, enoptrdata: r.noptr.end, data: r.data.base, edata: r.data.base,
		end: r.end, types: host.types, etypes: r.end, rodata: host.types, gofunc: r.base, epclntab: r.end,
		gcdatamask: bitvector{n: int32((r.data.end - r.data.base) / 8), bits: r.masks.base}, // not zero: modulesinit keeps it
	}
	return md, nil
}

// register appends md to the runtime's list and makes the collector and reflection see it.
func (rt *internals) register(md *moduledata) {
	last := lastmoduledatap
	atomic.StoreUintptr(&last.next, uintptr(unsafe.Pointer(md)))
	lastmoduledatap = md
	rt.modulesinit()
}

// coverFaults makes the runtime take a fault in loaded code for one of Go code. On Windows it takes only those for such that lie
// between the beginning and the end of the program's code, so the end becomes that of the region's code.
func (rt *internals) coverFaults(r *region) {
	if runtime.GOOS == "windows" {
		atomic.StoreUintptr(&rt.first.etext, r.text.end)
	}
}

// itabOf returns the one itab for a pair of types. An itab that the runtime makes has no hash, as no type switch of the
// program can know it, but those of loaded code can.
func (rt *internals) itabOf(inter, typ *descriptor) *itab {
	tab := rt.getitab(inter, typ, true)
	if tab == nil {
		return nil
	}
	if tab.hash != typ.hash {
		atomic.StoreUint32(&tab.hash, typ.hash)
	}
	return tab
}
