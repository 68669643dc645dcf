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

// StudyProgram returns a cell for another session, that runs a study whose Replicate is that of the study of this session
// with the given Study.Source. All else about that study is made up: who runs the cell takes the function (see
// study.SetRunner). It is an error when the function cannot be sent, because it uses variables of a function around it, or
// variables of the session that hold more than numbers, strings and bools, slices, arrays and maps of them, dense matrices
// and vectors, up to 64 MB in all. Functions in variables are sent if they are there as written. No cell may be running.
func (s *Session) StudyProgram(ctx context.Context, source string) (string, error) {
	s.executing.Lock()
	defer s.executing.Unlock()
	s.front.Lock()
	t, err := s.front.depends.ClosureOf(s.front.scope, s.front.studies.Funcs[source], s.front.checker.Ctx)
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
	b.WriteString(wire.SourceImports + "import closure2study \"gaucho/stdlib/study\"\n")
	b.WriteString(values)
	b.WriteString((&depend.Declarations{Decls: t.Decls}).Source())
	fmt.Fprintf(&b, "(&closure2study.Study{Replicate: %s}).Run(ctx, nil)\n", t.Replicate)
	return b.String(), nil
}

// closureValues asks the worker for the values of variables, and returns their declarations.
func (s *Session) closureValues(ctx context.Context, vars map[string]string) (string, error) {
	if len(vars) == 0 {
		return "", nil
	}
	s.watch(ctx)
	names := slices.Sorted(maps.Keys(vars))
	seen, err := s.worker.Look(ctx, &wire.Look{Names: names, Source: true, Closure: closureBytes})
	if err != nil {
		return "", err
	}
	if !seen.OK {
		return "", errors.New("the values of the session's variables are not available")
	}
	var b strings.Builder
	var total int64
	found := 0
	for _, it := range seen.Items {
		if it.Text == "" {
			return "", fmt.Errorf("the variable %s, a %s, cannot be sent to workers: %s", it.Name, vars[it.Name], it.Why)
		}
		together := append([]string{it.Name}, it.With...)
		fmt.Fprintf(&b, "var %s = %s\n", strings.Join(together, ", "), it.Text)
		total, found = total+it.Size, found+len(together)
	}
	if found < len(names) {
		return "", fmt.Errorf("the values of %s are not available", strings.Join(names, ", "))
	}
	if total > closureBytes {
		return "", fmt.Errorf("the variables %s hold %d MB, and at most %d MB can be sent to workers", strings.Join(names, ", "), total>>20, closureBytes>>20)
	}
	return b.String(), nil
}
