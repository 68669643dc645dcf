//go:build !linux

package grade

func endWithParent() error { return nil }
