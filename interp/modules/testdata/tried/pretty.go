package main

import (
	"fmt"

	"github.com/jedib0t/go-pretty/v6/table"
)

func main() {
	t := table.NewWriter()
	t.AppendHeader(table.Row{"name", "n"})
	t.AppendRows([]table.Row{{"a", 1}, {"bb", 22.5}})
	t.AppendFooter(table.Row{"sum", 23.5})
	fmt.Println(t.Render())
	fmt.Println(t.RenderMarkdown())
}
