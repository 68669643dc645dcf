package lower

import (
	"go/constant"
	"go/types"
	"math"
	"strconv"
	"strings"
)

// constText is a constant as text of exactly the lowered type of t.
func (e *emitter) constText(v constant.Value, t types.Type) string {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		e.refuse(e.pos(), "internal: constant of type %v", t)
	}
	b = types.Default(b).(*types.Basic)
	text, plain := e.literal(v, b)
	if e.native(t) && isNamed(types.Unalias(t)) {
		return e.typ(t) + "(" + text + ")"
	}
	if plain {
		return text
	}
	return types.Typ[b.Kind()].Name() + "(" + text + ")"
}

// literal is a constant without a type; plain says that its default type is b.
func (e *emitter) literal(v constant.Value, b *types.Basic) (text string, plain bool) {
	switch info := b.Info(); {
	case info&types.IsBoolean != 0:
		return strconv.FormatBool(constant.BoolVal(v)), true
	case info&types.IsString != 0:
		return strconv.Quote(constant.StringVal(v)), true
	case info&types.IsInteger != 0:
		v = constant.ToInt(v)
		s := v.ExactString()
		if strings.HasPrefix(s, "-") {
			s = "(" + s + ")"
		}
		return s, b.Kind() == types.Int
	case info&types.IsFloat != 0:
		return floatText(v, b.Kind() == types.Float32), b.Kind() == types.Float64
	case info&types.IsComplex != 0:
		v = constant.ToComplex(v)
		small := b.Kind() == types.Complex64
		re := floatText(constant.Real(v), small)
		im := floatText(constant.Imag(v), small)
		if strings.HasPrefix(im, "(") {
			return "(" + re + im[1:len(im)-1] + "i)", !small
		}
		return "(" + re + "+" + im + "i)", !small
	}
	e.refuse(e.pos(), "internal: constant %v of type %v", v, b)
	return "", false
}

func floatText(v constant.Value, small bool) string {
	v = constant.ToFloat(v)
	var x float64
	bits := 64
	if small {
		f32, _ := constant.Float32Val(v)
		x, bits = float64(f32), 32
	} else {
		x, _ = constant.Float64Val(v)
	}
	if x == 0 {
		x = math.Abs(x)
	}
	s := strconv.FormatFloat(x, 'g', -1, bits)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	if strings.HasPrefix(s, "-") {
		s = "(" + s + ")"
	}
	return s
}
