package symbols

import (
	"compress/flate"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"sync"
)

// An entry is one package in an archive: a name and data that are decompressed when first needed.
type entry struct {
	path   string
	name   string // of the package
	public bool   // cells can import it
	data   string // compressed
}

// readArchive reads the index of an archive, as gen writes it. There is none in an empty string.
func readArchive(s string) []entry {
	if s == "" {
		return nil
	}
	number := func() int {
		v, n := binary.Uvarint([]byte(s[:min(len(s), binary.MaxVarintLen64)]))
		s = s[n:]
		return int(v)
	}
	text := func() string {
		n := number()
		t := s[:n]
		s = s[n:]
		return t
	}
	list := make([]entry, number())
	lengths := make([]int, len(list))
	for i := range list {
		e := &list[i]
		e.path, e.name = text(), text()
		if e.name == "" {
			e.name = e.path[strings.LastIndexByte(e.path, '/')+1:]
		}
		e.public = number() == 1
		lengths[i] = number()
	}
	for i, n := range lengths {
		list[i].data = s[:n]
		s = s[n:]
	}
	return list
}

// inflaters are kept because each one is 40 KB.
var inflaters = sync.Pool{New: func() any { return flate.NewReader(strings.NewReader("")) }}

// inflate decompresses the data of an entry.
func inflate(data string) []byte {
	r := inflaters.Get().(io.Reader)
	defer inflaters.Put(r)
	err := r.(flate.Resetter).Reset(strings.NewReader(data), nil)
	var out []byte
	if err == nil {
		out, err = io.ReadAll(r)
	}
	if err != nil {
		panic(fmt.Sprintf("symbols: embedded data is damaged: %v", err))
	}
	return out
}
