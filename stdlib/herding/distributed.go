package herding

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"gonum.org/v1/gonum/mat"
)

// A Task asks a worker to choose Count of the pool's candidates Rows. It holds
// no data: a worker on another machine needs its own copy of the pool, or of
// those rows.
type Task struct {
	Part     int
	Rows     []int
	Count    int
	Settings GreedySettings
}

// A Worker carries out tasks. It returns the chosen rows, as indices into the
// whole pool in the order in which they were chosen, and how many seconds the
// work took, without waiting for a turn. Select is called for several tasks at
// once.
type Worker interface {
	Select(ctx context.Context, task Task) (rows []int, seconds float64, err error)
}

// localWorker chooses in this process.
type localWorker struct {
	pool  *Pool
	slots chan struct{}
}

func (l localWorker) Select(ctx context.Context, task Task) ([]int, float64, error) {
	l.slots <- struct{}{}
	defer func() { <-l.slots }()
	start := time.Now()
	r, err := Greedy(ctx, l.pool.Subset(task.Rows), task.Count, &task.Settings)
	if err != nil {
		return nil, 0, err
	}
	out := make([]int, r.Len())
	for i, j := range r.Index {
		out[i] = task.Rows[j]
	}
	return out, time.Since(start).Seconds(), nil
}

// LocalWorker returns the worker that runs tasks in this process, at most the
// given number at once; 0 means GOMAXPROCS. One at a time is right for measuring
// how long the parts would take on machines of their own.
func LocalWorker(pool *Pool, concurrent int) Worker {
	if concurrent < 1 {
		concurrent = runtime.GOMAXPROCS(0)
	}
	return localWorker{pool: pool, slots: make(chan struct{}, concurrent)}
}

// Parts is the result of [Distributed].
type Parts struct {
	// Rule is the best of the solutions of the parts and of the union.
	Rule *Rule
	// Best says which one it is: the index of a part, or len(Local) for the one
	// chosen from the union of all.
	Best int
	// Local holds the solutions of the parts, what "s-WKH-1" uses one of.
	Local []*Rule
	// Union is the solution chosen from all the points of the parts.
	Union *Rule
	// Seconds holds how long each part took, and last the union: with enough
	// machines the whole takes the longest part and the union. (Parts that run at
	// once in one process share its processors.)
	Seconds []float64
}

// Distributed chooses n points by greedy quadrature on a pool that is split at
// random into parts (Khanna et al. 2021, Algorithm 2): each part chooses n of its
// candidates for the same target, then n are chosen from the union of the chosen,
// and the best of these solutions wins. The work of a part is that of a pool of
// M/parts candidates. A nil worker means [LocalWorker] with as
// many tasks at once as there are processors, a nil settings [DefaultGreedySettings]. The result does not depend on the order in which
// workers finish.
func Distributed(ctx context.Context, pool *Pool, n, parts int, settings *GreedySettings, worker Worker, rng *rand.Rand) (*Parts, error) {
	if rng == nil {
		return nil, fmt.Errorf("herding: rng is nil, must be a source of random numbers")
	}
	settings = settings.WithDefaults()
	if pool == nil {
		return nil, fmt.Errorf("herding: pool is nil")
	}
	if parts < 1 || parts > pool.Len() {
		return nil, fmt.Errorf("herding: number of parts is %d, must be from 1 to the %d candidates", parts, pool.Len())
	}
	if worker == nil {
		worker = LocalWorker(pool, 0)
	}
	order := rng.Perm(pool.Len())
	chosen := make([][]int, parts)
	errs := make([]error, parts)
	out := &Parts{Local: make([]*Rule, parts), Seconds: make([]float64, parts+1)}
	var group sync.WaitGroup
	for p := range parts {
		group.Go(func() {
			rows := order[p*pool.Len()/parts : (p+1)*pool.Len()/parts]
			chosen[p], out.Seconds[p], errs[p] = worker.Select(ctx, Task{Part: p, Rows: rows, Count: n, Settings: *settings})
		})
	}
	group.Wait()
	var union []int
	for p, rows := range chosen {
		if errs[p] != nil {
			return nil, fmt.Errorf("herding: part %d of %d: %w", p, parts, errs[p])
		}
		for _, i := range rows {
			if i < 0 || i >= pool.Len() {
				return nil, fmt.Errorf("herding: part %d of %d chose row %d, must be from 0 to %d", p, parts, i, pool.Len()-1)
			}
		}
		// The worker returns rows only; weights and trace follow in O(n^3).
		local, err := fixedOrder(ctx, pool, rows)
		if err != nil {
			return nil, fmt.Errorf("herding: part %d of %d: %w", p, parts, err)
		}
		out.Local[p] = local
		union = append(union, rows...)
	}
	start := time.Now()
	final, err := Greedy(ctx, pool.Subset(union), n, settings)
	if err != nil {
		return nil, err
	}
	for i, j := range final.Index {
		final.Index[i] = union[j]
	}
	out.Union = final
	out.Seconds[parts] = time.Since(start).Seconds()
	out.Rule, out.Best = final, parts
	for p, r := range out.Local {
		if last(r.MMD) < last(out.Rule.MMD) {
			out.Rule, out.Best = r, p
		}
	}
	return out, nil
}

func last(x []float64) float64 { return x[len(x)-1] }

// fixedOrder returns the greedy rule whose points are given.
func fixedOrder(ctx context.Context, pool *Pool, rows []int) (*Rule, error) {
	if len(rows) == 0 {
		return nil, fmt.Errorf("herding: no points were chosen")
	}
	sub := pool.Subset(rows)
	_, d := pool.X.Dims()
	g := &greedy{settings: &GreedySettings{}, pool: sub, out: newBuilder(d, len(rows), sub.Component != nil),
		mmd2: pool.norm2, mean: make([]float64, d), skip: make([]bool, len(rows))}
	r, err := g.run(ctx, len(rows), &given{residual: residual{g: g, search: newSearch(sub)}})
	if err != nil {
		return nil, err
	}
	for i, j := range r.Index {
		r.Index[i] = rows[j]
	}
	return r, nil
}

// given chooses candidates in their order.
type given struct {
	residual
	next int
}

func (g *given) best() int {
	if g.next >= g.g.pool.Len() {
		return -1
	}
	g.next++
	return g.next - 1
}

func (g *given) add(_, _ []float64, _ float64) {}

// Subset returns the pool of the given candidates, in the given order. Nothing
// is computed again.
func (p *Pool) Subset(rows []int) *Pool {
	_, d := p.X.Dims()
	out := &Pool{X: mat.NewDense(max(len(rows), 1), d, nil), target: p.target, norm2: p.norm2}
	for r, i := range rows {
		out.X.SetRow(r, p.X.RawRowView(i))
		out.z = append(out.z, p.z[i])
		out.diag = append(out.diag, p.diag[i])
		if p.Component != nil {
			out.Component = append(out.Component, p.Component[i])
		}
	}
	out.prepare()
	return out
}
