//go:build go1.26 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"go/constant"
	"go/importer"
	"go/token"
	gotypes "go/types"
	"maps"
	"reflect"
	"runtime"
	"testing"
	"unsafe"
)

// TestRelease compares what the loader knows of the toolchain and of package runtime with their sources, so that it fails
// where a release has changed it.
func TestRelease(t *testing.T) {
	imp := importer.ForCompiler(token.NewFileSet(), "source", nil)
	scope := func(path string) *gotypes.Scope {
		pkg, err := imp.Import(path)
		if err != nil {
			t.Fatal(err)
		}
		return pkg.Scope()
	}
	for path, constants := range map[string]map[string]int64{
		"cmd/internal/objabi": {
			"R_ADDR": int64(relocAddr), "R_ADDRARM64": int64(relocAddrARM64), "R_ADDROFF": int64(relocAddrOff),
			"R_SIZE": int64(relocSizeOf), "R_CALL": int64(relocCall), "R_CALLARM64": int64(relocCallARM64),
			"R_CONST": int64(relocConst), "R_PCREL": int64(relocPCRel), "R_TLS_LE": int64(relocTLSLE),
			"R_USEIFACE": int64(relocUseIface), "R_METHODOFF": int64(relocMethodOff), "R_KEEP": int64(relocKeep),
			"R_GOTPCREL": int64(relocGOTPCRel), "R_ARM64_PCREL_LDST8": int64(relocARM64PCRelLDST8),
			"R_ARM64_PCREL_LDST16": int64(relocARM64PCRelLDST16), "R_ARM64_PCREL_LDST32": int64(relocARM64PCRelLDST32),
			"R_ARM64_PCREL_LDST64": int64(relocARM64PCRelLDST64), "R_ARM64_TLS_LE": int64(relocARM64TLSLE), "R_ARM64_GOTPCREL": int64(relocARM64GOTPCRel), "R_WEAK": -relocWeak,
			"STEXT": kindText, "STEXTFIPS": kindTextFIPS, "SRODATA": kindRodata, "SRODATAFIPS": kindRodataFIPS,
			"SNOPTRDATA": kindNoptrdata, "SNOPTRDATAFIPS": kindNoptrdataFIPS, "SDATA": kindData, "SDATAFIPS": kindDataFIPS,
			"SBSS": kindBSS, "SNOPTRBSS": kindNoptrBSS, "STLSBSS": kindTLSBSS, "SDWARFCUINFO": kindDwarfFirst,
		},
		"cmd/internal/goobj": {
			"NBlk": numBlocks, "BlkAutolib": blockAutolib, "BlkPkgIdx": blockPackages, "BlkFile": blockFiles, "BlkSymdef": blockSelf,
			"BlkHashed64def": blockHash64, "BlkHasheddef": blockHash, "BlkNonpkgdef": blockNamed, "BlkNonpkgref": blockRefs,
			"BlkRelocIdx": blockRelocIndex, "BlkAuxIdx": blockAuxIndex, "BlkDataIdx": blockDataIndex, "BlkReloc": blockRelocs,
			"BlkAux": blockAux, "BlkData": blockData, "SymSize": symbolSize, "RelocSize": relocSize, "AuxSize": auxSize,
			"PkgIdxNone": pkgNone, "PkgIdxHashed64": pkgHash64, "PkgIdxHashed": pkgHash, "PkgIdxSelf": pkgSelf,
			"AuxGotype": auxGotype, "AuxFuncInfo": auxFuncInfo, "AuxFuncdata": auxFuncdata, "AuxPcsp": auxPcsp, "AuxPcfile": auxPcfile,
			"AuxPcline": auxPcline, "AuxPcinline": auxPcinline, "AuxPcdata": auxPcdata, "SymFlagDupok": flagDupok,
			"SymFlagTypelink": flagTypelink, "SymFlagUsedInIface": flagUsedInIface, "SymFlagItab": flagItab,
			"ObjFlagFromAssembly": flagFromAssembly,
		},
		"internal/abi": {
			"PCDATA_InlTreeIndex": pcdataInlTree, "FUNCDATA_InlTree": funcdataInlTree, "FUNCDATA_ArgsPointerMaps": funcdataArgsMap,
			"FUNCDATA_ArgInfo": funcdataArgInfo, "FuncFlagAsm": flagAsm, "FuncTabBucketSize": bucketSpan, "CurrentPCLnTabMagic": pclntabMagic,
			"TFlagUncommon": tflagUncommon, "TFlagExtraStar": tflagExtraStar, "TFlagNamed": tflagNamed,
			"TFlagGCMaskOnDemand": tflagGCMaskOnDemand, "Array": kindArray, "Chan": kindChan, "Func": kindFunc,
			"Interface": kindInterface, "Map": kindMap, "Pointer": kindPointer, "Slice": kindSlice, "Struct": kindStruct,
		},
	} {
		for name, want := range constants {
			c, ok := scope(path).Lookup(name).(*gotypes.Const)
			if !ok {
				t.Errorf("%s has no constant %s", path, name)
				continue
			}
			if got, _ := constant.Int64Val(constant.ToInt(c.Val())); got != want {
				t.Errorf("%s.%s is %d, not %d", path, name, got, want)
			}
		}
	}
	if c := scope("cmd/internal/goobj").Lookup("Magic").(*gotypes.Const); constant.StringVal(c.Val()) != objectMagic {
		t.Error("objects have another magic string")
	}
	sizes := gotypes.SizesFor("gc", runtime.GOARCH)
	for _, s := range []struct {
		path, name string
		ours       any
	}{
		{"runtime", "moduledata", moduledata{}}, {"runtime", "pcHeader", pcHeader{}}, {"runtime", "_func", function{}},
		{"runtime", "inlinedCall", inlinedCall{}}, {"runtime", "functab", ftabEntry{}}, {"runtime", "findfuncbucket", bucket{}},
		{"internal/abi", "Type", descriptor{}}, {"internal/abi", "UncommonType", uncommon{}}, {"internal/abi", "Method", methodEntry{}},
		{"internal/abi", "ITab", itab{}}, {"internal/runtime/exithook", "Hook", exitHook{}},
	} {
		theirs := flatten(sizes, 0, scope(s.path).Lookup(s.name).Type())
		ours := flattenOurs(0, reflect.TypeOf(s.ours))
		if !reflect.DeepEqual(theirs, ours) {
			t.Errorf("%s.%s has fields at\n%v, ours at\n%v", s.path, s.name, theirs, ours)
		}
	}
	theirs := scope("runtime").Lookup("moduledata").Type().Underlying().(*gotypes.Struct)
	ours := reflect.TypeFor[moduledata]()
	for i := range ours.NumField() { // theirs begins with NotInHeap
		if got := theirs.Field(i + 1).Name(); got != ours.Field(i).Name {
			t.Errorf("field %d of runtime.moduledata is %s, not %s", i, got, ours.Field(i).Name)
		}
	}
	for name, want := range map[string]int64{"MapType": int64(commonSize + mapTypeSize), "StructField": 24, "Imethod": 8, "ArrayType": int64(commonSize) + 24,
		"ChanType": int64(commonSize) + 16, "StructType": int64(commonSize) + 32, "InterfaceType": int64(commonSize) + 32, "FuncType": int64(commonSize) + 8} {
		if got := sizes.Sizeof(scope("internal/abi").Lookup(name).Type()); got != want {
			t.Errorf("abi.%s has %d bytes, not %d", name, got, want)
		}
	}
	if functionSize != unsafe.Sizeof(function{}) {
		t.Error("functionSize is wrong")
	}
	for name, want := range map[string]string{"hooks": "[]internal/runtime/exithook.Hook", "locked": "internal/runtime/atomic.Int32"} {
		if got := scope("internal/runtime/exithook").Lookup(name).Type().String(); got != want {
			t.Errorf("exithook.%s is %s, not %s", name, got, want)
		}
	}
	objects := map[string]string{
		"getitab":         "func(inter *runtime.interfacetype, typ *runtime._type, canfail bool) *runtime.itab",
		"modulesinit":     "func()",
		"lastmoduledatap": "*runtime.moduledata",
	}
	maps.Copy(objects, releaseObjects)
	for name, want := range objects {
		if got := scope("runtime").Lookup(name).Type().String(); got != want {
			t.Errorf("runtime.%s is %s, not %s", name, got, want)
		}
	}
}

// word is a field without parts: its offset and size.
type word [2]int64

// flatten lists the words of a type: a slice is three, an interface or string two.
func flatten(sizes gotypes.Sizes, at int64, t gotypes.Type) (list []word) {
	switch u := t.Underlying().(type) {
	case *gotypes.Struct:
		var fields []*gotypes.Var
		for i := range u.NumFields() {
			fields = append(fields, u.Field(i))
		}
		for i, off := range sizes.Offsetsof(fields) {
			list = append(list, flatten(sizes, at+off, fields[i].Type())...)
		}
	case *gotypes.Array:
		for i := range u.Len() {
			list = append(list, flatten(sizes, at+i*sizes.Sizeof(u.Elem()), u.Elem())...)
		}
	default:
		size := sizes.Sizeof(u)
		for i := int64(0); i < size; i += 8 {
			list = append(list, word{at + i, min(size, 8)})
		}
	}
	return list
}

func flattenOurs(at int64, t reflect.Type) (list []word) {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			list = append(list, flattenOurs(at+int64(t.Field(i).Offset), t.Field(i).Type)...)
		}
	case reflect.Array:
		for i := range t.Len() {
			list = append(list, flattenOurs(at+int64(i)*int64(t.Elem().Size()), t.Elem())...)
		}
	default:
		list = append(list, word{at, int64(t.Size())})
	}
	return list
}
