package interp

import "gaucho/interp/api"

// Types of package api under their names here.
type (
	Options  = api.Options
	Sink     = api.Sink
	Display  = api.Display
	Comm     = api.Comm
	Cell     = api.Cell
	Result   = api.Result
	Error    = api.Error
	Variable = api.Variable
	Part     = api.Part
)
