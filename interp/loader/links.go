//go:build go1.26 && !go1.28 && (linux || darwin || windows) && (amd64 || arm64) && !race && !msan && !asan

package loader

import (
	"slices"
	"strings"
)

// publishTypes makes the package's types known to reflection and to later packages.
func (p *plan) publishTypes() error {
	t := p.host.types
	var list []*descriptor
	for _, s := range p.live {
		if !s.isType() {
			continue
		}
		t.loaded.add(s.name, s.addr)
		if s.flag&flagTypelink != 0 {
			list = append(list, descriptorAt(s.addr))
		}
	}
	slices.SortFunc(list, func(a, b *descriptor) int { return strings.Compare(t.name(a), t.name(b)) })
	return p.addLinks(list)
}
