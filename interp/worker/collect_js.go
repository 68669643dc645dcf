package worker

import (
	"io"
	"os"
)

// collect returns a file, of which end copies what was written to it. Browsers have no pipes; their files are in memory.
func collect(to io.Writer) (file *os.File, end func(), err error) {
	file, err = os.CreateTemp("", "output-")
	if err != nil {
		return nil, nil, err
	}
	return file, func() {
		if _, err := file.Seek(0, io.SeekStart); err == nil {
			io.Copy(to, file)
		}
		file.Close()
		os.Remove(file.Name())
	}, nil
}
