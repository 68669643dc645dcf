package install

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// userDir is Jupyter's data directory of the user: $JUPYTER_DATA_DIR, or the platform's place.
func userDir() (string, error) {
	if dir := os.Getenv("JUPYTER_DATA_DIR"); dir != "" {
		return filepath.Abs(dir)
	}
	if runtime.GOOS == "windows" {
		if dir := os.Getenv("APPDATA"); dir != "" {
			return filepath.Join(dir, "jupyter"), nil
		}
	}
	if runtime.GOOS != "darwin" && runtime.GOOS != "windows" {
		if dir := os.Getenv("XDG_DATA_HOME"); dir != "" {
			return filepath.Join(dir, "jupyter"), nil
		}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("install: the user's home directory is not known: %w", err)
	}
	switch runtime.GOOS {
	case "darwin":
		return filepath.Join(home, "Library", "Jupyter"), nil
	case "windows":
		return filepath.Join(home, ".jupyter", "data"), nil
	}
	return filepath.Join(home, ".local", "share", "jupyter"), nil
}

// prefixDir is Jupyter's data directory in an installation of Python.
func prefixDir(prefix string) string { return filepath.Join(prefix, "share", "jupyter") }

// systemDirs are Jupyter's data directories for all users.
func systemDirs() []string {
	if runtime.GOOS == "windows" {
		if dir := os.Getenv("PROGRAMDATA"); dir != "" {
			return []string{filepath.Join(dir, "jupyter")}
		}
		return nil
	}
	return []string{prefixDir("/usr/local"), prefixDir("/usr")}
}

// sysPrefix is the prefix of the Python in use: the active virtual or conda environment, else what Python says.
func sysPrefix(ctx context.Context) (string, error) {
	for _, env := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if dir := os.Getenv(env); dir != "" {
			return dir, nil
		}
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	for _, python := range []string{"python3", "python"} {
		out, err := exec.CommandContext(ctx, python, "-c", "import sys; print(sys.prefix)").Output()
		if dir := strings.TrimSpace(string(out)); err == nil && dir != "" {
			return dir, nil
		}
	}
	return "", errors.New("install: no Python was found to ask for its prefix; activate an environment, or use --prefix")
}

// dataDirs are all directories in which Jupyter looks for kernelspecs, first found first.
func dataDirs() []string {
	dirs := filepath.SplitList(os.Getenv("JUPYTER_PATH"))
	for _, env := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if dir := os.Getenv(env); dir != "" {
			dirs = append(dirs, prefixDir(dir))
		}
	}
	if dir, err := userDir(); err == nil {
		dirs = append(dirs, dir)
	}
	return append(dirs, systemDirs()...)
}
