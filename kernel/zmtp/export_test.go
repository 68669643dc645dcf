package zmtp

import (
	"bufio"
	"bytes"
	"fmt"
	"slices"
)

// ParseProperties is parseProperties, for tests.
func ParseProperties(b []byte) { parseProperties(b) }

// CheckRoundTrip reads messages from b and checks that each is the same when written and read again, and that no more
// than limit bytes were taken for one.
func CheckRoundTrip(b []byte, limit int64) error {
	r := bufio.NewReader(bytes.NewReader(b))
	for {
		m, name, _, err := readMessage(r, limit)
		if err != nil {
			return nil
		}
		if name != "" || m == nil {
			continue
		}
		size := 0
		for _, f := range m {
			size += len(f)
		}
		if int64(size) > limit {
			return fmt.Errorf("a message of %d bytes, limit %d", size, limit)
		}
		again, _, _, err := readMessage(bufio.NewReader(bytes.NewReader(encode(m))), limit)
		if err != nil || !slices.EqualFunc(m, again, bytes.Equal) {
			return fmt.Errorf("%q became %q, %v", m, again, err)
		}
	}
}
