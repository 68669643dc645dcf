package kit

import (
	"fmt"
	"os"
	"path/filepath"
)

// Verdict is what SetVerdict kept for this program with this kit: why compiled cells do not run here, empty where they do.
// The error is fs.ErrNotExist where nothing was kept.
func (k *Kit) Verdict() (string, error) {
	file, err := k.verdictFile()
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(file)
	return string(text), err
}

// SetVerdict keeps whether compiled cells run here.
func (k *Kit) SetVerdict(why string) error {
	file, err := k.verdictFile()
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(why), 0o600)
}

// verdictFile is named after the program and the system, of which either may change.
func (k *Kit) verdictFile() (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	info, err := os.Stat(program)
	if err != nil {
		return "", err
	}
	return filepath.Join(k.Dir, "verdict-"+name(program, fmt.Sprint(info.Size(), info.ModTime().UnixNano()), system())), nil
}
