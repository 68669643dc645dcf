package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	htmltemplate "html/template"
	"io"
	"math"
	"os"
	"text/template"
)

type key struct{}
type other int
type named string

func (named) String() string { return "a name" }

type val struct{ A, B int }

type drv struct{}
type conn struct{}
type stmt struct{ n int }

func (drv) Open(string) (driver.Conn, error)            { return conn{}, nil }
func (conn) Prepare(q string) (driver.Stmt, error)      { return stmt{1}, nil }
func (conn) Close() error                               { return nil }
func (conn) Begin() (driver.Tx, error)                  { return nil, errors.New("no") }
func (stmt) Close() error                               { return nil }
func (s stmt) NumInput() int                            { return s.n }
func (stmt) Exec([]driver.Value) (driver.Result, error) { return driver.RowsAffected(1), nil }
func (stmt) Query([]driver.Value) (driver.Rows, error)  { return rows{}, nil }

type rows struct{}

func (rows) Columns() []string { return []string{"a"} }
func (rows) Close() error      { return nil }
func (rows) Next(d []driver.Value) error {
	d[0] = "text"
	return nil
}

type person struct {
	Name string
	Kids []kid
}
type kid struct{ Age int }

func main() {
	ctx := context.WithValue(context.Background(), key{}, val{1, 2})
	fmt.Println(ctx)
	ctx = context.WithValue(ctx, other(3), "text")
	ctx = context.WithValue(ctx, named("k"), named("v"))
	ctx, cancel := context.WithCancel(context.WithValue(ctx, struct{ a int }{1}, &val{}))
	defer cancel()
	fmt.Println(ctx)
	fmt.Println(ctx.Value(key{}), ctx.Value(other(3)), ctx.Value(named("k")), ctx.Value(struct{ a int }{1}), ctx.Value(other(4)))
	v, ok := ctx.Value(key{}).(val)
	fmt.Println(v, ok)
	fmt.Printf("%T %T\n", ctx.Value(key{}), ctx.Value(named("k")))

	sql.Register("d", drv{})
	db, _ := sql.Open("d", "")
	_, err := db.Exec("x", val{1, 2})
	fmt.Println(err)
	fmt.Println(err)
	_, err = db.Exec("x", struct{ A int }{1})
	fmt.Println(err)
	_, err = db.Exec("x", other(4))
	fmt.Println(err)
	var dest val
	fmt.Println(db.QueryRow("x").Scan(&dest))
	var o other
	fmt.Println(db.QueryRow("x").Scan(&o))

	t := template.Must(template.New("t").Parse("{{.Name}}{{range .Kids}}{{.Nope}}{{end}}\n"))
	fmt.Println(t.Execute(io.Discard, person{"a", []kid{{1}}}))
	fmt.Println(t.Execute(io.Discard, &person{"a", []kid{{1}}}))
	t = template.Must(template.New("t").Parse("{{.Nope}}\n"))
	err = t.Execute(io.Discard, &person{})
	fmt.Println(err)
	var ee template.ExecError
	fmt.Println(errors.As(err, &ee), ee.Name)
	fmt.Println(t.Execute(io.Discard, person{}))
	fmt.Println(t.Execute(io.Discard, struct{ A int }{1}))
	fmt.Println(t.Execute(io.Discard, map[string]any{"a": person{}}))
	fmt.Println(template.Must(template.New("t").Parse("{{.a.Nope}}\n")).Execute(io.Discard, map[string]any{"a": person{}}))
	fmt.Println(template.Must(template.New("t").Parse("{{index .Kids 3}}\n")).Execute(io.Discard, person{}))
	fmt.Println(template.Must(template.New("t").Parse("{{if lt . 3}}{{end}}\n")).Execute(io.Discard, kid{}))
	fmt.Println(htmltemplate.Must(htmltemplate.New("t").Parse("<p>{{.Nope}}\n")).Execute(os.Stdout, person{}))

	failing := template.FuncMap{"f": func() (string, error) { return "", errors.New("no") }}
	fmt.Println(template.Must(template.New("t").Funcs(failing).Parse("{{f}}\n")).Execute(io.Discard, nil))
	fmt.Println(htmltemplate.Must(htmltemplate.New("t").Funcs(failing).Parse("{{f}}\n")).Execute(io.Discard, nil))
	fmt.Println(template.Must(template.New("t").Parse("{{index . 3}}{{.}}\n")).Execute(io.Discard, []any{nil, kid{}}))
	fmt.Println(template.Must(template.New("t").Option("missingkey=error").Parse("{{.b}}\n")).Execute(io.Discard, map[string]any{"a": nil}))

	z := math.Copysign(0, -1)
	ch := make(chan float64, 1)
	ch <- z
	fmt.Println(<-ch, *new(z), min(0.0, z), max(z, z))
	cv := make(chan struct{ a float64 }, 1)
	cv <- struct{ a float64 }{z}
	fmt.Println(<-cv)
}
