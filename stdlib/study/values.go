package study

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"gaucho/stdlib/display"
)

// What Replicate reads besides its arguments is hashed as the values are when the study is run: numbers by their bits,
// maps in the order of their keys, pointers and interfaces by what they hold. A pointer that was met before is written as
// the number of that meeting, so cycles end, and shared parts differ from equal ones.

// hashReads is the hash of a source's text and of the values that the study's function reads. function names the function at
// a program counter, as far as that says what it computes.
func hashReads(text string, reads map[string]any, function func(pc uintptr) (string, error)) (string, error) {
	sum := sha256.New()
	w := &valueWriter{Writer: bufio.NewWriterSize(sum, 1<<16), function: function, met: map[place]int{}}
	w.text(text)
	for _, name := range slices.Sorted(maps.Keys(reads)) {
		w.text(name)
		if err := w.value(display.ValueOf(reads[name])); err != nil {
			return "", fmt.Errorf("the study's function reads %s%w", name, err)
		}
	}
	w.Flush()
	return hex.EncodeToString(sum.Sum(nil)[:10]), nil
}

// codeName is the name of a function of a program by its code.
func codeName(pc uintptr) (string, error) {
	f := runtime.FuncForPC(pc)
	if f == nil {
		return "", ErrUnknownFunction
	}
	if strings.HasPrefix(f.Name(), "main.") && strings.Contains(f.Name(), ".func") {
		return f.Name(), nil // a part of the program's text
	}
	return NamedFunction(f.Name())
}

// NamedFunction returns the name of a compiled function, as the run time has it, if it can hold no variables of its own. It is
// for the program that runs cells.
func NamedFunction(name string) (string, error) {
	if name == "" {
		return "", errors.New("study: the function has no name")
	}
	if strings.HasSuffix(name, "-fm") || strings.Contains(name, "[") || strings.Contains(name, ".func") || strings.HasPrefix(name, "reflect.") {
		return "", ErrUnknownFunction
	}
	return name, nil
}

// ErrUnknownFunction says that records cannot belong to what a function value computes.
var ErrUnknownFunction = errors.New("a function value made elsewhere may hold variables that nobody can read: " +
	"call a declared function, or let a struct with a method hold them")

// A valueWriter writes values into a hash.
type valueWriter struct {
	*bufio.Writer
	function func(pc uintptr) (string, error)
	met      map[place]int
}

// A place is where a pointer or a map leads.
type place struct {
	at   uintptr
	name string
}

func (w *valueWriter) number(n uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], n)
	w.Write(b[:])
}

func (w *valueWriter) text(s string) {
	w.number(uint64(len(s)))
	w.WriteString(s)
}

// cannot says what of a value cannot be known: an error that goes on from the text "reads x".
func cannot(v display.Value, why string) error {
	return fmt.Errorf(", a %s: %s", v.TypeName(), why)
}

const (
	handleCure = "what it stands for cannot be kept with records; open it in Replicate, or keep no file of records"
	sendCure   = "what comes through it cannot be kept with records; make it in Replicate, or keep no file of records"
)

func (w *valueWriter) value(v display.Value) error {
	k := v.Kind()
	if k == reflect.Invalid {
		w.text("nil")
		return nil
	}
	name := v.TypeName()
	w.text(name)
	switch {
	case k == reflect.Struct && isHandle(name):
		return cannot(v, handleCure)
	case strings.TrimPrefix(name, "*") == "context.Context", strings.HasPrefix(name, "*context."), stateless[name]:
		return nil
	}
	switch k {
	case reflect.Pointer, reflect.Interface, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if v.IsNil() {
			w.text("nil")
			return nil
		}
	}
	switch k {
	case reflect.Struct:
		return w.fields(v, name)
	case reflect.Array, reflect.Slice:
		return w.list(v)
	case reflect.Map:
		return w.mapping(v, name)
	case reflect.Interface:
		return w.value(v.Elem())
	case reflect.Pointer:
		if w.again(v, name) {
			return nil
		}
		return w.value(v.Elem())
	case reflect.Func:
		p, ok := v.(interface{ Pointer() uintptr })
		if !ok {
			return cannot(v, ErrUnknownFunction.Error())
		}
		f, err := w.function(p.Pointer())
		if err != nil {
			return cannot(v, err.Error())
		}
		w.text(f)
		return nil
	case reflect.Chan:
		return cannot(v, sendCure)
	case reflect.UnsafePointer:
		return cannot(v, handleCure)
	}
	return w.basic(v)
}

// stateless are types of which a copy computes the same, whatever is in it.
var stateless = map[string]bool{
	"sync.Mutex": true, "sync.RWMutex": true, "sync.Once": true, "sync.WaitGroup": true, "sync.Pool": true, "sync.noCopy": true,
}

// isHandle reports whether a struct stands for something of the operating system.
func isHandle(name string) bool {
	pkg, _, _ := strings.Cut(name, ".")
	return slices.Contains([]string{"os", "net", "syscall", "exec", "plugin", "sql", "poll"}, pkg)
}

// again writes a pointer that was met before as the number of that meeting.
func (w *valueWriter) again(v display.Value, name string) bool {
	p, ok := v.(interface{ Pointer() uintptr })
	if !ok {
		return false
	}
	at := place{p.Pointer(), name}
	if n, met := w.met[at]; met {
		w.number(uint64(n))
		return true
	}
	w.met[at] = len(w.met)
	w.text("new")
	return false
}

func (w *valueWriter) fields(v display.Value, name string) error {
	for i := range v.NumField() {
		f := v.Field(i)
		if name == "time.Location" && f.Name != "name" { // the rest follows from the name, or remembers what was asked last
			continue
		}
		w.text(f.Name)
		if err := w.value(f.Value); err != nil {
			return fmt.Errorf(".%s%w", f.Name, err)
		}
	}
	return nil
}

func (w *valueWriter) list(v display.Value) error {
	n := v.Len()
	w.number(uint64(n))
	if p, ok := v.(interface{ Bytes() ([]byte, bool) }); ok {
		if raw, ok := p.Bytes(); ok {
			w.Write(raw)
			return nil
		}
	}
	if v.Kind() == reflect.Slice && n > 0 && w.again(v, fmt.Sprint(v.TypeName(), " ", n)) {
		return nil
	}
	for i := range n {
		if err := w.value(v.Index(i)); err != nil {
			return fmt.Errorf("[%d]%w", i, err)
		}
	}
	return nil
}

// mapping writes a map's entries in the order of what their keys are written as.
func (w *valueWriter) mapping(v display.Value, name string) error {
	if w.again(v, name) {
		return nil
	}
	type entry struct {
		key   []byte
		value display.Value
	}
	var entries []entry
	for _, k := range v.Keys() {
		var text bytes.Buffer
		kw := &valueWriter{Writer: bufio.NewWriter(&text), function: w.function, met: map[place]int{}}
		if err := kw.value(k); err != nil {
			return fmt.Errorf("[a key]%w", err)
		}
		kw.Flush()
		entries = append(entries, entry{text.Bytes(), v.MapIndex(k)})
	}
	slices.SortFunc(entries, func(a, b entry) int { return bytes.Compare(a.key, b.key) })
	w.number(uint64(len(entries)))
	for _, e := range entries {
		w.text(string(e.key))
		if err := w.value(e.value); err != nil {
			return fmt.Errorf("[%q]%w", e.key, err)
		}
	}
	return nil
}

func (w *valueWriter) basic(v display.Value) error {
	switch x := v.Basic().(type) {
	case bool:
		w.text(fmt.Sprint(x))
	case int64:
		w.number(uint64(x))
	case uint64:
		w.number(x)
	case float64:
		w.number(math.Float64bits(x))
	case complex128:
		w.number(math.Float64bits(real(x)))
		w.number(math.Float64bits(imag(x)))
	case string:
		w.text(x)
	default:
		return cannot(v, "it is of no kind that can be kept with records")
	}
	return nil
}
