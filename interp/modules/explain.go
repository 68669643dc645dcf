package modules

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// An Error says in words for the user why a package or module is not to be had.
type Error struct{ Msg string }

func (e *Error) Error() string { return e.Msg }

// causes are what the go command complains of, by words of its messages, in the order in which they count.
var causes = []struct {
	words []string
	why   string
}{
	{[]string{"checksum mismatch", "SECURITY ERROR"}, "its checksum is not the one that is known for it (of go.sum, or of the checksum database), so it was not taken"},
	{[]string{"permission denied", "read-only file system", "not a directory", "no space left"}, "the module cache cannot be written"},
	{[]string{"GOPROXY=off", "dial tcp", "no such host", "network is unreachable", "connection refused", "i/o timeout", "no route to host"},
		"it is not in the module cache, and it cannot be fetched without a network"},
	{[]string{"no matching versions", "unknown revision", "invalid version", "but does not contain package"}, ""},
	{[]string{"404 Not Found", "/@v/list: no such file", "410 Gone", "repository not found", "not found: ", "unrecognized import path", "malformed module path", "malformed import path"},
		"there is no such module"},
}

// noise is what the go command writes around what it has to say.
var noise = regexp.MustCompile(`^(go: |#\s|\s+)+`)

// explain turns what the go command complains of into an error of one line about what was asked for.
func explain(err error, what string) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	text := err.Error()
	for _, c := range causes {
		for _, word := range c.words {
			if !strings.Contains(text, word) {
				continue
			}
			line := lineWith(text, word)
			if c.why == "" {
				return &Error{fmt.Sprintf("%s cannot be had: %s", what, line)}
			}
			return &Error{fmt.Sprintf("%s cannot be had: %s (%s)", what, c.why, line)}
		}
	}
	return &Error{fmt.Sprintf("%s cannot be had: %s", what, lineWith(text, ""))}
}

// lineWith is the last line that has a word, without the noise around it.
func lineWith(text, word string) string {
	found := ""
	for line := range strings.Lines(text) {
		if clean := strings.TrimSpace(noise.ReplaceAllString(line, "")); clean != "" && strings.Contains(line, word) {
			found = clean
		}
	}
	return found
}
