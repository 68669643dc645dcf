//go:build go1.26 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader

import "hash/maphash"

// names are the addresses of symbols by name. A session has tens of thousands, which the collector would have to look at
// each time if they were kept as strings, so that 128 bits of a hash are kept.
type names map[[2]uint64]uintptr

var nameSeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func nameKey(name string) [2]uint64 {
	return [2]uint64{maphash.String(nameSeeds[0], name), maphash.String(nameSeeds[1], name)}
}

func (n names) add(name string, addr uintptr) { n[nameKey(name)] = addr }

// find returns 0 for a name that is not there.
func (n names) find(name string) uintptr { return n[nameKey(name)] }
