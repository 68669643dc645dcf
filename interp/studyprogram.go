package interp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gaucho/interp/depend"
	"gaucho/interp/wire"
)

// A study whose function was written in a cell can run in other sessions, on other machines. What goes there is a cell:
// the declarations that the function reaches, its variables with the values that they have now, and a study with the
// function that runs.

// closureBytes is what the variables in the closure of a study's function may hold in all.
const closureBytes = 64 << 20

// closureImports are what the values of variables are written with.
const closureImports = `import (
	closure2base64 "encoding/base64"
	closure2binary "encoding/binary"
	closure2math "math"
	closure2strings "strings"
	closure2study "gaucho/stdlib/study"
)
`

// StudyProgram returns a cell for another session, that runs a study whose Replicate is that of the study of this session
// with the given Study.Source. All else about that study is made up: who runs the cell takes the function (see
// study.SetRunner). It is an error when the function cannot be sent, because it uses variables of a function around it, or
// variables of the session that hold more than numbers, strings and bools, slices, arrays and maps of them, dense matrices
// and vectors, up to 64 MB in all. Functions in variables are sent if they are there as written. No cell may be running.
func (s *Session) StudyProgram(ctx context.Context, source string) (string, error) {
	s.executing.Lock()
	defer s.executing.Unlock()
	s.front.Lock()
	t, err := s.front.depends.ClosureOf(s.front.scope, s.front.studies.Funcs[source])
	s.front.Unlock()
	if err != nil {
		return "", err
	}
	values, err := s.closureValues(ctx, t.Vars)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString((&depend.Declarations{Imports: t.Imports}).Source())
	b.WriteString(closureImports)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		fmt.Fprintf(&b, "var %s %s = %s\n", name, t.Vars[name], values[name])
	}
	b.WriteString((&depend.Declarations{Decls: t.Decls}).Source())
	fmt.Fprintf(&b, "(&closure2study.Study{Replicate: %s}).Run(ctx, nil)\n", t.Replicate)
	return b.String(), nil
}

// closureValues asks the worker for the values of variables as Go source.
func (s *Session) closureValues(ctx context.Context, vars map[string]string) (map[string]string, error) {
	values := map[string]string{}
	if len(vars) == 0 {
		return values, nil
	}
	s.watch(ctx)
	names := slices.Sorted(maps.Keys(vars))
	seen, err := s.worker.Look(ctx, &wire.Look{Names: names, Source: true, Closure: closureBytes})
	if err != nil {
		return nil, err
	}
	if !seen.OK {
		return nil, errors.New("the values of the session's variables are not available")
	}
	var total int64
	for _, it := range seen.Items {
		values[it.Name] = it.Text
		total += it.Size
	}
	for _, name := range names {
		if values[name] == "" {
			return nil, fmt.Errorf("the variable %s, a %s, cannot be sent to workers: it holds more than %d MB, or no matrix, or goroutines still use it",
				name, vars[name], closureBytes>>20)
		}
	}
	if total > closureBytes {
		return nil, fmt.Errorf("the variables %s hold %d MB, and at most %d MB can be sent to workers", strings.Join(names, ", "), total>>20, closureBytes>>20)
	}
	return values, nil
}
