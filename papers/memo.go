package papers

import "sync"

// A Memo keeps the latest values of a computation that replications at several points of a study share, such as a reference
// filter with very many particles, so that it is done once. Errors are not kept.
type Memo[K comparable, V any] struct {
	mu    sync.Mutex
	most  int // values kept
	kept  map[K]*memoized[V]
	order []K // from the oldest
}

type memoized[V any] struct {
	mu    sync.Mutex
	done  bool
	value V
}

// NewMemo returns a memo that keeps up to most values, and forgets the oldest first.
func NewMemo[K comparable, V any](most int) *Memo[K, V] {
	return &Memo[K, V]{most: most, kept: map[K]*memoized[V]{}}
}

// Get returns the value for key, and calls compute for it unless it is kept. If another call is computing it, Get waits for
// that.
func (m *Memo[K, V]) Get(key K, compute func() (V, error)) (V, error) {
	m.mu.Lock()
	one := m.kept[key]
	if one == nil {
		one = &memoized[V]{}
		m.kept[key] = one
		m.order = append(m.order, key)
		if len(m.order) > m.most {
			delete(m.kept, m.order[0])
			m.order = m.order[1:]
		}
	}
	m.mu.Unlock()
	one.mu.Lock()
	defer one.mu.Unlock()
	if one.done {
		return one.value, nil
	}
	value, err := compute()
	if err == nil {
		one.value, one.done = value, true
	}
	return value, err
}
