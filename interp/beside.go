package interp

import (
	"context"
	"slices"
	"sync"

	"gaucho/interp/wire"
)

// besides is what a session knows of cells of subshells, which run beside the others. They see what cells have declared
// that have ended, and what they declare is there for others when they have ended.
//
// What the lowerer takes for known, the worker must have loaded. So a cell is lowered when the worker has loaded all of
// those before it, and takes the gate until it is on its way itself. A cell of several stages, which the worker loads
// one by one, so holds up those that come later until it is at its last; and when it fails before, nothing was lowered
// since that would go with the stages that are taken back.
type besides struct {
	mu      sync.Mutex
	running map[int]bool // by their number: whether they were interrupted

	gate sync.Mutex
	turn bool // the cell that has its turn has the gate; belongs to who holds Session.executing

	// Guarded by Session.front. mixed says that cells of subshells have run since a moment in which none ran: none of them
	// may then say alone that nothing will be taken back.
	inFlight int
	mixed    bool
}

// canBeside reports whether a cell can run beside others. One with magics waits for its turn, for many of them concern all
// of the session; and cells of the compiled engine take turns.
func (s *Session) canBeside(c Cell) bool {
	if s.builder != nil || c.Program {
		return false
	}
	return !slices.ContainsFunc(split(normalise(c.Source)), func(c chunk) bool { return c.kind == magicChunk })
}

// executeBeside is Execute for a cell that does not wait for others.
func (s *Session) executeBeside(ctx context.Context, c Cell) Result {
	defer s.flight(true)()
	s.mu.Lock()
	id := int(s.cells.Add(1))
	s.ids[id] = c.ID
	s.mu.Unlock()
	defer s.beside.begin(id)()
	defer context.AfterFunc(ctx, func() { s.beside.stop(id); s.worker.Interrupt(id) })()
	res := s.executeAs(ctx, id, c)
	s.looks.change()
	s.saveSoon()
	return res
}

// flight notes that a cell is on its way, until the function that it returns is called.
func (s *Session) flight(beside bool) (end func()) {
	s.front.Lock()
	defer s.front.Unlock()
	s.beside.inFlight++
	s.beside.mixed = s.beside.mixed || beside
	return func() {
		s.front.Lock()
		defer s.front.Unlock()
		if s.beside.inFlight--; s.beside.inFlight == 0 && s.beside.mixed {
			s.lower.Commit()
			s.beside.mixed = false
		}
	}
}

// enter waits until a cell may be lowered. The function that it returns, which may be called twice, lets the next one in.
func (s *Session) enter(c Cell) (leave func()) {
	b := &s.beside
	beside := c.Beside && s.canBeside(c)
	if !beside && b.turn { // a part of the cell that has its turn
		return func() {}
	}
	b.gate.Lock()
	if !beside {
		b.turn = true
	}
	s.front.Lock()
	mixed := b.mixed
	s.front.Unlock()
	if mixed {
		s.worker.Look(context.Background(), &wire.Look{Loaded: true})
	}
	return sync.OnceFunc(func() {
		if !beside {
			b.turn = false
		}
		b.gate.Unlock()
	})
}

func (b *besides) begin(id int) (end func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.running == nil {
		b.running = map[int]bool{}
	}
	b.running[id] = false
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.running, id)
	}
}

// stop marks a cell as interrupted.
func (b *besides) stop(id int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.running[id]; ok {
		b.running[id] = true
	}
}

// interrupt marks all cells as interrupted and returns their numbers.
func (b *besides) interrupt() (ids []int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id := range b.running {
		b.running[id] = true
		ids = append(ids, id)
	}
	return ids
}

// stopped reports whether a cell was interrupted.
func (b *besides) stopped(id int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.running[id]
}
