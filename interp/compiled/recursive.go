package compiled

// recursive returns the functions of a package that may call themselves, directly or through others: those of a strongly
// connected component of more than one, and those with a call of themselves. calls passes what a function calls to each.
// Functions of earlier packages call none of this one: whatever calls a function that is declared anew is made anew too. It
// looks at each call once (Tarjan 1972, Depth-first search and linear graph algorithms).
func recursive[F comparable](funcs []F, calls func(f F, each func(F))) map[F]bool {
	inside := make(map[F]bool, len(funcs))
	for _, f := range funcs {
		inside[f] = true
	}
	again, order, low := map[F]bool{}, map[F]int{}, map[F]int{}
	var stack []F
	open := map[F]bool{} // on the stack
	var visit func(F)
	visit = func(f F) {
		order[f] = len(order) + 1
		low[f] = order[f]
		stack, open[f] = append(stack, f), true
		calls(f, func(g F) {
			switch {
			case !inside[g]:
			case g == f:
				again[f] = true
			case order[g] == 0:
				visit(g)
				low[f] = min(low[f], low[g])
			case open[g]:
				low[f] = min(low[f], order[g])
			}
		})
		if low[f] < order[f] {
			return
		}
		for several := stack[len(stack)-1] != f; open[f]; stack = stack[:len(stack)-1] {
			g := stack[len(stack)-1]
			open[g] = false
			again[g] = again[g] || several
		}
	}
	for _, f := range funcs {
		if order[f] == 0 {
			visit(f)
		}
	}
	return again
}
