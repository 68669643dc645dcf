package dataset

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/vec"
)

// A Linkage is how far two clusters are from each other.
type Linkage string

// Linkages.
const (
	Ward     Linkage = "ward"     // by how much the squared distances from the centre grow: clusters of like size
	Average  Linkage = "average"  // the mean distance of their points
	Complete Linkage = "complete" // the largest distance of their points
	Single   Linkage = "single"   // the smallest distance of their points: chains
)

// A Merge is of two clusters to one. Clusters 0 to n-1 are the points, and n+i is what merge i made.
type Merge struct {
	A, B   int // A < B
	Height float64
	Size   int // points in the new cluster
}

// A Hierarchy is the clusters of n points, merged until there is one: n-1 merges, of rising height.
type Hierarchy struct {
	Merges []Merge
	points int
}

// Agglomerate merges the rows of X (n x d), the two nearest clusters first: R's hclust (ward.D2 for [Ward]) and SciPy's linkage.
// Coordinates count as they are, so bring them to one scale first. Time O(n² d), memory O(n²), by chains of nearest neighbours
// (Murtagh 1983). Errors: no points, values that are not finite, a linkage that is not known, a cancelled context.
func Agglomerate(ctx context.Context, X *mat.Dense, linkage Linkage) (*Hierarchy, error) {
	if err := checkPoints(X); err != nil {
		return nil, err
	}
	update := map[Linkage]func(da, db, dab, na, nb, n float64) float64{
		Ward: func(da, db, dab, na, nb, n float64) float64 {
			return math.Sqrt(max(((na+n)*da*da+(nb+n)*db*db-n*dab*dab)/(na+nb+n), 0))
		},
		Average:  func(da, db, _, na, nb, _ float64) float64 { return (na*da + nb*db) / (na + nb) },
		Complete: func(da, db, _, _, _, _ float64) float64 { return max(da, db) },
		Single:   func(da, db, _, _, _, _ float64) float64 { return min(da, db) },
	}[linkage]
	if update == nil {
		return nil, fmt.Errorf("dataset: linkage is %q, must be ward, average, complete or single", linkage)
	}
	X, unit := inUnit(X)
	n, _ := X.Dims()
	distance, size := mat.NewDense(n, n, nil), make([]float64, n)
	for i := range n {
		size[i] = 1
		for j := range i {
			v := math.Sqrt(vec.SquaredDistance(X.RawRowView(i), X.RawRowView(j)))
			distance.Set(i, j, v)
			distance.Set(j, i, v)
		}
	}
	h := &Hierarchy{points: n}
	var chain []int
	for len(h.Merges) < n-1 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(chain) == 0 {
			chain = append(chain, slices.IndexFunc(size, func(s float64) bool { return s > 0 }))
		}
		for {
			last := chain[len(chain)-1]
			near, least := -1, math.Inf(1)
			if len(chain) > 1 { // of equally near ones the one before, so that the chain ends
				near = chain[len(chain)-2]
				least = distance.At(last, near)
			}
			for j, v := range distance.RawRowView(last) {
				if j != last && size[j] > 0 && v < least {
					near, least = j, v
				}
			}
			if len(chain) > 1 && near == chain[len(chain)-2] {
				break
			}
			chain = append(chain, near)
		}
		a, b := chain[len(chain)-2], chain[len(chain)-1]
		chain = chain[:len(chain)-2]
		height := distance.At(a, b)
		h.Merges = append(h.Merges, Merge{a, b, height, 0})
		for j := range n {
			if j != a && j != b && size[j] > 0 {
				v := update(distance.At(a, j), distance.At(b, j), height, size[a], size[b], size[j])
				distance.Set(b, j, v)
				distance.Set(j, b, v)
			}
		}
		size[a], size[b] = 0, size[a]+size[b]
	}
	for i := range h.Merges {
		h.Merges[i].Height *= unit
	}
	h.sort()
	return h, nil
}

// sort puts the merges in the order of their heights, and numbers the clusters by it: A and B are points until then.
func (h *Hierarchy) sort() {
	slices.SortStableFunc(h.Merges, func(a, b Merge) int {
		switch {
		case a.Height < b.Height:
			return -1
		case a.Height > b.Height:
			return 1
		}
		return 0
	})
	parent := make([]int, 2*h.points)
	count := make([]int, 2*h.points)
	for i := range parent {
		parent[i], count[i] = i, 1
	}
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for i := range h.Merges {
		m := &h.Merges[i]
		a, b := root(m.A), root(m.B)
		m.A, m.B = min(a, b), max(a, b)
		m.Size = count[a] + count[b]
		parent[a], parent[b], count[h.points+i] = h.points+i, h.points+i, m.Size
	}
}

// Cut returns the cluster of each point, where k clusters are left, numbered from 0 by their first points. It panics unless k is
// from 1 to the number of points.
func (h *Hierarchy) Cut(k int) []int {
	if k < 1 || k > h.points {
		panic(fmt.Sprintf("dataset: number of clusters is %d, must be from 1 to the number of points, %d", k, h.points))
	}
	parent := make([]int, 2*h.points)
	for i, m := range h.Merges[:h.points-k] {
		parent[m.A], parent[m.B] = h.points+i, h.points+i
	}
	numbers, labels := map[int]int{}, make([]int, h.points)
	for i := range labels {
		at := i
		for parent[at] != 0 {
			at = parent[at]
		}
		if _, known := numbers[at]; !known {
			numbers[at] = len(numbers)
		}
		labels[i] = numbers[at]
	}
	return labels
}
