package interp

import "testing"

// long leaves a test to make test-ci.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
}

// sample is a list, or every nth element of it in the short form of a test.
func sample[T any](list []T, n int) []T {
	if !testing.Short() {
		return list
	}
	var some []T
	for i := 0; i < len(list); i += n {
		some = append(some, list[i])
	}
	return some
}
