package lower

import (
	"go/types"
	"strings"
)

// lost are methods that the standard library looks for in values of an interface and that the interface's wrapper does
// not have: what the library would do without them is not what the value's type says. A type that has one is refused.
var lost = map[string]string{
	"io.Reader":                  "WriteTo",
	"io.Writer":                  "ReadFrom",
	"io/fs.FS":                   "Sub ReadLink",
	"context.Context":            "AfterFunc",
	"image.Image":                "Opaque",
	"net/http.ResponseWriter":    "Unwrap FlushError SetReadDeadline SetWriteDeadline EnableFullDuplex ReadFrom",
	"database/sql/driver.Driver": "OpenConnector",
	"database/sql/driver.Conn": "Ping BeginTx PrepareContext ExecContext QueryContext Exec Query ResetSession IsValid " +
		"CheckNamedValue",
	"database/sql/driver.Stmt": "ExecContext QueryContext CheckNamedValue ColumnConverter",
	"database/sql/driver.Rows": "HasNextResultSet NextResultSet ColumnTypeScanType ColumnTypeDatabaseName ColumnTypeLength " +
		"ColumnTypeNullable ColumnTypePrecisionScale",
}

// refuseLost refuses a type as an interface whose wrapper would lose one of its methods.
func (e *emitter) refuseLost(t types.Type, iface *types.Named) {
	names := lost[iface.Obj().Pkg().Path()+"."+iface.Obj().Name()]
	if names == "" {
		return
	}
	set := types.NewMethodSet(t)
	has := types.NewMethodSet(iface)
	for name := range strings.FieldsSeq(names) {
		m := set.Lookup(nil, name) // one that a library's embedded type has does not change what the value means
		if m != nil && isCell(m.Obj().Pkg()) && has.Lookup(nil, name) == nil {
			e.refuse(e.pos(), "%s as an %s.%s, with its method %s that the standard library looks for, cannot be interpreted",
				types.TypeString(t, func(p *types.Package) string { return p.Name() }), iface.Obj().Pkg().Name(), iface.Obj().Name(), name)
		}
	}
}
