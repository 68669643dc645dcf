package lower

import (
	"go/ast"
	"go/types"
	"strings"
)

func (f *fn) returnStmt(s *ast.ReturnStmt) {
	n := f.sig.Results().Len()
	if len(s.Results) == 0 {
		f.leave(nil, true)
		return
	}
	defer f.order(f.resultOperands(s.Results)...)()
	if len(s.Results) == 1 && n > 1 {
		text, ts := f.multi(s.Results[0])
		same := true
		for i, t := range ts {
			same = same && types.Identical(t, f.sig.Results().At(i).Type())
		}
		if same && f.results == nil {
			f.printf("return %s", text)
			return
		}
		var temps []string
		for range ts {
			temps = append(temps, f.temp("t"))
		}
		f.printf("%s := %s", strings.Join(temps, ", "), text)
		var vs []string
		for i, t := range ts {
			vs = append(vs, f.settle(f.e.convert(temps[i], t, f.sig.Results().At(i).Type())))
		}
		f.leave(vs, false)
		return
	}
	var vs []string
	for i, x := range s.Results {
		t := f.sig.Results().At(i).Type()
		v := f.fresh(x, t)
		switch {
		case n > 1 && !plainText.MatchString(v) && f.info.Types[x].Value == nil:
			// Among several results yaegi takes each for the first: it puts what a call gives into its place.
			tmp := f.temp("t")
			f.declare(tmp, t, v)
			v = tmp
		case isInterface(t):
			v = f.settle(v)
		}
		vs = append(vs, v)
	}
	f.leave(vs, false)
}

// leave emits a return with values, or with those that the named results have.
func (f *fn) leave(vs []string, bare bool) {
	rf := f.innermostRange(nil)
	if !f.stored && rf == nil {
		if bare {
			vs = f.results
		}
		f.printf("return %s", strings.Join(vs, ", "))
		return
	}
	if !bare {
		switch len(vs) {
		case 0:
		case 1:
			f.assign(f.results[0], vs[0])
		default:
			var temps []string
			for i, v := range vs {
				n := f.temp("t")
				temps = append(temps, n)
				f.declare(n, f.sig.Results().At(i).Type(), v)
			}
			for i, n := range temps {
				f.printf("%s = %s", f.results[i], n)
			}
		}
	}
	if rf != nil {
		f.jump(jump{kind: jumpReturn}, rf)
		return
	}
	f.printf("return")
}
