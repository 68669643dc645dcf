package study

import "os"

// lock has nothing to do: the files of a browser's worker are its own.
func lock(*os.File) error { return nil }
