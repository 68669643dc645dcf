// Package registry knows drivers.
package registry

// Names are those that have registered.
var Names []string
