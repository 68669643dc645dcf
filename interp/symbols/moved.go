package symbols

import "go/types"

// moved lists names that cells may also use by the package that had them until a release ago. They are the objects of the
// package that has them now, which programs that are written from cells name.
var moved = map[string]move{
	"gaucho/plotting": {to: "gaucho/render", names: []string{
		"Bundle", "Literal", "Render", "Results", "SetLimits", "SetPrecision", "Whole",
	}},
}

type move struct {
	to    string
	names []string
}

// addMoved gives a package the names that it had.
func (imp *Importer) addMoved(pkg *types.Package) {
	m, ok := moved[pkg.Path()]
	if !ok || pkg.Scope().Lookup(m.names[0]) != nil {
		return
	}
	now := imp.r.Import(m.to).Scope()
	for _, name := range m.names {
		pkg.Scope().Insert(now.Lookup(name))
	}
}
