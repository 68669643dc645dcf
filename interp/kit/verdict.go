package kit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Verdict is what SetVerdict kept for this program with this kit: why compiled cells do not run here, empty where they do.
// The error is fs.ErrNotExist where nothing was kept.
func (k *Kit) Verdict() (string, error) {
	file, err := k.ofProgram("verdict")
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(file)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return string(text), err
	}
	if file, err = k.ofProgram("day"); err != nil {
		return "", err
	}
	info, err := os.Stat(file)
	if err != nil {
		return "", err
	}
	if time.Since(info.ModTime()) > 24*time.Hour {
		return "", fs.ErrNotExist
	}
	text, err = os.ReadFile(file)
	return string(text), err
}

// SetVerdict keeps whether compiled cells run here.
func (k *Kit) SetVerdict(why string) error { return k.keep("verdict", why) }

// SetVerdictForDay keeps it for a day.
func (k *Kit) SetVerdictForDay(why string) error { return k.keep("day", why) }

func (k *Kit) keep(what, text string) error {
	file, err := k.ofProgram(what)
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o600)
}

// Alone reports whether no other process tests this kit now, and keeps others from it until release is called.
func (k *Kit) Alone() (release func(), ok bool) {
	f, err := os.OpenFile(filepath.Join(k.Dir, "testing"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return func() {}, true
	}
	if errors.Is(tryLock(f), errLocked) {
		f.Close()
		return nil, false
	}
	return func() { f.Close() }, true
}

// ofProgram is a file of the kit that is named after the program, the system and the processor, of which each may change.
func (k *Kit) ofProgram(what string) (string, error) {
	program, built, err := self()
	if err != nil {
		return "", err
	}
	return filepath.Join(k.Dir, what+"-"+name(program, fmt.Sprint(built.Size(), built.ModTime().UnixNano()), system())), nil
}

// System names the system's build and the processor, to which a verdict is bound, without the list of all that the processor can.
func System() string {
	known, _, _ := strings.Cut(system(), ":feature:")
	return strings.Join(strings.Fields(known), " ")
}

// self is this program's file.
func self() (string, fs.FileInfo, error) {
	program, err := os.Executable()
	if err != nil {
		return "", nil, err
	}
	info, err := os.Stat(program)
	return program, info, err
}

// fits reports whether the kit that the program carries was packed from other sources than the program was built from: go build
// takes any kit that it is given, and cells would be compiled for packages that are not those in the program. It looks where the
// program was built, once for each build. A program that was built with -trimpath, as released ones are, does not say where.
func (k *Kit) fits() error {
	_, here, _, _ := runtime.Caller(0)
	checkout := filepath.Dir(filepath.Dir(filepath.Dir(here)))
	if k.own || !filepath.IsAbs(here) {
		return nil
	}
	seen, err := k.ofProgram("fits")
	if err != nil {
		return nil
	}
	if _, err := os.Stat(seen); err == nil {
		return nil
	}
	_, built, err := self()
	if err != nil {
		return nil
	}
	same, known := sameSources(os.DirFS(filepath.Join(k.Dir, sourceDir)), os.DirFS(checkout), built.ModTime())
	if known && !same {
		return fmt.Errorf("this program's kit was packed from other sources than those in %s, from which the program was built; remove dist/kit there and run make", checkout)
	}
	if known {
		os.WriteFile(seen, nil, 0o600)
	}
	return nil
}

// sameSources compares the sources of a kit with those that a program was built from at a time. It is not known where they have
// changed since.
func sameSources(packed, checkout fs.FS, built time.Time) (same, known bool) {
	for _, part := range parts {
		err := fs.WalkDir(checkout, part, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err == nil && info.ModTime().After(built) { // a directory changes with what is created and removed in it
				err = errors.New("changed")
			}
			return err
		})
		if err != nil {
			return false, false
		}
	}
	a, err := hash(packed)
	b, other := hash(checkout)
	return a == b, err == nil && other == nil
}
