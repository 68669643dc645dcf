package interp

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// TestTablesOfStructs: files are read into structs of a cell's type and written from them, in both engines, with the type's
// names in errors and its methods for text.
func TestTablesOfStructs(t *testing.T) {
	for _, engine := range []string{"yaegi", "native"} {
		t.Run(engine, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "plants.csv"), []byte("plot,height [cm],sown,flowers,level,name\n"+
				"a,1.5,2024-01-02,3,low,\"x, y\"\nb,NA,2024-02-03,,high,z\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			r := &transcript{}
			var s *Session
			if engine == "native" {
				s = startNative(t, r)
			} else {
				s = newSession(t, Options{Sink: r, Engine: engine, Dir: dir})
			}
			n := 0
			run := func(src, want string) {
				t.Helper()
				n++
				if got := runCell(s, r, n, src); got != want {
					t.Errorf("%s\ngives\n%swant\n%s", src, got, want)
				}
			}
			run("must0(os.Chdir("+strconv.Quote(dir)+"))", "")
			run(`type Level int
func (l *Level) UnmarshalText(text []byte) error {
	switch string(text) {
	case "low": *l = 1
	case "high": *l = 2
	default: return fmt.Errorf("%q is no level", text)
	}
	return nil
}
func (l Level) MarshalText() ([]byte, error) { return []byte([]string{"none", "low", "high"}[l]), nil }
type Named struct { Name string }
type meters float64
type Plant struct {
	Named
	Plot string
	Height meters `+"`csv:\"height [cm]\"`"+`
	Sown time.Time
	Flowers *int
	Level Level
	note string
	Skip func() `+"`csv:\"-\"`"+`
}
func show(plants []Plant) {
	for _, p := range plants {
		flowers := -1
		if p.Flowers != nil { flowers = *p.Flowers }
		fmt.Println(p.Name, p.Plot, float64(p.Height), p.Sown.Format(time.DateOnly), flowers, int(p.Level))
	}
}`, "")
			const rows = "x, y a 1.5 2024-01-02 3 1\nz b NaN 2024-02-03 -1 2\n"
			run("plants := must(table.Read[Plant](\"plants.csv\"))\nshow(plants)", rows)
			run("var again []Plant\nerr := table.ReadCSV(\"plants.csv\", &again)\nshow(again)\nerr == nil", rows+"= true\n")
			run(`must0(table.WriteCSV("out.csv", plants))
fmt.Print(string(must(os.ReadFile("out.csv"))))`,
				"Name,Plot,height [cm],Sown,Flowers,Level\n\"x, y\",a,1.5,2024-01-02,3,low\nz,b,,2024-02-03,,high\n")
			run("show(must(table.Read[Plant](\"out.csv\")))", rows)
			run(`byLevel := must(table.From([]*Plant{&plants[0], nil, &plants[1]})).GroupBy("Level").Summarise(table.Count())
fmt.Println(byLevel.Len(), must(table.From([]map[string]any{{"level": plants[1].Level}})).Strings("level"))`, "3 [high]\n")
			run(`type Wrong struct { Plot, Level int }
_, err = table.Read[Wrong]("plants.csv")
fmt.Println(err)`, `table: plants.csv, line 2: column plot: "a" is not an integer
table: plants.csv, line 2: column level: "low" is not an integer
table: plants.csv, line 3: column plot: "b" is not an integer
table: plants.csv, line 3: column level: "high" is not an integer
`)
			run(`type Worse struct { Plott string }
_, err = table.Read[Worse]("plants.csv")
fmt.Println(err)
fmt.Println(table.ReadCSV("plants.csv", &plants[0]))
fmt.Println(len(plants), plants[0].Plot)`,
				"table: plants.csv: field Worse.Plott: there is no column Plott; did you mean plot? (columns: plot, height [cm], sown, flowers, level, name); csv:\"-\" leaves a field out\n"+
					"table: ReadCSV reads into a pointer to a slice of structs, not a *main.Plant\n2 a\n")
		})
	}
}
