package kernel

import (
	"context"
	"errors"

	"gaucho/interp/api"
)

// A Session runs cells and knows their language. *interp.Session is one.
type Session interface {
	// Execute runs a cell. All output that the cell made itself has reached the sink when it returns.
	Execute(ctx context.Context, cell api.Cell) api.Result
	// Evaluate returns the MIME bundle of an expression's value.
	Evaluate(ctx context.Context, cell api.Cell, expression string) (map[string]any, *api.Error)
	// Interrupt ends the cells that run; it does nothing when there are none.
	Interrupt()
	Complete(source string, cursor int) api.Completion
	Inspect(source string, cursor, detail int) (map[string]any, bool)
	IsComplete(source string) (status, indent string)
	// Comm hands over a message of a comm; what its handlers show is addressed with cell. It does not wait for them:
	// done is called when they have ended, or when they wait for a cell. A comm for a target that nobody takes is closed.
	Comm(cell string, c api.Comm, done func())
	Close() error
}

// A starting session is there when ready is closed; then either session or err is set.
type starting struct {
	ready   chan struct{}
	session Session
	err     error
}

// startSession starts a session while the caller goes on, so that questions about the kernel are answered meanwhile.
func startSession(ctx context.Context, o api.Options, start func(context.Context, api.Options) (Session, error)) *starting {
	s := &starting{ready: make(chan struct{})}
	go func() {
		defer close(s.ready)
		s.session, s.err = start(ctx, o)
		if s.err == nil && s.session == nil {
			s.err = errors.New("no session")
		}
	}()
	return s
}

// get waits for the session.
func (s *starting) get() (Session, error) {
	<-s.ready
	return s.session, s.err
}

// running returns the session if it has started, and nil before.
func (s *starting) running() Session {
	select {
	case <-s.ready:
		return s.session
	default:
		return nil
	}
}
