//go:build !linux

package grade

import (
	"errors"
	"time"
)

func endWithParent() error { return nil }

func mountDisk(string, int64) error { return errors.ErrUnsupported }

func closeInherited() error { return nil }

func runOn([]int) error { return nil }

func processors() []int { return nil }

func ownChildren() []string { return nil }

type usage struct{ ran, waited time.Duration }

func usageOf([]string) (usage, bool) { return usage{}, false }

func unlinkedUse(int) int64 { return 0 }

func claim(string) func() { return func() {} }

func removeLeftovers() {}

func temporary() string { return "gaucho-grade-" }

// A cgroup is empty here.
type cgroup struct{}

func newCgroup(int64) (*cgroup, error) { return nil, errors.ErrUnsupported }

func (*cgroup) add(int) error { return nil }

func (*cgroup) exhausted() bool { return false }

func (*cgroup) remove() {}

func canGroup() bool { return false }
