package modules

import (
	"go/build"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/module"
)

// cacheDir is the module cache, found as the go command finds it: by the environment, by what go env -w has set, by GOPATH.
func cacheDir() string {
	if dir := setting("GOMODCACHE"); dir != "" {
		return dir
	}
	gopath := setting("GOPATH")
	if gopath == "" {
		gopath = build.Default.GOPATH
	}
	if first := filepath.SplitList(gopath); len(first) > 0 {
		return filepath.Join(first[0], "pkg", "mod")
	}
	return ""
}

// setting is a setting of the go command.
func setting(name string) string {
	if v := os.Getenv(name); v != "" {
		return v
	}
	file := os.Getenv("GOENV")
	if file == "" {
		dir, err := os.UserConfigDir()
		if err != nil {
			return ""
		}
		file = filepath.Join(dir, "go", "env")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if v, ok := strings.CutPrefix(strings.TrimSpace(line), name+"="); ok {
			return v
		}
	}
	return ""
}

// cached is a file that the go command keeps of a version of a module, by its extension.
func (s *Set) cached(m module.Version, ext string) string {
	path, version, ok := escaped(m)
	if !ok {
		return ""
	}
	return filepath.Join(s.cache, "cache", "download", path, "@v", version+ext)
}

// sourceDir is where the source of a version of a module lies; empty where it is not in the cache.
func (s *Set) sourceDir(m module.Version) string {
	path, version, ok := escaped(m)
	if !ok {
		return ""
	}
	dir := filepath.Join(s.cache, path+"@"+version)
	if _, err := os.Stat(dir); err != nil {
		return ""
	}
	if _, err := os.Stat(s.cached(m, ".partial")); err == nil {
		return "" // half unpacked
	}
	return dir
}

// escaped are a module's path and version as they are written in names of files.
func escaped(m module.Version) (path, version string, ok bool) {
	path, err := module.EscapePath(m.Path)
	if err != nil {
		return "", "", false
	}
	version, err = module.EscapeVersion(m.Version)
	return filepath.FromSlash(path), version, err == nil
}

// cachedVersions are the versions of the module of a package that the cache has the source of, with the module's path.
func (s *Set) cachedVersions(path string) (mod string, versions []string) {
	for mod = path; mod != "."; mod = parent(mod) {
		escaped, err := module.EscapePath(mod)
		if err != nil {
			continue
		}
		found, _ := filepath.Glob(filepath.Join(s.cache, filepath.FromSlash(escaped)+"@v*"))
		for _, dir := range found {
			_, v, _ := strings.Cut(filepath.Base(dir), "@")
			if v, err := module.UnescapeVersion(v); err == nil {
				versions = append(versions, v)
			}
		}
		if versions != nil {
			return mod, versions
		}
	}
	return "", nil
}
