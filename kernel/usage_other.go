//go:build !linux

package kernel

// A meter measures processes; on this system there is nothing that tells without cgo.
type meter struct{}

func (m *meter) read() object { return nil }
