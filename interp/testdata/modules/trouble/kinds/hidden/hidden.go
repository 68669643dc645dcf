// Package hidden has interfaces that only it can implement.
package hidden

// Sealed cannot be implemented elsewhere without embedding it.
type Sealed interface{ sealed() }

// A Tracer is one that traces.
type Tracer interface {
	Sealed
	Trace(string) int
}
