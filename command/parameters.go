package command

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"gaucho/command/notebook"
)

// parametersCommand is for tools that put parameters into notebooks, as the papermill translator of the Python package:
// it reads {"cell": source, "values": {name: value}} and answers what the cell declares and the text that sets the values.
var parametersCommand = command{name: "parameters"}

func init() { parametersCommand.run = runParameters }

func runParameters(args []string) int {
	if len(args) > 0 {
		return usage(parametersCommand, "unexpected argument %q", args[0])
	}
	var in struct {
		Cell   string
		Values map[string]json.RawMessage
	}
	if err := json.NewDecoder(os.Stdin).Decode(&in); err != nil {
		return fail(fmt.Errorf("standard input does not hold parameters: %w", err))
	}
	var params []notebook.Parameter
	for name, value := range in.Values {
		p, err := notebook.ParseParameter(name + "=" + string(value))
		if err != nil {
			return fail(err)
		}
		p.JSON = true
		params = append(params, p)
	}
	slices.SortFunc(params, func(a, b notebook.Parameter) int { return cmp.Compare(a.Name, b.Name) })
	source, unknown, err := notebook.Assignments(in.Cell, params)
	if err != nil {
		return fail(err)
	}
	out := struct {
		Declared []notebook.Declared `json:"declared"`
		Unknown  []string            `json:"unknown"`
		Source   string              `json:"source"`
	}{notebook.DeclaredParameters(in.Cell), unknown, source}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		return fail(err)
	}
	return 0
}
