package install

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"gaucho/internal/atomicfile"
)

//go:embed nbgrader
var nbgrader embed.FS

// loadsGaucho is the nbgrader_config.py of a course that has none.
const loadsGaucho = "c = get_config()\nload_subconfig(\"gaucho_config.py\")\n"

// Nbgrader writes into a course's directory what nbgrader must know of Go: gaucho_config.py, autotests.yml, and an
// nbgrader_config.py that loads the first. An autotests.yml or nbgrader_config.py that is there is the teacher's and is left
// alone; todo then says what to add to it.
func Nbgrader(course string) (todo []string, err error) {
	if st, err := os.Stat(course); err != nil || !st.IsDir() {
		return nil, fmt.Errorf("install: --nbgrader is %s, must be a course's directory", course)
	}
	config, err := nbgrader.ReadFile("nbgrader/gaucho_config.py")
	if err != nil {
		panic(err) // embedded
	}
	tests, err := nbgrader.ReadFile("nbgrader/autotests.yml")
	if err != nil {
		panic(err) // embedded
	}
	if err := atomicfile.WriteData(filepath.Join(course, "gaucho_config.py"), config); err != nil {
		return nil, fmt.Errorf("install: %w", err)
	}
	for _, f := range []struct {
		name string
		data []byte
		todo string
	}{
		{"autotests.yml", tests, "autotests.yml is there already; for tests made from solutions it needs an entry gaucho, as in " +
			"an autotests.yml that this command writes into an empty directory"},
		{"nbgrader_config.py", []byte(loadsGaucho), `nbgrader_config.py is there already; it needs the line load_subconfig("gaucho_config.py")`},
	} {
		path := filepath.Join(course, f.name)
		switch old, err := os.ReadFile(path); {
		case err == nil && string(old) != string(f.data):
			todo = append(todo, f.todo)
		case err == nil:
		case errors.Is(err, fs.ErrNotExist):
			if err := atomicfile.WriteData(path, f.data); err != nil {
				return nil, fmt.Errorf("install: %w", err)
			}
		default:
			return nil, fmt.Errorf("install: %w", err)
		}
	}
	return todo, nil
}
