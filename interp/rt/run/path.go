package run

import "gaucho/internal/modpath"

// Names of functions in stacks begin with the paths of their packages: this one, those beside it, and those of package interp.
var (
	interpPath = modpath.Path + "/interp/"
	rtPath     = interpPath + "rt/"
	ownPath    = rtPath + "run"
)
