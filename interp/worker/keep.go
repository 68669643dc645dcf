package worker

import (
	"cmp"
	"encoding"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"gaucho/interp/wire"
)

// keep writes variables into files of their own, the small ones first, up to m.Limit bytes in all. What cannot be written is
// left out.
func (w *watched) keep(m *wire.Look, names []string, seen *wire.Seen) {
	type variable struct {
		name string
		p    any
		size int64
	}
	var vars []variable
	for _, name := range names {
		w.mu.Lock()
		p := w.vars[name]
		w.mu.Unlock()
		if v := reflect.ValueOf(p); v.Kind() == reflect.Pointer && !v.IsNil() && filed(v.Elem()) {
			size, _ := sizeOf(p, true)
			vars = append(vars, variable{name, p, size})
		}
	}
	slices.SortStableFunc(vars, func(a, b variable) int { return cmp.Compare(a.size, b.size) })
	left := m.Limit
	for i, v := range vars {
		if v.size > left {
			return
		}
		file := filepath.Join(m.Keep, fmt.Sprint(i))
		looker{}.guard(v.name, &wire.Seen{}, func() {
			n, err := write(file, v.p, left)
			left -= n
			if err == nil {
				seen.Items = append(seen.Items, wire.Item{Name: v.name, File: file, Size: n})
			}
		})
	}
}

// filed reports whether a value is one for a file: a slice of basic values, or a pointer to what writes itself.
func filed(v reflect.Value) bool {
	t := v.Type()
	switch t.Kind() {
	case reflect.Slice:
		k := t.Elem().Kind()
		return t.PkgPath() == "" && t.Elem().PkgPath() == "" && (k == reflect.String || k <= reflect.Float64 && k != reflect.Uintptr)
	case reflect.Pointer:
		_, ok := v.Interface().(encoding.BinaryMarshaler)
		return ok && !v.IsNil()
	}
	return false
}

// write writes what p points to, at most limit bytes.
func write(file string, p any, limit int64) (n int64, err error) {
	f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return 0, err
	}
	out := &bounded{f, limit}
	if m, ok := reflect.ValueOf(p).Elem().Interface().(encoding.BinaryMarshaler); ok {
		var data []byte
		if data, err = m.MarshalBinary(); err == nil {
			_, err = out.Write(data)
		}
	} else {
		err = gob.NewEncoder(out).Encode(p)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return 0, errors.Join(err, os.Remove(file))
	}
	return limit - out.left, nil
}

// A bounded writer takes so many bytes.
type bounded struct {
	io.Writer
	left int64
}

func (b *bounded) Write(data []byte) (int, error) {
	if int64(len(data)) > b.left {
		return 0, errors.New("too long")
	}
	b.left -= int64(len(data))
	return b.Writer.Write(data)
}

// fill reads variables from files that keep has written.
func (w *watched) fill(m *wire.Look, seen *wire.Seen) {
	for i, name := range m.Names {
		w.mu.Lock()
		p := w.vars[name]
		w.mu.Unlock()
		if p != nil && i < len(m.Files) && read(m.Files[i], p) == nil {
			seen.Items = append(seen.Items, wire.Item{Name: name})
		}
	}
}

// read sets what p points to.
func read(file string, p any) error {
	v := reflect.ValueOf(p).Elem()
	if v.Kind() != reflect.Pointer {
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		defer f.Close()
		return gob.NewDecoder(f).Decode(p)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	fresh := reflect.New(v.Type().Elem())
	to, ok := fresh.Interface().(encoding.BinaryUnmarshaler)
	if !ok {
		return fmt.Errorf("a %s does not read itself", v.Type())
	}
	if err := to.UnmarshalBinary(data); err != nil {
		return err
	}
	v.Set(fresh)
	return nil
}
