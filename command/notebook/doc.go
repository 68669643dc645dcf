// Package notebook reads and writes Jupyter's notebook files, and gives a notebook its parameters, as papermill does:
//
//	nb, err := notebook.ReadFile("herding.ipynb")
//	...
//	unknown, err := nb.SetParameters([]notebook.Parameter{{Name: "seed", Value: "7"}})
//	err = nb.WriteFile("herding.ipynb")
//
// It knows nothing of how cells are run or shown.
package notebook
