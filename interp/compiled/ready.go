package compiled

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

const readyPrefix = "ready-"

// readyFile is where this program notes that there is a worker that loads plugins, for sessions that do not need one from
// the start. It is found by the program's file alone, so that looking costs no time.
func readyFile() (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	info, err := os.Stat(program)
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %d", program, info.Size(), info.ModTime().UnixNano()))
	return filepath.Join(cache, "gaucho", "compiled", readyPrefix+hex.EncodeToString(sum[:8])), nil
}

// ReadyWorker is the worker that an earlier session of this very program has noted with MarkReady; empty if there is none.
func ReadyWorker() string {
	file, err := readyFile()
	if err != nil {
		return ""
	}
	path, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	if _, err := os.Stat(string(path)); err != nil {
		return ""
	}
	now := time.Now() // the cache keeps what is in use
	os.Chtimes(filepath.Dir(string(path)), now, now)
	return string(path)
}

// MarkReady notes for later sessions that the worker is there.
func (b *Builder) MarkReady() error {
	file, err := readyFile()
	if err != nil {
		return err
	}
	path, ok := b.WorkerFile()
	if !ok {
		return fmt.Errorf("there is no %s", path)
	}
	return cacheError(writeFile(file, []byte(path), 0o666))
}
