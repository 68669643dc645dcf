package rt

import (
	"embed"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unsafe"

	"gaucho/interp/rt/value"
)

// What follows is for packages that are run from their module's source.

// Refuse ends a cell that reached a function which the interpreter cannot run.
func Refuse(what, why string) { panic(value.Thrown{Value: value.Refused{What: what, Why: why}}) }

// Caller, Callers, Stack and DebugStack stand for the functions of runtime and runtime/debug: they say that it is not
// known who called, for the stack is the interpreter's.
func Caller(int) (pc uintptr, file string, line int, ok bool) { return 0, "", 0, false }

func Callers(int, []uintptr) int { return 0 }

func Stack([]byte, bool) int { return 0 }

func DebugStack() []byte { return nil }

func PrintStack() {}

// SetFinalizer sets no finalizer: that one runs is promised to nobody, and the interpreter keeps values anyway.
func SetFinalizer(obj, finalizer any) {}

// Embedded is the content of a file that a package has embedded.
func Embedded(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		panic(value.Thrown{Value: value.Refused{What: "an embedded file", Why: err.Error()}})
	}
	return string(text)
}

// An embeddedFile has the layout of the files in an embed.FS.
type embeddedFile struct {
	name string
	data string
	_    [16]byte // its hash
}

// EmbeddedFS is the file system with files that a package has embedded, which lie in dir.
func EmbeddedFS(dir string, names ...string) embed.FS {
	var files []embeddedFile
	folders := map[string]bool{".": true}
	for _, name := range names {
		files = append(files, embeddedFile{name: name, data: Embedded(filepath.Join(dir, filepath.FromSlash(name)))})
		for up := path.Dir(name); !folders[up]; up = path.Dir(up) {
			folders[up] = true
			files = append(files, embeddedFile{name: up + "/"})
		}
	}
	split := func(f embeddedFile) (folder, elem string) {
		folder, elem = path.Split(strings.TrimSuffix(f.name, "/"))
		if folder == "" {
			folder = "./"
		}
		return strings.TrimSuffix(folder, "/"), elem
	}
	slices.SortFunc(files, func(a, b embeddedFile) int { // as embed's search expects them
		fa, ea := split(a)
		fb, eb := split(b)
		if c := strings.Compare(fa, fb); c != 0 {
			return c
		}
		return strings.Compare(ea, eb)
	})
	files = slices.CompactFunc(files, func(a, b embeddedFile) bool { return a.name == b.name })
	fs := struct{ files *[]embeddedFile }{&files}
	return *(*embed.FS)(unsafe.Pointer(&fs))
}
