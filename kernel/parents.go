package kernel

import (
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"

	"gaucho/kernel/zmtp"
)

// A parent is a request that output belongs to, kept as long as something may still come of it.
type parent struct {
	id     string // msg_id, by which the session addresses output
	raw    json.RawMessage
	peer   string
	client string // the session of the one who sent it
	idents zmtp.Message
	stdin  bool   // the client answers requests for input
	cell   bool   // it runs a cell
	looks  bool   // it asks for variables, or for another thing of the debugger
	cellID string // what the front end calls the cell in its notebook; empty if it is none

	interrupted atomic.Bool // before the session had the cell
}

func (r *request) asParent(stdin bool) *parent {
	return &parent{id: r.ID, raw: r.raw, peer: r.peer, client: r.Session, idents: r.idents, stdin: stdin, cell: r.Type == "execute_request", looks: r.Type == "debug_request"}
}

// How many parents are kept: goroutines may print hours after their cell, handlers of comms seldom do.
const (
	keptCells = 1 << 14
	keptComms = 1 << 10
)

// parents finds the request that a cell's output belongs to.
type parents struct {
	mu    sync.Mutex
	byID  map[string]*parent
	cells []string // oldest first
	comms []string
	last  *parent // of the newest cell, for output that names none

	handling []*parent // messages of comms from which something still follows, oldest first
}

func newParents() *parents {
	return &parents{byID: map[string]*parent{}, last: &parent{}}
}

// cell remembers a request to run a cell.
func (p *parents) cell(n *parent) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = n
	p.cells = p.add(n, p.cells, keptCells)
}

// comm remembers a message of a comm.
func (p *parents) comm(n *parent) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.comms = p.add(n, p.comms, keptComms)
}

// handle remembers that something may follow from a message of a comm, until handled is called.
func (p *parents) handle(n *parent) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.handling = append(p.handling, n)
}

func (p *parents) handled(n *parent) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.handling = slices.DeleteFunc(p.handling, func(m *parent) bool { return m == n })
}

// handler returns the message of a comm in whose course a cell shows something, if another client has sent it than the one that ran
// the cell. It is nil for none.
func (p *parents) handler(of *parent) *parent {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !of.cell || len(p.handling) == 0 || p.handling[0].client == of.client {
		return nil
	}
	return p.handling[0]
}

func (p *parents) add(n *parent, order []string, limit int) []string {
	if p.byID[n.id] == nil {
		order = append(order, n.id)
	}
	p.byID[n.id] = n
	if len(order) > limit {
		delete(p.byID, order[0])
		order = order[1:]
	}
	return order
}

// find returns the parent with the given id, or that of the newest cell.
func (p *parents) find(id string) *parent {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := p.byID[id]; n != nil {
		return n
	}
	return p.last
}
