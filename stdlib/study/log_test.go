package study

import "testing"

// TestProvenance: notes name the revision, and that it was changed.
func TestProvenance(t *testing.T) {
	for want, p := range map[string]provenance{
		"go1.26 on amd64": {Go: "go1.26", Arch: "amd64"},
		"go1.26 on amd64 (revision 0123456789ab), cells by native": {Go: "go1.26", Arch: "amd64", Revision: "0123456789abcdef", Engine: "native"},
		"go1.26 on amd64 (revision 0123456789ab+changes)":          {Go: "go1.26", Arch: "amd64", Revision: "0123456789abcdef+changes"},
	} {
		if got := p.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
