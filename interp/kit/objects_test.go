package kit

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestObjects: what is kept comes back as it was, or not at all.
func TestObjects(t *testing.T) {
	k := &Kit{Dir: t.TempDir()}
	a, b := Key{1}, Key{2}
	k.KeepObject(a, []byte("object a"))
	k.KeepObject(b, []byte("object b"))
	file := a.file(k.objects())
	kept := func() bool {
		data, ok := k.Object(a)
		if ok && string(data) != "object a" {
			t.Errorf("the object is %q", data)
		}
		return ok
	}
	if !kept() {
		t.Fatal("what was kept is gone")
	}
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	other, err := os.ReadFile(b.file(k.objects()))
	if err != nil {
		t.Fatal(err)
	}
	for name, damaged := range map[string][]byte{
		"short": whole[:len(whole)-1], "empty": nil, "long": append(bytes.Clone(whole), 0), "of another key": other,
		"changed": append(bytes.Clone(whole[:len(whole)-1]), 'b'),
	} {
		if err := os.WriteFile(file, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if kept() {
			t.Errorf("a file that is %s was taken", name)
		}
	}
	k.KeepObject(a, []byte("object a"))
	if !kept() {
		t.Fatal("a damaged file was not replaced")
	}
	for _, path := range []string{file, k.objects()} {
		if os.PathSeparator != '/' {
			break // modes mean nothing
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v, error %v", path, info.Mode(), err)
		}
		if err := os.Chmod(path, info.Mode().Perm()|0o020); err != nil {
			t.Fatal(err)
		}
		if kept() {
			t.Errorf("an object is taken though others can write %s", path)
		}
		if err := os.Chmod(path, info.Mode().Perm()); err != nil {
			t.Fatal(err)
		}
	}
	if !kept() {
		t.Fatal("the object is gone")
	}
}

// TestCleanObjects: an object that is used stays, one that was not used for five days goes, and that is looked at once a day.
func TestCleanObjects(t *testing.T) {
	k := &Kit{Dir: t.TempDir()}
	used, idle := Key{1}, Key{2}
	age := func(file string, d time.Duration) {
		then := time.Now().Add(-d)
		if err := os.Chtimes(file, then, then); err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range []Key{used, idle} {
		k.KeepObject(key, []byte("object"))
		age(key.file(k.objects()), 6*24*time.Hour)
	}
	if _, ok := k.Object(used); !ok {
		t.Fatal("an old object is not found")
	}
	k.CleanObjects()
	if _, ok := k.Object(idle); ok {
		t.Error("an object that nobody used is still there")
	}
	if _, ok := k.Object(used); !ok {
		t.Error("an object that is used was removed")
	}
	age(used.file(k.objects()), 6*24*time.Hour)
	k.CleanObjects() // on the same day
	if _, err := os.Stat(used.file(k.objects())); err != nil {
		t.Error("objects were looked at twice on a day")
	}
	age(filepath.Join(k.objects(), "cleaned"), 25*time.Hour)
	k.CleanObjects()
	if _, err := os.Stat(used.file(k.objects())); err == nil {
		t.Error("an object that nobody used was not removed the next day")
	}
}
