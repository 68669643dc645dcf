package kernel

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"gaucho/interp/api"
)

// A Looker is a session whose variables can be looked at.
type Looker interface {
	// Look says whether somebody looks from now on.
	Look(on bool)
	Variables(ctx context.Context) []api.Variable
	// Parts lists the parts of what the path leads to in a variable; ok is false when that cannot be had now.
	Parts(ctx context.Context, name string, path []api.Part) (parts []api.Variable, ok bool)
	// Rich returns the forms of a variable; ok is false when they cannot be had now.
	Rich(ctx context.Context, name string) (data map[string]any, ok bool)
}

// The kernel implements the part of the debug protocol that fills the variables pane. There are no breakpoints, and nothing is
// ever stopped. Requests come on the control channel, so they are answered while a cell runs.

// debugState is what was sent to clients that show variables.
type debugState struct {
	mu      sync.Mutex
	started bool
	lab     bool // the client is JupyterLab
	seq     int
	places  []place        // by reference - 1
	refs    map[string]int // by the place's text
}

// A place is a variable or a part of one.
type place struct {
	name string
	path []api.Part
}

// maxPlaces bounds what is remembered of places that were shown; beyond it they are forgotten, and clients that still
// have references get nothing for them.
const maxPlaces = 100_000

// reference returns the number by which a client asks for the parts of a place.
func (d *debugState) reference(p place) int {
	key := p.name + fmt.Sprint(p.path)
	d.mu.Lock()
	defer d.mu.Unlock()
	if r, ok := d.refs[key]; ok {
		return r
	}
	if d.refs == nil || len(d.places) >= maxPlaces {
		d.refs, d.places = map[string]int{}, nil
	}
	d.places = append(d.places, p)
	d.refs[key] = len(d.places)
	return len(d.places)
}

func (d *debugState) place(ref int) (place, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if ref < 1 || ref > len(d.places) {
		return place{}, false
	}
	return d.places[ref-1], true
}

// begin notes that a client looks from now on: from its initialize, as ipykernel does, and not from the attach after it.
// JupyterLab asks for debugInfo at any time, and stops asking for variables when the answer is that nobody looks.
func (d *debugState) begin(client string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.started, d.lab = true, client == "jupyterlab"
}

// end notes that nobody looks any more.
func (d *debugState) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.started = false
	d.places, d.refs = nil, nil
}

// debugContent is a request of the Debug Adapter Protocol.
type debugContent struct {
	Seq       int             `json:"seq"`
	Command   string          `json:"command"`
	Arguments json.RawMessage `json:"arguments"`
}

// debugRequest answers a debug_request.
func (c *channel) debugRequest(r *request) (object, error) {
	var q debugContent
	if err := r.decode(&q); err != nil {
		return nil, err
	}
	d := &c.k.debug
	d.mu.Lock()
	d.seq++
	reply := object{"type": "response", "seq": d.seq, "request_seq": q.Seq, "command": q.Command, "status": "ok"}
	d.mu.Unlock()
	body, err := c.debugCommand(r, q)
	reply["success"] = err == nil
	if err != nil {
		reply["message"] = err.Error()
		body = object{}
	}
	reply["body"] = body
	return reply, nil
}

// debugCommand carries out one command.
func (c *channel) debugCommand(r *request, q debugContent) (object, error) {
	switch q.Command {
	case "debugInfo":
		return c.debugInfo(), nil
	case "initialize":
		var a struct {
			Client string `json:"clientID"`
		}
		json.Unmarshal(q.Arguments, &a) // a client without a name is none that is known
		c.k.debug.begin(a.Client)
		c.k.iopub.send(r.asParent(false), message{kind: "debug_event", content: object{
			"type": "event", "seq": 0, "event": "initialized", "body": object{},
		}})
		return object{"supportsConfigurationDoneRequest": true, "supportsEvaluateForHovers": false}, nil
	case "attach", "launch":
		return object{}, nil
	case "disconnect", "terminate":
		c.k.debug.end()
		if s, ok := c.k.session.running().(Looker); ok {
			s.Look(false)
		}
		return object{}, nil
	case "configurationDone", "setExceptionBreakpoints", "setFunctionBreakpoints":
		return object{}, nil
	case "dumpCell":
		return dumpCell(q.Arguments)
	case "setBreakpoints":
		return refuseBreakpoints(q.Arguments)
	case "inspectVariables":
		return c.inspectVariables()
	case "variables":
		return c.variables(q.Arguments)
	case "richInspectVariables":
		return c.richInspect(q.Arguments)
	case "threads":
		return object{"threads": []object{}}, nil
	case "stackTrace":
		return object{"stackFrames": []object{}, "totalFrames": 0}, nil
	case "scopes":
		return object{"scopes": []object{}}, nil
	case "modules":
		return object{"modules": []object{}, "totalModules": 0}, nil
	}
	return nil, fmt.Errorf("this kernel has no breakpoints, and no command %q", q.Command)
}

// debugInfo answers which parts of debugging are supported.
func (c *channel) debugInfo() object {
	d := &c.k.debug
	d.mu.Lock()
	defer d.mu.Unlock()
	return object{
		"isStarted": d.started, "hashMethod": "Murmur2", "hashSeed": hashSeed, "tmpFilePrefix": cellPrefix, "tmpFileSuffix": cellSuffix,
		"breakpoints": []object{}, "stoppedThreads": []int{}, "richRendering": true, "exceptionPaths": []string{}, "copyToGlobals": false,
	}
}

// inspectVariables lists the session's variables.
func (c *channel) inspectVariables() (object, error) {
	s, ok := c.k.session.running().(Looker)
	if !ok {
		return object{"variables": []object{}}, nil
	}
	s.Look(true)
	list := []object{}
	for _, v := range s.Variables(c.k.ctx) {
		o := c.variable(v, place{name: v.Name})
		o["evaluateName"] = v.Name
		list = append(list, o)
	}
	return object{"variables": list}, nil
}

// variable is one line of the pane.
func (c *channel) variable(v api.Variable, p place) object {
	value := v.Value
	switch {
	case v.Old && value == "":
		value = "(not known while the cell runs)"
	case v.Old:
		value += "  (before this cell)"
	}
	ref := 0
	if v.Parts > 0 {
		ref = c.k.debug.reference(p)
	}
	return object{"name": v.Name, "value": value, "type": c.k.debug.typeText(v, value), "evaluateName": "", "variablesReference": ref, "namedVariables": v.Parts}
}

// typeText is what is shown as the type of a variable. The tree of JupyterLab's pane shows values for Python's types alone,
// and for all others the type in their place; so there the type says what the value is, too.
func (d *debugState) typeText(v api.Variable, value string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case !d.lab || v.Type == "int" || v.Type == "bool" || v.Type == "":
		return v.Type
	case v.Parts == 0:
		return v.Type + " = " + value
	}
	if head, _, ok := strings.Cut(v.Value, " "); ok && strings.Contains(head, "×") {
		return v.Type + " (" + head + ")"
	}
	return fmt.Sprintf("%s (%d)", v.Type, v.Parts)
}

// variables lists the parts of a variable.
func (c *channel) variables(arguments json.RawMessage) (object, error) {
	var q struct {
		Reference int `json:"variablesReference"`
	}
	if err := json.Unmarshal(arguments, &q); err != nil {
		return nil, fmt.Errorf("variables: %w", err)
	}
	p, known := c.k.debug.place(q.Reference)
	s, ok := c.k.session.running().(Looker)
	if !known || !ok {
		return nil, fmt.Errorf("there is no value with the number %d", q.Reference)
	}
	parts, ok := s.Parts(c.k.ctx, p.name, p.path)
	if !ok {
		return object{"variables": []object{{"name": "", "value": "(not known while the cell runs)", "type": "", "variablesReference": 0}}}, nil
	}
	list := []object{}
	for _, v := range parts {
		path := append(append([]api.Part{}, p.path...), v.Part)
		list = append(list, c.variable(v, place{p.name, path}))
	}
	return object{"variables": list}, nil
}

// richInspect returns the forms in which a variable shows itself.
func (c *channel) richInspect(arguments json.RawMessage) (object, error) {
	var q struct {
		Name string `json:"variableName"`
	}
	if err := json.Unmarshal(arguments, &q); err != nil {
		return nil, fmt.Errorf("richInspectVariables: %w", err)
	}
	s, ok := c.k.session.running().(Looker)
	if !ok {
		return object{"data": object{}, "metadata": object{}}, nil
	}
	data, ok := s.Rich(c.k.ctx, q.Name)
	if !ok {
		text := "The value can be shown when the cell that runs has ended."
		return object{"data": object{"text/plain": text}, "metadata": object{}}, nil
	}
	return object{"data": rawObject(data), "metadata": object{}}, nil
}

// Names of cells for clients that set breakpoints: prefix, hash of the text, suffix.
const (
	cellPrefix = "gaucho-cell-"
	cellSuffix = ".go"
	hashSeed   = 0xc70f6907
)

// dumpCell names a cell.
func dumpCell(arguments json.RawMessage) (object, error) {
	var q struct {
		Code string `json:"code"`
	}
	if err := json.Unmarshal(arguments, &q); err != nil {
		return nil, fmt.Errorf("dumpCell: %w", err)
	}
	return object{"sourcePath": cellPrefix + strconv.FormatUint(uint64(murmur2([]byte(q.Code), hashSeed)), 10) + cellSuffix}, nil
}

// refuseBreakpoints answers that none of the breakpoints will be hit.
func refuseBreakpoints(arguments json.RawMessage) (object, error) {
	var q struct {
		Breakpoints []struct {
			Line int `json:"line"`
		} `json:"breakpoints"`
	}
	if err := json.Unmarshal(arguments, &q); err != nil {
		return nil, fmt.Errorf("setBreakpoints: %w", err)
	}
	list := []object{}
	for _, b := range q.Breakpoints {
		list = append(list, object{"verified": false, "line": b.Line, "message": "Gaucho has no breakpoints."})
	}
	return object{"breakpoints": list}, nil
}

// murmur2 is Austin Appleby's MurmurHash2, by which clients name cells.
func murmur2(data []byte, seed uint32) uint32 {
	const m = 0x5bd1e995
	h := seed ^ uint32(len(data))
	for ; len(data) >= 4; data = data[4:] {
		k := uint32(data[0]) | uint32(data[1])<<8 | uint32(data[2])<<16 | uint32(data[3])<<24
		k *= m
		k ^= k >> 24
		k *= m
		h = h*m ^ k
	}
	switch len(data) {
	case 3:
		h ^= uint32(data[2]) << 16
		fallthrough
	case 2:
		h ^= uint32(data[1]) << 8
		fallthrough
	case 1:
		h ^= uint32(data[0])
		h *= m
	}
	h ^= h >> 13
	h *= m
	return h ^ h>>15
}
