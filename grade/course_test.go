package grade

import (
	"context"
	"path/filepath"
	"testing"
	"time"
)

// TestCourse: the course's assignments can be marked as they are. Their own solutions get all points (Run sees to that), and
// what students are given gets none.
func TestCourse(t *testing.T) {
	sources, err := filepath.Glob("../notebooks/course/*.ipynb")
	if err != nil || len(sources) != 8 {
		t.Fatalf("%d assignments, error %v", len(sources), err)
	}
	o := options()
	o.Limits = DefaultLimits()
	o.Limits.Cell = time.Minute
	for _, source := range sources {
		t.Run(filepath.Base(source), func(t *testing.T) {
			a, err := Read(source)
			if err != nil {
				t.Fatal(err)
			}
			released, err := a.Release()
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "student.ipynb")
			if err := released.WriteFile(path); err != nil {
				t.Fatal(err)
			}
			reports, err := a.Run(context.Background(), []Submission{{"student", path}}, o)
			if err != nil {
				t.Fatal(err)
			}
			if reports[0].Points != 0 || reports[0].End != "" {
				t.Errorf("the notebook as released gets %v points; %s", reports[0].Points, reports[0].End)
			}
		})
	}
}
