package settings_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"gaucho/stdlib/bandit"
	"gaucho/stdlib/boosting"
	"gaucho/stdlib/em"
	"gaucho/stdlib/embedding"
	"gaucho/stdlib/fdr"
	"gaucho/stdlib/filtering"
	"gaucho/stdlib/herding"
	"gaucho/stdlib/inference"
	"gaucho/stdlib/kernelmachine"
	"gaucho/stdlib/linalg"
	"gaucho/stdlib/regression"
	"gaucho/stdlib/rl"
	"gaucho/stdlib/study"
	"gaucho/stdlib/study/pool"
)

// every holds, for each exported Settings type of the library, its defaults and what
// a literal stands for.
var every = map[string][2]any{
	"bandit.Settings":                 {bandit.DefaultSettings, (*bandit.Settings).WithDefaults},
	"boosting.Settings":               {boosting.DefaultSettings, (*boosting.Settings).WithDefaults},
	"em.Settings":                     {em.DefaultSettings, (*em.Settings).WithDefaults},
	"em.SymmetricSettings":            {em.DefaultSymmetricSettings, (*em.SymmetricSettings).WithDefaults},
	"embedding.QSettings":             {embedding.DefaultQSettings, (*embedding.QSettings).WithDefaults},
	"embedding.Settings":              {embedding.DefaultSettings, (*embedding.Settings).WithDefaults},
	"fdr.ProcessSettings":             {fdr.DefaultProcessSettings, (*fdr.ProcessSettings).WithDefaults},
	"fdr.Settings":                    {saffron, func(s *fdr.Settings) *fdr.Settings { return s.WithDefaults(fdr.SAFFRON, 0.05) }},
	"filtering.FitSettings":           {filtering.DefaultFitSettings, (*filtering.FitSettings).WithDefaults},
	"filtering.PMMHSettings":          {func() *filtering.PMMHSettings { return filtering.DefaultPMMHSettings() }, (*filtering.PMMHSettings).WithDefaults},
	"filtering.Settings":              {filtering.DefaultSettings, (*filtering.Settings).WithDefaults},
	"filtering.UnscentedSettings":     {filtering.DefaultUnscentedSettings, (*filtering.UnscentedSettings).WithDefaults},
	"herding.CoresetSettings":         {herding.DefaultCoresetSettings, (*herding.CoresetSettings).WithDefaults},
	"herding.GreedySettings":          {herding.DefaultGreedySettings, (*herding.GreedySettings).WithDefaults},
	"herding.LogisticSettings":        {herding.DefaultLogisticSettings, (*herding.LogisticSettings).WithDefaults},
	"herding.Settings":                {herding.DefaultSettings, (*herding.Settings).WithDefaults},
	"inference.LangevinSettings":      {inference.DefaultLangevinSettings, (*inference.LangevinSettings).WithDefaults},
	"inference.MonteCarloSettings":    {inference.DefaultMonteCarloSettings, (*inference.MonteCarloSettings).WithDefaults},
	"inference.NonparametricSettings": {inference.DefaultNonparametricSettings, (*inference.NonparametricSettings).WithDefaults},
	"inference.Settings":              {inference.DefaultSettings, (*inference.Settings).WithDefaults},
	"inference.SparseGPSettings":      {inference.DefaultSparseGPSettings, (*inference.SparseGPSettings).WithDefaults},
	"inference.SteinSettings":         {inference.DefaultSteinSettings, (*inference.SteinSettings).WithDefaults},
	"inference.TopicSettings":         {inference.DefaultTopicSettings, (*inference.TopicSettings).WithDefaults},
	"inference.VariationalSettings":   {inference.DefaultVariationalSettings, (*inference.VariationalSettings).WithDefaults},
	"kernelmachine.Settings":          {kernelmachine.DefaultSettings, (*kernelmachine.Settings).WithDefaults},
	"kernelmachine.SolverSettings":    {kernelmachine.DefaultSolverSettings, (*kernelmachine.SolverSettings).WithDefaults},
	"linalg.TopSettings":              {linalg.DefaultTopSettings, (*linalg.TopSettings).WithDefaults},
	"pool.Settings":                   {pool.DefaultSettings, (*pool.Settings).WithDefaults},
	"regression.Settings":             {regression.DefaultSettings, (*regression.Settings).WithDefaults},
	"rl.A2CSettings":                  {rl.DefaultA2CSettings, (*rl.A2CSettings).WithDefaults},
	"rl.DDPGSettings":                 {rl.DefaultDDPGSettings, (*rl.DDPGSettings).WithDefaults},
	"rl.DQNSettings":                  {rl.DefaultDQNSettings, (*rl.DQNSettings).WithDefaults},
	"rl.PolicyGradientSettings":       {rl.DefaultPolicyGradientSettings, (*rl.PolicyGradientSettings).WithDefaults},
	"rl.PolicySettings":               {rl.DefaultPolicySettings, (*rl.PolicySettings).WithDefaults},
	"rl.SACSettings":                  {rl.DefaultSACSettings, (*rl.SACSettings).WithDefaults},
	"rl.SBEEDSettings":                {rl.DefaultSBEEDSettings, (*rl.SBEEDSettings).WithDefaults},
	"rl.TabularSettings":              {rl.DefaultTabularSettings, (*rl.TabularSettings).WithDefaults},
	"rl.TemporalSettings":             {rl.DefaultTemporalSettings, (*rl.TemporalSettings).WithDefaults},
	"rl.TrainSettings":                {rl.DefaultTrainSettings, (*rl.TrainSettings).WithDefaults},
	"study.Settings":                  {study.DefaultSettings, (*study.Settings).WithDefaults},
}

func saffron() *fdr.Settings { return fdr.DefaultSettings(fdr.SAFFRON, 0.05) }

// TestOneFieldSet: a literal with one field set equals the defaults with that field set,
// for each field of each type, and with None too, where there is a place for it.
func TestOneFieldSet(t *testing.T) {
	for name, f := range every {
		defaults := func() reflect.Value { return reflect.ValueOf(f[0]).Call(nil)[0] }
		fill := func(s reflect.Value) reflect.Value { return reflect.ValueOf(f[1]).Call([]reflect.Value{s})[0] }
		kind := defaults().Type()
		same(t, name+" nil", fill(reflect.Zero(kind)), defaults())
		same(t, name+" empty", fill(reflect.New(kind.Elem())), defaults())
		for i := range kind.Elem().NumField() {
			for _, v := range values(kind.Elem().Field(i).Type) {
				literal, want := reflect.New(kind.Elem()), defaults()
				literal.Elem().Field(i).Set(v)
				want.Elem().Field(i).Set(v)
				got := fill(literal)
				same(t, name+"."+kind.Elem().Field(i).Name, got, want)
				same(t, name+"."+kind.Elem().Field(i).Name+", filled twice", fill(got), want)
			}
		}
	}
}

// values returns values of a type that are not zero, None among them for numbers.
func values(kind reflect.Type) []reflect.Value {
	v := reflect.New(kind).Elem()
	switch kind.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString("other")
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(7 * time.Second))
		none := reflect.New(kind).Elem()
		none.SetInt(-1)
		return []reflect.Value{v, none}
	case reflect.Float64:
		v.SetFloat(0.375)
		none := reflect.New(kind).Elem()
		none.SetFloat(-1)
		return []reflect.Value{v, none}
	case reflect.Pointer:
		v.Set(reflect.New(kind.Elem()))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(kind, 0, 0)) // empty is a choice of its own
	case reflect.Func:
		v.Set(reflect.MakeFunc(kind, nil))
	case reflect.Struct:
		for i := range kind.NumField() {
			v.Field(i).Set(values(kind.Field(i).Type)[0])
		}
	case reflect.Interface: // boosting's Loss or rl's System
		for _, one := range []any{boosting.Logistic{}, rl.NewPendulum()} {
			if reflect.TypeOf(one).Implements(kind) {
				v.Set(reflect.ValueOf(one))
			}
		}
	}
	return []reflect.Value{v}
}

// same compares fields: functions by whether they are nil, pointers by what they hold.
func same(t *testing.T, name string, got, want reflect.Value) {
	t.Helper()
	for i := range got.Elem().NumField() {
		g, w := got.Elem().Field(i), want.Elem().Field(i)
		if g.Kind() == reflect.Func {
			if g.IsNil() != w.IsNil() {
				t.Errorf("%s: %s is nil: %v, want %v", name, got.Elem().Type().Field(i).Name, g.IsNil(), w.IsNil())
			}
			continue
		}
		if !reflect.DeepEqual(g.Interface(), w.Interface()) {
			t.Errorf("%s: %s is %v, want %v", name, got.Elem().Type().Field(i).Name, g, w)
		}
	}
}

// TestEverySettingsType: every is the list of exported types that end in Settings, and
// no function looks at a field of the settings that it is given before it has filled
// them.
func TestEverySettingsType(t *testing.T) {
	found := map[string]bool{}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					if s, ok := spec.(*ast.TypeSpec); ok && s.Name.IsExported() && strings.HasSuffix(s.Name.Name, "Settings") {
						found[file.Name.Name+"."+s.Name.Name] = true
					}
				}
			case *ast.FuncDecl:
				checkFills(t, path, decl)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range found {
		if _, ok := every[name]; !ok {
			t.Errorf("%s is not in the list of this test", name)
		}
	}
	for name := range every {
		if !found[name] {
			t.Errorf("%s is in the list of this test, but not in the library", name)
		}
	}
}

func checkFills(t *testing.T, path string, f *ast.FuncDecl) {
	if !f.Name.IsExported() || f.Body == nil {
		return
	}
	given := map[string]bool{}
	for _, p := range f.Type.Params.List {
		star, ok := p.Type.(*ast.StarExpr)
		if !ok {
			continue
		}
		kind, ok := star.X.(*ast.Ident)
		if ok && strings.HasSuffix(kind.Name, "Settings") {
			for _, n := range p.Names {
				given[n.Name] = true
			}
		}
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt: // settings = settings.WithDefaults(), or resolve() of it
			if name, ok := n.Lhs[0].(*ast.Ident); ok {
				delete(given, name.Name)
			}
		case *ast.SelectorExpr:
			name, ok := n.X.(*ast.Ident)
			if ok && given[name.Name] && n.Sel.Name != "WithDefaults" && n.Sel.Name != "resolve" && n.Sel.Name != "Check" {
				t.Errorf("%s: %s looks at %s.%s before the defaults are filled in", path, f.Name.Name, name.Name, n.Sel.Name)
			}
		}
		return true
	})
}
