package install

import (
	"os"
	"path/filepath"
	"testing"
)

// TestNbgrader: a new course gets all three files, a second time changes nothing, and a teacher's own files stay.
func TestNbgrader(t *testing.T) {
	course := t.TempDir()
	for range 2 {
		if todo, err := Nbgrader(course); err != nil || len(todo) > 0 {
			t.Fatalf("left to do %q, error %v", todo, err)
		}
	}
	own := filepath.Join(course, "nbgrader_config.py")
	if err := os.WriteFile(own, []byte("c = get_config()\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if todo, err := Nbgrader(course); err != nil || len(todo) != 1 {
		t.Errorf("a config of the teacher's own: left to do %q, error %v", todo, err)
	}
	if text, _ := os.ReadFile(own); string(text) != "c = get_config()\n" {
		t.Errorf("the teacher's config was changed to %q", text)
	}
	if _, err := Nbgrader(filepath.Join(course, "none")); err == nil {
		t.Error("a folder that does not exist: no error")
	}
}
