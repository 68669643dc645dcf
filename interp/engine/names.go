package engine

import (
	"go/ast"
	"go/types"
	"strconv"
	"strings"
)

// ParameterNames returns one more argument for a call of widgets.Interact: the names of the parameters of the function that
// it is given, as Names("bandwidth", "n"), a function of the same package. No run-time type has them.
func ParameterNames(x *ast.CallExpr, called *types.Func, info *types.Info) (arg string, ok bool) {
	if called.FullName() != "gaucho/stdlib/widgets.Interact" || x.Ellipsis.IsValid() || len(x.Args) == 0 {
		return "", false
	}
	sig, ok := info.TypeOf(x.Args[0]).Underlying().(*types.Signature)
	if !ok {
		return "", false
	}
	var names []string
	for v := range sig.Params().Variables() {
		names = append(names, strconv.Quote(v.Name()))
	}
	return "Names(" + strings.Join(names, ", ") + ")", true
}
