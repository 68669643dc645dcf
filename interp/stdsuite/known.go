package stdsuite

import (
	"regexp"
	"slices"
	"strings"
)

// known are examples and tests that do not pass, by engine, with the reason.
var known = []struct{ engine, why, names string }{
	{"native", "counts the frames of the stack: a method of a cell is called through one that a later cell can replace",
		"io.TestMultiWriterSingleChainFlatten io.TestMultiReaderFlatten"},
	{"native", "looks for main.f in debug.Stack, where functions of cells have the engine's own names",
		"sync.TestOnceFuncPanicTraceback"},
	{"yaegi", "Finalizers of values that cells have may not run: the interpreter's frames keep them",
		"io.TestMultiReaderFreesExhaustedReaders"},
	{"yaegi", "waits for a cleanup of a value that a cell has: the interpreter's frames keep it",
		"sync.TestIssue40999"},
	{"yaegi", "waits for goroutines that a refusal has ended",
		"encoding/xml.TestRace9796"},
	{"yaegi", "an argument that is -0.0 arrives as 0.0, as docs/language.md says",
		"math/cmplx.TestLog math/cmplx.TestLog10 math/big.TestFloatArithmeticSpecialValues math/big.TestFloatSetFloat64String math/big.TestFloat64Text"},
	{"yaegi", "the text of a context names value.Box for the type of a cell's key, as docs/language.md says",
		"context.TestValues"},
	{"yaegi", "recovers the refusal of reflection in the private copy, and takes it for another panic",
		"encoding/xml.TestTokenUnmarshaler"},
	{"yaegi", "waits for a goroutine that has called runtime.Goexit in a function of sync.OnceFunc",
		"sync.TestOnceFuncGoexit"},
	{"yaegi", "limits the memory that a product takes: the interpreter itself allocates",
		"math/big.TestMulUnbalanced"},
	{"", "the time zone is that of its own tests, which only they can set",
		"time.TestLocationNames"},
	{"", "wants the package's own path, where it runs under a private one",
		"encoding/gob.TestRegistrationNaming"},
	{"", "sets a GODEBUG setting, for which the stand-in has no values",
		"html/template.TestMetaContentEscapeGODEBUG"},
}

// What is said of a cell that was not finished when it was stopped: whether it had used the processor.
const (
	Busy  = "not finished in the time that it had, and busy"
	Waits = "waits: not finished in the time that it had, and idle"
)

// counted are words about allocations in what a failed test says.
var counted = regexp.MustCompile(`(?i)alloc|mallocs`)

var logged = regexp.MustCompile(`(?m)^    (.*)$`)

// Known says why an example or a test that printed text does not pass in an engine, "" if that is not known.
func Known(engine, pkg, name, text string) string {
	for _, k := range known {
		if (k.engine == "" || k.engine == engine) && slices.Contains(strings.Fields(k.names), pkg+"."+name) {
			return k.why
		}
	}
	if lines := logged.FindAllString(text, -1); engine == "yaegi" && len(lines) > 0 && !slices.ContainsFunc(lines, func(l string) bool { return !counted.MatchString(l) }) {
		return allocates
	}
	if engine == "yaegi" && strings.HasSuffix(text, Busy) {
		return slow
	}
	return ""
}

// Reasons of many tests.
const (
	allocates   = "counts allocations: the interpreter itself allocates"
	slow        = "slow: " + Busy
	unexplained = "not explained"
)

// verdictOf is what became of an example or a test that did not pass for a reason.
func verdictOf(why string) string {
	switch {
	case why == unexplained:
		return "wrong"
	case why == allocates || why == slow:
		return "known"
	}
	for _, k := range known {
		if k.why == why {
			return "known"
		}
	}
	return "refused"
}

var refusal = regexp.MustCompile(`[^\n]*\(the native engine runs it\)`)

// Refusal returns the words of a refusal in what a cell ended with, or "".
func Refusal(text string) string {
	m := strings.TrimSpace(refusal.FindString(text))
	for _, p := range []string{"panic: ", "CompileError: "} {
		m = strings.TrimPrefix(m, p)
	}
	return strings.TrimSpace(strings.TrimSuffix(m, "(the native engine runs it)"))
}
