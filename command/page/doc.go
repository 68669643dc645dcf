// Package page renders a notebook with its outputs as an HTML page that needs no network: text cells as Markdown with
// formulas as MathML, code with its colours, outputs as JupyterLab shows them.
//
//	err := page.Write(w, nb, nil)
//
// What takes long on purpose is shown as it is written, and a page that is not trusted lets nothing of the notebook act.
package page
