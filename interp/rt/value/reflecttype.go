package value

import "reflect"

// TypeMethods stand for methods of reflect.Type and reflect.Value, by their names in emitted text. Package reflect would take
// the lowered type of a cell's (any for an interface, which every type implements), and show the box of a value.
var TypeMethods = map[string]any{
	"TypeImplements": func(t, u reflect.Type) bool {
		if iface, ok := cellInterface(u); ok {
			return nativeImplements(t, iface, "Implements")
		}
		return t.Implements(u)
	},
	"TypeAssignableTo": func(t, u reflect.Type) bool {
		if iface, ok := cellInterface(u); ok {
			return nativeImplements(t, iface, "AssignableTo")
		}
		if _, ok := t.(cellType); !ok {
			refuseType("Type.AssignableTo", u)
		}
		return t.AssignableTo(u)
	},
	"TypeConvertibleTo": func(t, u reflect.Type) bool {
		if iface, ok := cellInterface(u); ok {
			return nativeImplements(t, iface, "ConvertibleTo")
		}
		return t.ConvertibleTo(u)
	},
	"ValueConvert": func(v reflect.Value, u reflect.Type) reflect.Value {
		refuseType("Value.Convert", u)
		return v.Convert(u)
	},
	"ValueElem": func(v reflect.Value) reflect.Value {
		e := v.Elem()
		if v.Kind() == reflect.Interface && e.IsValid() && e.Type().Implements(boxedType) {
			what := "a value of a cell's type in an interface"
			if e.CanInterface() {
				what += ", " + e.Interface().(Boxed).Unboxed().T.String
			}
			panic(Thrown{Refused{What: "reflect.Value.Elem of " + what + ","}})
		}
		return e
	},
	"ValueCanConvert": func(v reflect.Value, u reflect.Type) bool {
		if iface, ok := cellInterface(u); ok {
			return nativeImplements(v.Type(), iface, "ConvertibleTo")
		}
		return v.CanConvert(u)
	},
}

func refuseType(method string, u reflect.Type) {
	if c, ok := u.(cellType); ok {
		panic(Thrown{Refused{What: "reflect." + method + " of the cell's type " + c.t.String}})
	}
}

// cellInterface is the descriptor of a reflect.Type that is an interface type of a cell.
func cellInterface(u reflect.Type) (*Type, bool) {
	c, ok := u.(cellType)
	if !ok || c.t.Kind != reflect.Interface {
		return nil, false
	}
	return c.t, true
}

// nativeImplements reports whether a type has the methods of a cell's interface. Those of a cell's type are not all known.
func nativeImplements(t reflect.Type, iface *Type, method string) bool {
	if len(iface.Iface) == 0 && !iface.opaque() {
		return true
	}
	refuseType("Type."+method, t)
	return missingNative(t, iface) == ""
}
