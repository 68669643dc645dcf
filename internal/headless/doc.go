// Package headless runs notebooks and Go programs without Jupyter: it reads and writes Jupyter's notebook files, gives
// a notebook its parameters, executes its cells in one session, and renders the result as a page that needs no network.
//
// The package knows a session only as an [Executor]; the session sends what its cells show to a [Recorder], which keeps
// it as Jupyter's own tools would:
//
//	nb, err := headless.ReadFile("herding.ipynb")
//	...
//	rec := headless.NewRecorder()
//	session, err := interp.Start(ctx, interp.Options{Sink: rec})
//	...
//	err = headless.Run(ctx, nb, session, rec, nil)
//	err = headless.WritePage(w, nb, nil)
package headless
