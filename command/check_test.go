package command

import (
	"strings"
	"testing"
)

// TestCheck: a student sees which of the visible tests pass when all cells run from the first to the last.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	cell := func(id, kind, source string) string {
		return `{"cell_type": "code", "outputs": [], "execution_count": null, "source": "` + source + `", "metadata": {"nbgrader": {"grade_id": "` + id +
			`", "grade": ` + map[string]string{"test": "true", "solution": "false"}[kind] + `, "solution": ` + map[string]string{"test": "false", "solution": "true"}[kind] + `}}}`
	}
	write(t, dir, "ps.ipynb", `{"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": [`+strings.Join([]string{
		cell("f", "solution", "func F(x int) int { return 2 * x }"), cell("f-test", "test", "check.Equal(F(2), 4)"),
		cell("g", "solution", "func G(x int) int { return x"), cell("g-test", "test", "check.Equal(F(3), 7, `twice?`)")}, ",")+"]}")
	stdout, stderr, status := gaucho(t, dir, "check", "ps.ipynb", "--engine", "yaegi")
	for _, want := range []string{"✓ cell 2 (f-test)\n", "  cell 3 (g) fails: CompileError: ", "✗ cell 4 (g-test): ", "got 6, want 7; twice?\n", "1 of 2 test cells pass."} {
		if !strings.Contains(stdout, want) {
			t.Errorf("%q is not in\n%s", want, stdout)
		}
	}
	if status != 1 || stderr != "" {
		t.Errorf("status %d, %s", status, stderr)
	}
	write(t, dir, "none.ipynb", `{"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": []}`)
	if _, stderr, status := gaucho(t, dir, "check", "none.ipynb"); status != 1 || !strings.Contains(stderr, "no cell is marked as a test") {
		t.Errorf("status %d, %s", status, stderr)
	}
}
