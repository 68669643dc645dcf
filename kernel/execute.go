package kernel

import (
	"encoding/json"
	"fmt"
	"runtime/debug"
	"strings"

	"gaucho/interp/api"
)

// executeContent is what a request to run a cell says.
type executeContent struct {
	Code            *string           `json:"code"`
	Silent          bool              `json:"silent"`
	StoreHistory    *bool             `json:"store_history"`
	UserExpressions map[string]string `json:"user_expressions"`
	AllowStdin      *bool             `json:"allow_stdin"`
	StopOnError     *bool             `json:"stop_on_error"`
}

// run answers one request to run a cell, between busy and idle.
func (c *channel) run(r queued) {
	var e executeContent
	err := r.decode(&e)
	p := r.asParent(or(e.AllowStdin, true))
	p.cellID = cellID(r.request)
	c.k.parents.cell(p)
	c.k.busy.begin(p, true)
	started := now()
	var content object
	switch {
	case c.abort.covers(r):
		// Without a number, which clients would write next to a cell that never ran.
		content = object{"status": "aborted"}
	case err != nil:
		content = c.badCell(err.Error())
	case e.Code == nil:
		content = c.badCell("execute_request without code")
	default:
		content = c.execute(p, *e.Code, e)
		if content["status"] == "error" && !e.Silent && or(e.StopOnError, true) {
			c.abort.failed(r.request, c.queue.newest())
		}
	}
	c.k.late.end(p)
	c.reply(r.request, object{
		"started": started, "dependencies_met": true, "engine": c.k.ident, "status": content["status"],
	}, content)
	c.k.busy.end(p)
}

// cellID is the front end's identifier of the cell, which JupyterLab sends.
func cellID(r *request) string {
	var m struct {
		CellID string `json:"cellId"`
	}
	json.Unmarshal(r.metadata, &m) // what is no such name is none
	return m.CellID
}

func (c *channel) badCell(why string) object {
	content := failure("BadRequest", why)
	content["execution_count"] = c.k.count.Load()
	return content
}

// or is the value that a request gives, or the default.
func or(v *bool, otherwise bool) bool {
	if v == nil {
		return otherwise
	}
	return *v
}

// execute runs a cell and returns the content of its reply. What the cell shows has been published by then.
func (c *channel) execute(p *parent, code string, e executeContent) (content object) {
	k := c.k
	defer func() {
		if x := recover(); x != nil {
			k.log.Error("kernel: a cell could not be run", "err", x, "stack", string(debug.Stack()))
			content = c.failed(p, &api.Error{Name: "KernelError", Value: fmt.Sprint(x)})
		}
	}()
	store := or(e.StoreHistory, true) && !e.Silent
	number := k.count.Load()
	if store {
		number = k.count.Add(1)
	}
	if !e.Silent {
		k.iopub.send(p, message{kind: "execute_input", content: object{"code": code, "execution_count": number}})
	}
	k.late.begin(p)
	if store {
		k.history.input(int(number), code)
	}
	session, err := k.session.get()
	if err != nil {
		return c.failed(p, &api.Error{Name: "KernelError", Value: "no cell can run: " + err.Error()})
	}
	if content, ok := c.command(p, session, code, number); ok {
		return content
	}
	if p.interrupted.Load() {
		return c.failed(p, &api.Error{Name: "Interrupt", Value: "the cell was interrupted before it began"})
	}
	cell := api.Cell{ID: p.id, Number: int(number), Source: code, Stdin: p.stdin, Silent: e.Silent, NotebookID: p.cellID}
	cell.Subshell, cell.Shared = c.subshell != "", k.shells.any()
	result := session.Execute(k.ctx, cell)
	payload := []any{}
	if result.Replace != nil {
		payload = append(payload, object{"source": "set_next_input", "text": *result.Replace, "replace": true})
	}
	if result.Err != nil {
		content = c.failed(p, result.Err)
		content["payload"] = payload
		return content
	}
	if d := result.Display; d != nil && !e.Silent {
		k.iopub.send(p, message{kind: "execute_result", content: object{
			"data": rawObject(d.Data), "metadata": rawObject(d.Metadata), "execution_count": number,
		}})
		if text, ok := d.Data["text/plain"].(string); ok && store {
			k.history.output(int(number), text)
		}
	}
	return object{
		"status": "ok", "execution_count": number, "payload": payload,
		"user_expressions": c.evaluate(session, cell, e.UserExpressions),
	}
}

// failed publishes the error of a cell and returns the reply with the same content. A notebook, which sends the cell's
// identifier, also gets the places as HTML; clients that save the text of a reply or error need not know that form.
func (c *channel) failed(p *parent, e *api.Error) object {
	trace := e.Traceback
	if len(trace) == 0 {
		trace = strings.Split(e.Name+": "+e.Value, "\n")
	}
	content := object{"ename": e.Name, "evalue": e.Value, "traceback": trace}
	c.k.iopub.send(p, message{kind: "error", content: content})
	if e.HTML != "" && p.cellID != "" {
		sink{c.k}.Display(p.id, api.Display{Data: object{"text/html": e.HTML}})
	}
	return object{
		"status": "error", "execution_count": c.k.count.Load(), "ename": e.Name, "evalue": e.Value, "traceback": trace,
		"payload": []any{}, "user_expressions": object{},
	}
}

// evaluate answers the expressions that a client wants the values of after a cell, each with a status of its own.
func (c *channel) evaluate(s Session, cell api.Cell, expressions map[string]string) object {
	cell.Silent = false // else expressions would have no value
	values := object{}
	for name, x := range expressions {
		data, err := s.Evaluate(c.k.ctx, cell, x)
		if err != nil {
			trace := err.Traceback
			if trace == nil {
				trace = []string{}
			}
			values[name] = object{"status": "error", "ename": err.Name, "evalue": err.Value, "traceback": trace}
			continue
		}
		values[name] = object{"status": "ok", "data": rawObject(data), "metadata": json.RawMessage(empty)}
	}
	return values
}
