package engine

// An Undo is what takes a session back to where it was: an engine's session embeds one and writes down how to undo each
// change of what it keeps, until it is known whether the unit that it was made for is taken.
type Undo struct{ back []func() }

// Snapshot returns a mark to which [Undo.Rollback] can take the session back. Marks of the past become invalid by Rollback
// to an earlier one.
func (u *Undo) Snapshot() int { return len(u.back) }

// Rollback forgets all that was made since the mark: the units were not run.
func (u *Undo) Rollback(mark int) {
	for i := len(u.back) - 1; i >= mark; i-- {
		u.back[i]()
	}
	u.back = u.back[:mark]
}

// Commit says that the marks taken so far are not needed any more.
func (u *Undo) Commit() { u.back = u.back[:0] }

// Note writes down how to undo a change.
func (u *Undo) Note(back func()) { u.back = append(u.back, back) }

// Set stores a value in a map of the session so that Rollback can take it back.
func Set[K comparable, V any](u *Undo, m map[K]V, k K, v V) {
	old, had := m[k]
	u.Note(func() {
		if had {
			m[k] = old
		} else {
			delete(m, k)
		}
	})
	m[k] = v
}

// Unset takes a key out of a map of the session so that Rollback can put it back.
func Unset[K comparable, V any](u *Undo, m map[K]V, k K) {
	Set(u, m, k, m[k])
	delete(m, k)
}
