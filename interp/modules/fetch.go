package modules

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"gaucho/internal/buildenv"
)

// A LoadedError says that a module that is asked for changes the version of one whose packages the session has imported.
type LoadedError struct{ Changes []string }

func (e *LoadedError) Error() string {
	return "this changes modules that the session has imported: " + strings.Join(e.Changes, ", ")
}

// errNoGo is the error of what needs the go command where there is none.
var errNoGo = errors.New(noGo())

func noGo() string {
	if runtime.GOOS == "js" {
		return "a browser has no go command that could fetch it"
	}
	return "no go command was found that could fetch it"
}

// Fetch has the source of a package's module in the module cache, as Import would, which then finds it there. It holds up
// nobody meanwhile. What Import finds wrong without fetching is left to it.
func (s *Set) Fetch(ctx context.Context, path string, fetching func(path string)) error {
	s.mu.Lock()
	var absent *absentError
	_, _, err := s.find(path)
	required := errors.As(err, &absent)
	now := &Set{cache: s.cache, main: s.main, sums: s.sums}
	known := s.packages[path] != nil || !required && !errors.Is(err, errNotRequired)
	s.mu.Unlock()
	if known {
		return nil
	}
	var next *Set
	if _, err = exec.LookPath("go"); err != nil {
		err = errNoGo
	} else {
		fetching(path)
		next, err = now.run(ctx, fetchArgs(path, required)...)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		return s.explain(err, "package "+path)
	}
	if s.main == now.main { // nobody else has added a module meanwhile
		s.take(next)
	}
	return nil
}

// Get adds modules to the session, as go get does: paths with or without @version. When packages that were imported would
// be of another version it fails with a [LoadedError] and changes nothing; with force it goes on, and forgets all packages.
func (s *Set) Get(ctx context.Context, force bool, specs ...string) (added []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.broken != nil {
		return nil, s.broken
	}
	what := strings.Join(specs, " ")
	var next *Set
	if _, lookErr := exec.LookPath("go"); lookErr == nil {
		next, err = s.run(ctx, append([]string{"get"}, specs...)...)
	} else {
		next, err = s.pin(specs)
	}
	if err != nil {
		return nil, s.explain(err, what)
	}
	added, changes := compare(s.buildList(), next.buildList(), s.isLoaded)
	if changes != nil && !force {
		return nil, &LoadedError{changes}
	}
	s.take(next)
	s.changed = s.changed || changes != nil
	return append(added, changes...), nil
}

// compare says what a build list, the versions of modules by path, has that an earlier one has not: what was added, or is of
// another version, and which modules in use would change. Both are sorted.
func compare(before, after map[string]string, inUse func(path string) bool) (added, changes []string) {
	for path, v := range after {
		switch {
		case before[path] == v:
		case before[path] != "" && inUse(path):
			changes = append(changes, fmt.Sprintf("%s from %s to %s", path, before[path], v))
		default:
			added = append(added, path+" "+v)
		}
	}
	slices.Sort(added)
	slices.Sort(changes)
	return added, changes
}

// Changed reports whether packages that were imported are of other versions now.
func (s *Set) Changed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

// After takes over the build list of an earlier set of the session, if there is one, and returns s.
func (s *Set) After(earlier *Set) *Set {
	if earlier != nil {
		earlier.mu.Lock()
		defer earlier.mu.Unlock()
		s.take(earlier)
	}
	return s
}

func (s *Set) isLoaded(mod string) bool {
	for _, p := range s.packages {
		if p.Module.Path == mod {
			return true
		}
	}
	return false
}

// take makes the build list of another set this one's.
func (s *Set) take(next *Set) { s.main, s.sums, s.versions = next.main, next.sums, nil }

// explain says in words for the user why a package or module was not to be had, and which versions the cache has.
func (s *Set) explain(err error, what string) error {
	if !errors.Is(err, errNoGo) {
		err = explain(err, what)
	} else {
		err = &Error{fmt.Sprintf("%s cannot be had: %v", what, err)}
	}
	failed, ok := err.(*Error)
	path, version, _ := strings.Cut(strings.TrimPrefix(what, "package "), "@")
	mod, versions := s.cachedVersions(path)
	if !ok || len(versions) == 0 || strings.Contains(path, " ") || slices.Contains(versions, version) {
		return err
	}
	semver.Sort(versions)
	failed.Msg += fmt.Sprintf("; the module cache has %s: %%get %s@%s takes it", strings.Join(versions, ", "), mod, versions[len(versions)-1])
	return failed
}

// Fetching returns the go command that fetches modules, empty where there is none, and the directory of the module cache.
func Fetching() (command, cache string) {
	command, _ = exec.LookPath("go")
	return command, cacheDir()
}

// fetch has the go command get what a package needs, and adds its module to the session where none provides it.
func (s *Set) fetch(ctx context.Context, path string, required bool) error {
	next, err := s.run(ctx, fetchArgs(path, required)...)
	if err != nil {
		return s.explain(err, "package "+path)
	}
	s.take(next)
	return nil
}

// fetchArgs are the go command's arguments that fetch a package, whose module the session requires or not.
func fetchArgs(path string, required bool) []string {
	if required {
		return []string{"list", "-mod=mod", "-deps", path}
	}
	return []string{"get", path}
}

// pin adds versions of modules that are in the module cache.
func (s *Set) pin(specs []string) (*Set, error) {
	text, err := s.main.Format()
	if err != nil {
		return nil, err
	}
	next := &Set{cache: s.cache, sums: s.sums}
	if next.main, err = modfile.Parse("go.mod", text, nil); err != nil {
		return nil, err
	}
	for _, spec := range specs {
		path, version, _ := strings.Cut(spec, "@")
		if !semver.IsValid(version) || semver.Canonical(version) != version {
			return nil, errNoGo
		}
		if _, err := os.Stat(s.cached(module.Version{Path: path, Version: version}, ".mod")); err != nil {
			return nil, errNoGo
		}
		if err := next.main.AddRequire(path, version); err != nil {
			return nil, err
		}
	}
	return next, nil
}

// run runs the go command on the session's go.mod, by the user's own configuration, and returns the build list that it
// leaves.
func (s *Set) run(ctx context.Context, args ...string) (*Set, error) {
	command, err := exec.LookPath("go")
	if err != nil {
		return nil, errNoGo
	}
	dir, err := os.MkdirTemp("", "gaucho-mod-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	text, err := s.main.Format()
	if err != nil {
		return nil, err
	}
	var sums strings.Builder
	for key, sum := range s.sums {
		fmt.Fprintf(&sums, "%s %s\n", key, sum)
	}
	modFile, sumFile := filepath.Join(dir, "go.mod"), filepath.Join(dir, "go.sum")
	if err := errors.Join(os.WriteFile(modFile, text, 0o666), os.WriteFile(sumFile, []byte(sums.String()), 0o666)); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, command, args...)
	cmd.Dir = dir
	cmd.Env = buildenv.Environ("CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off", "GO111MODULE=on", "GOMODCACHE="+s.cache)
	var complaint strings.Builder
	cmd.Stderr = &complaint
	if err := cmd.Run(); ctx.Err() != nil {
		return nil, ctx.Err()
	} else if err != nil && complaint.Len() > 0 {
		return nil, errors.New(complaint.String())
	} else if err != nil {
		return nil, err
	}
	next := &Set{cache: s.cache}
	if text, err = os.ReadFile(modFile); err != nil {
		return nil, err
	}
	if next.main, err = modfile.Parse("go.mod", text, nil); err != nil {
		return nil, err
	}
	sumText, err := os.ReadFile(sumFile)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	next.sums = readSums(string(sumText))
	return next, nil
}
