package value

import (
	htmltemplate "html/template"
	"io"
	"reflect"
	"strings"
	"sync"
	"text/template"
	"text/template/parse"
)

// TemplateExecute is the method Execute of a template of either package. A template sees values of cells' types as lowered ones,
// so one that would show their types or fields, or give them to a function that can ask for these, ends the cell.
func TemplateExecute(t any, w io.Writer, data any) error {
	templateTypes(t, data)
	lowered := TemplateData(data)
	return namingTypes(t.(interface{ Execute(io.Writer, any) error }).Execute(w, lowered), data, lowered)
}

// TemplateExecuteTemplate is the method ExecuteTemplate.
func TemplateExecuteTemplate(t any, w io.Writer, name string, data any) error {
	templateTypes(t, data)
	lowered := TemplateData(data)
	return namingTypes(t.(interface {
		ExecuteTemplate(io.Writer, string, any) error
	}).ExecuteTemplate(w, name, lowered), data, lowered)
}

// takesAny has the names of functions in cells' FuncMaps that have a parameter of an interface type.
var takesAny sync.Map // string to bool

// templateTypes refuses a template that would tell a value of a cell's type from its lowered one.
func templateTypes(t, data any) {
	name := heldCellType(data)
	if name == "" {
		return
	}
	var trees []*parse.Tree
	switch t := t.(type) {
	case *template.Template:
		for _, x := range t.Templates() {
			trees = append(trees, x.Tree)
		}
	case *htmltemplate.Template:
		for _, x := range t.Templates() {
			trees = append(trees, x.Tree)
		}
	}
	for _, tree := range trees {
		if tree == nil || tree.Root == nil {
			continue
		}
		if asks := asksForType(reflect.ValueOf(tree.Root)); asks != "" {
			panic(Thrown{Refused{What: "a template with a value of the cell's type " + name + " and " + asks}})
		}
	}
}

// heldCellType is the name of a cell's type in what a library function gets, "" if there is none.
func heldCellType(data any) string {
	if b, ok := data.(Boxed); ok {
		if t := b.Unboxed().T; !t.Native {
			return t.String
		}
	}
	v := reflect.ValueOf(data)
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Interface {
			for i := range v.Len() {
				if s := heldCellType(v.Index(i).Interface()); s != "" {
					return s
				}
			}
		}
	case reflect.Map:
		if v.Type().Elem().Kind() == reflect.Interface {
			for it := v.MapRange(); it.Next(); {
				if s := heldCellType(it.Value().Interface()); s != "" {
					return s
				}
			}
		}
	}
	return ""
}

// NoCellType returns a value for a library function that cannot be right with one of a cell's type, and ends the cell if it is
// one, or a list or map of such.
func NoCellType(v any, what string) any {
	if name := heldCellType(v); name != "" {
		panic(Thrown{Refused{What: strings.Replace(what, "a type of a cell", "the cell's type "+name, 1)}})
	}
	return v
}

// typeVerbs are those of package fmt that show a type, or a struct's fields.
var typeVerbs = []string{"%T", "%#v", "%+v"}

// asksForType says what below a node of a template may show the type of a value, "" if nothing does.
func asksForType(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			return ""
		}
		switch n := v.Interface().(type) {
		case *parse.Tree:
			return ""
		case *parse.IdentifierNode:
			if _, ok := takesAny.Load(n.Ident); ok {
				return "the function " + n.Ident + ", which takes values of any type,"
			}
			return ""
		case *parse.StringNode:
			for _, verb := range typeVerbs {
				if strings.Contains(n.Text, verb) {
					return verb
				}
			}
			return ""
		}
		return asksForType(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				if asks := asksForType(v.Field(i)); asks != "" {
					return asks
				}
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if asks := asksForType(v.Index(i)); asks != "" {
				return asks
			}
		}
	}
	return ""
}
