package headless

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"gaucho/command/notebook"
	"gaucho/interp"
)

// An Executor runs cells one after another; an [interp.Session] is one. It stops the cell when ctx is cancelled.
type Executor interface {
	Execute(ctx context.Context, cell interp.Cell) interp.Result
}

// Options say how a notebook is run. The zero value runs until the first error, however long it takes.
type Options struct {
	AllowErrors bool             // go on after a cell that fails
	Timeout     time.Duration    // what one cell may take; 0 for no limit
	Progress    Progress         // called with each cell; may be nil
	Failed      func(*CellError) // called for a cell that fails and does not end the run; may be nil
	Version     string           // of Gaucho, which the notebook is to name; may be empty
}

// Progress is called with how far a run is.
type Progress interface {
	Cell(done, total int, source string) // before a cell, and with an empty source after the last
}

// A CellError says which cell of a notebook failed.
type CellError struct {
	Index  int // position of the cell in the notebook, from 0
	Number int // the number the user sees, In[Number]
	Err    *interp.Error
}

func (e *CellError) Error() string { return fmt.Sprintf("In [%d]: %s", e.Number, e.Err) }
func (e *CellError) Unwrap() error { return e.Err }

// Run executes the notebook's code cells in order in one session, whose sink must be rec. Outputs of earlier runs are
// dropped first. A cell with the tag "skip-execution" does not run and keeps its outputs. A cell that fails ends the run with a [*CellError], unless errors are allowed or the cell's metadata
// has the tag "raises-exception". When ctx is cancelled, the cell that runs is interrupted and the error is ctx's.
func Run(ctx context.Context, nb *notebook.Notebook, ex Executor, rec *Recorder, o *Options) error {
	if o == nil {
		o = &Options{}
	}
	if lang := nb.Language(); lang != "go" {
		return fmt.Errorf("the notebook's language is %q, must be go", lang)
	}
	fillMetadata(nb, o.Version)
	defer rec.widgets.save(nb)
	total := 0
	for _, c := range nb.Cells {
		if c.Type == "code" && (c.Runs() || c.Empty()) {
			c.Outputs, c.Count = nil, 0
		}
		if c.Runs() {
			total++
		}
	}
	number := 0
	for i, c := range nb.Cells {
		if !c.Runs() {
			continue
		}
		number++
		if o.Progress != nil {
			o.Progress.Cell(number-1, total, c.Source)
		}
		failed := RunCell(ctx, c, number, ex, rec, o.Timeout)
		if err := ctx.Err(); err != nil {
			return err
		}
		if failed == nil {
			continue
		}
		ce := &CellError{Index: i, Number: number, Err: failed}
		if !o.AllowErrors && !c.HasTag("raises-exception") {
			return ce
		}
		if o.Failed != nil {
			o.Failed(ce)
		}
	}
	if o.Progress != nil {
		o.Progress.Cell(total, total, "")
	}
	return nil
}

// A Timeout that is the cause of a context's end is why the cell that runs under it fails.
type Timeout string

func (t Timeout) Error() string { return string(t) }

// RunCell executes one cell and records its result or its error, which it returns. Timeout 0 is no limit.
func RunCell(ctx context.Context, c *notebook.Cell, number int, ex Executor, rec *Recorder, timeout time.Duration) *interp.Error {
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, timeout, Timeout(fmt.Sprintf("the cell took longer than %s", timeout)))
		defer cancel()
	}
	id := strconv.Itoa(number)
	rec.add(id, c)
	c.Count = number
	res := ex.Execute(ctx, interp.Cell{ID: id, Number: number, Source: c.Source})
	rec.ended()
	if res.Err == nil {
		if res.Display != nil {
			rec.result(id, res.Display, number)
		}
		return nil
	}
	e := res.Err
	if t := Timeout(""); errors.As(context.Cause(ctx), &t) {
		e = &interp.Error{Name: "Timeout", Value: string(t), Lost: e.Lost, Traceback: append([]string{"Timeout: " + string(t)}, e.Traceback...)}
	}
	rec.fail(id, e)
	return e
}

// fillMetadata says which language and kernel the notebook is for where it does not say so itself: tools around
// Jupyter look at both places. It says which version ran the notebook where Jupyter keeps what a kernel says of its language.
func fillMetadata(nb *notebook.Notebook, version string) {
	if nb.Metadata == nil {
		nb.Metadata = map[string]any{}
	}
	if nb.Metadata["kernelspec"] == nil {
		nb.Metadata["kernelspec"] = map[string]any{"name": "gaucho", "display_name": "Gaucho (Go)", "language": "go"}
	}
	if nb.Metadata["language_info"] == nil {
		nb.Metadata["language_info"] = map[string]any{"name": "go", "file_extension": ".go", "mimetype": "text/x-go"}
	}
	if lang, ok := nb.Metadata["language_info"].(map[string]any); ok && version != "" {
		lang["gaucho"] = version
	}
}
