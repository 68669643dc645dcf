// Package headless runs notebooks and Go programs without Jupyter: it executes a notebook's cells in one session.
//
// The package knows a session only as an [Executor]; the session sends what its cells show to a [Recorder], which keeps
// it as Jupyter's own tools would:
//
//	nb, err := notebook.ReadFile("herding.ipynb")
//	...
//	rec := headless.NewRecorder()
//	session, err := interp.Start(ctx, interp.Options{Sink: rec})
//	...
//	err = headless.Run(ctx, nb, session, rec, nil)
//	err = page.Write(w, nb, nil)
package headless
