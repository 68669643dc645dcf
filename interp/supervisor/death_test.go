package supervisor

import "testing"

func TestCrashError(t *testing.T) {
	for _, c := range []struct{ crash, name, value string }{
		{"fatal error: concurrent map writes\n\ngoroutine 10 [running]:\nmain.f()\n", "fatal error", "concurrent map writes"},
		{"runtime: goroutine stack exceeds 1000000000-byte limit\nfatal error: stack overflow\n", "runtime error", "stack overflow: a stack grew without end (is this recursion endless?)"},
		{"fatal error: runtime: out of memory\n", "out of memory", "the worker could not get more memory"},
		{"panic: boom\n\ngoroutine 7 [running]:\n", "panic", "boom (in a goroutine that compiled code started)"},
		{"panic: boom [recovered, repanicked]\n\ngoroutine 7 [running]:\n", "panic", "boom (in a goroutine that compiled code started)"},
		{"fatal error: all goroutines are asleep - deadlock!\n", "fatal error", "all goroutines are asleep - deadlock!"},
		{"SIGSEGV: segmentation violation\nPC=0x1\n", "fatal error", "SIGSEGV: segmentation violation"},
	} {
		if name, value := crashError(c.crash); name != c.name || value != c.value {
			t.Errorf("%q is %q %q", c.crash, name, value)
		}
	}
}
