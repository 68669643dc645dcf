package kit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Compiled packages of modules are kept next to the compiler that made them, under a key that says all that went into them, for the next
// session. A kit that goes takes them along.

// A Key names the object of a package by a hash of all that it is made of.
type Key [sha256.Size]byte

// unused is how long an object that no session asks for is kept, and clean how often that is looked at; both are those of Go's own cache.
// An object's time of use is written anew only after aging, so that a session seldom writes.
const unused, clean, aging = 5 * 24 * time.Hour, 24 * time.Hour, time.Hour

func (k *Kit) objects() string { return filepath.Join(k.Dir, "modules") }

func (key Key) file(dir string) string { return filepath.Join(dir, hex.EncodeToString(key[:])) }

// seal is what an object's file begins with.
func (key Key) seal(object []byte) []byte {
	h := sha256.New()
	h.Write(key[:])
	h.Write(object)
	return h.Sum(nil)
}

// Object returns the object that was kept under a key. One that is damaged, or that others could have written, is not returned.
func (k *Kit) Object(key Key) ([]byte, bool) {
	file := key.file(k.objects())
	if private(k.objects()) != nil || privateFile(file) != nil {
		return nil, false
	}
	data, err := os.ReadFile(file)
	if err != nil || len(data) < sha256.Size || !bytes.Equal(data[:sha256.Size], key.seal(data[sha256.Size:])) {
		return nil, false
	}
	if info, err := os.Stat(file); err == nil && time.Since(info.ModTime()) > aging {
		now := time.Now()
		os.Chtimes(file, now, now)
	}
	return data[sha256.Size:], true
}

// KeepObject keeps an object under a key. What cannot be kept is compiled again.
func (k *Kit) KeepObject(key Key, object []byte) {
	dir := k.objects()
	if makePrivate(dir) != nil {
		return
	}
	f, err := os.CreateTemp(dir, ".new-*")
	if err != nil {
		return
	}
	_, err = f.Write(append(key.seal(object), object...))
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), key.file(dir))
	}
	if err != nil { // a full disk
		os.Remove(f.Name())
	}
}

// CleanObjects removes the objects that no session has used for five days, at most once a day.
func (k *Kit) CleanObjects() {
	dir := k.objects()
	last := filepath.Join(dir, "cleaned")
	if info, err := os.Stat(last); err == nil && time.Since(info.ModTime()) < clean || private(dir) != nil {
		return
	}
	if os.WriteFile(last, nil, 0o600) != nil {
		return
	}
	now := time.Now()
	os.Chtimes(last, now, now)
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > unused {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// privateFile reports what keeps a file from being one that only the user can have written.
func privateFile(file string) error {
	info, err := os.Lstat(file)
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a file", file)
	case info.Mode().Perm()&0o022 != 0 && os.PathSeparator == '/':
		return fmt.Errorf("%s can be written by others than its owner", file)
	}
	return owned(file, info)
}
