package rt

// Deferring calls f, the cell's statements, and then what they deferred at the top level. It is called in the cell's main
// goroutine.
func (c *Cell) Deferring(f func()) {
	Run(func(d *D) {
		c.defers = d
		f()
	})
}

// CellDefers is what top-level statements defer to.
func CellDefers() *D { return self().cell.defers }
