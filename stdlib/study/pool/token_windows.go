package pool

import "io/fs"

// checkPrivate has nothing to check: the directory of a user's settings is that user's.
func checkPrivate(fs.FileInfo) error { return nil }
