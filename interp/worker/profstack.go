package worker

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// A stack is a call stack, outermost first, with what was spent in it.
type stack struct {
	frames []string
	value  int64
}

// interpreted stands in stacks for cells' own code, of which the processor's profile sees only the interpreter.
const interpreted = "(interpreted code)"

// cellStack makes of a Go stack, outermost first, what a cell's author knows: compiled functions that the cell called, and
// one frame for the interpreter between them. ok is false for stacks that are not of a cell.
func cellStack(names []string) (frames []string, ok bool) {
	for _, n := range names {
		switch {
		case strings.HasPrefix(n, "gaucho/interp/rt.(*Cell).Run"), strings.HasPrefix(n, "gaucho/interp/rt.Go"):
			frames, ok = nil, true
		case strings.HasPrefix(n, "runtime.goexit"), strings.HasPrefix(n, "runtime.asyncPreempt"):
		case strings.HasPrefix(n, "runtime/pprof."):
			return nil, false // the profiler's own
		case strings.HasPrefix(n, "gaucho/interp/"), strings.HasPrefix(n, "reflect."):
			if len(frames) == 0 || frames[len(frames)-1] != interpreted {
				frames = append(frames, interpreted)
			}
		default:
			frames = append(frames, n)
		}
	}
	if len(frames) == 0 {
		frames = []string{interpreted}
	}
	return frames, ok
}

var errProfile = errors.New("the profile cannot be read")

// parseProfile reads a processor profile in the format of pprof: a compressed protocol buffer with samples (of locations,
// innermost first, and values), locations, functions, and a table of strings. The last value of a sample is its time.
func parseProfile(data []byte) ([]stack, error) {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if data, err = io.ReadAll(z); err != nil {
		return nil, err
	}
	var texts []string
	functions := map[uint64]uint64{}   // to the number of the name
	locations := map[uint64][]uint64{} // to functions, innermost first
	type sample struct{ locations, values []uint64 }
	var samples []sample
	err = fields(data, func(number int, value uint64, body []byte) error {
		switch number {
		case 2:
			var s sample
			samples = append(samples, s)
			at := &samples[len(samples)-1]
			return fields(body, func(n int, v uint64, b []byte) error {
				switch n {
				case 1:
					at.locations = append(at.locations, numbers(v, b)...)
				case 2:
					at.values = append(at.values, numbers(v, b)...)
				}
				return nil
			})
		case 4:
			var id uint64
			var list []uint64
			err := fields(body, func(n int, v uint64, b []byte) error {
				switch n {
				case 1:
					id = v
				case 4:
					return fields(b, func(n int, v uint64, _ []byte) error {
						if n == 1 {
							list = append(list, v)
						}
						return nil
					})
				}
				return nil
			})
			locations[id] = list
			return err
		case 5:
			var id, name uint64
			err := fields(body, func(n int, v uint64, _ []byte) error {
				switch n {
				case 1:
					id = v
				case 2:
					name = v
				}
				return nil
			})
			functions[id] = name
			return err
		case 6:
			texts = append(texts, string(body))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var out []stack
	for _, s := range samples {
		var names []string
		for i := len(s.locations) - 1; i >= 0; i-- {
			list := locations[s.locations[i]]
			for j := len(list) - 1; j >= 0; j-- {
				n := functions[list[j]]
				if n >= uint64(len(texts)) {
					return nil, errProfile
				}
				names = append(names, texts[n])
			}
		}
		frames, ok := cellStack(names)
		if !ok || len(s.values) == 0 {
			continue
		}
		out = append(out, stack{frames, int64(s.values[len(s.values)-1])})
	}
	return out, nil
}

// fields calls f for each field of a protocol buffer's message: with a number, or with bytes.
func fields(b []byte, f func(number int, value uint64, body []byte) error) error {
	for len(b) > 0 {
		tag, n := binary.Uvarint(b)
		if n <= 0 {
			return errProfile
		}
		b = b[n:]
		value, n := binary.Uvarint(b)
		if n <= 0 {
			return errProfile
		}
		b = b[n:]
		var body []byte
		switch tag & 7 {
		case 0:
		case 2:
			if value > uint64(len(b)) {
				return errProfile
			}
			body, b = b[:value], b[value:]
		default:
			return fmt.Errorf("%w: wire type %d", errProfile, tag&7)
		}
		if err := f(int(tag>>3), value, body); err != nil {
			return err
		}
	}
	return nil
}

// numbers are the values of a repeated field, packed or not.
func numbers(value uint64, body []byte) []uint64 {
	if body == nil {
		return []uint64{value}
	}
	var out []uint64
	for len(body) > 0 {
		v, n := binary.Uvarint(body)
		if n <= 0 {
			return out
		}
		out, body = append(out, v), body[n:]
	}
	return out
}
