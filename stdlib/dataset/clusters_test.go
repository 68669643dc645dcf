package dataset_test

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"gaucho/stdlib/dataset"
)

// A clusterCase is points, and what SciPy and scikit-learn found: testdata/clusters.py has the commands.
type clusterCase struct {
	X                             [][]float64
	K                             int
	Within                        float64
	Labels                        []int
	Silhouette, Variances, Shares []float64
	Loadings                      [][]float64
	Linkage                       map[dataset.Linkage][][4]float64
	Cut                           map[dataset.Linkage][]int
}

func clusterCases(t *testing.T) (cases []clusterCase) {
	t.Helper()
	data, err := os.ReadFile("testdata/clusters.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &cases); err != nil || len(cases) < 3 {
		t.Fatalf("%d cases: %v", len(cases), err)
	}
	return cases
}

func (c clusterCase) points() *mat.Dense {
	X := mat.NewDense(len(c.X), len(c.X[0]), nil)
	for i, row := range c.X {
		X.SetRow(i, row)
	}
	return X
}

// samePartition reports whether labels put points together that others do.
func samePartition(a, b []int) bool {
	there, back := map[int]int{}, map[int]int{}
	for i := range a {
		if x, ok := there[a[i]]; ok && x != b[i] {
			return false
		}
		if y, ok := back[b[i]]; ok && y != a[i] {
			return false
		}
		there[a[i]], back[b[i]] = b[i], a[i]
	}
	return true
}

func TestKMeans(t *testing.T) {
	ctx := context.Background()
	for _, c := range clusterCases(t) {
		got, err := dataset.KMeans(ctx, c.points(), c.K, 200, rand.New(rand.NewPCG(1, 2)))
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got.Within-c.Within) > 1e-9*c.Within || !samePartition(got.Labels, c.Labels) {
			t.Errorf("%d points: %v %v; scikit-learn has %v %v", len(c.X), got.Within, got.Labels, c.Within, c.Labels)
		}
		s, err := dataset.Silhouette(ctx, c.points(), c.Labels)
		if err != nil {
			t.Fatal(err)
		}
		for i := range s {
			if math.Abs(s[i]-c.Silhouette[i]) > 1e-12 {
				t.Errorf("silhouette of point %d is %v, scikit-learn has %v", i, s[i], c.Silhouette[i])
			}
		}
	}
}

// TestKMeansLeast compares with all partitions of eight points, and holds a cluster for each point, and points that are equal.
func TestKMeansLeast(t *testing.T) {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(3, 4))
	const n, k = 8, 3
	X := mat.NewDense(n, 2, nil)
	for i := range n {
		X.SetRow(i, []float64{rng.NormFloat64(), rng.NormFloat64()})
	}
	least := math.Inf(1)
	for code := range 6561 { // 3^8
		labels, rest := make([]int, n), code
		for i := range labels {
			labels[i], rest = rest%k, rest/k
		}
		least = min(least, within(X, labels, k))
	}
	c, err := dataset.KMeans(ctx, X, k, 50, rng)
	if err != nil || math.Abs(c.Within-least) > 1e-12 || math.Abs(within(X, c.Labels, k)-least) > 1e-12 {
		t.Errorf("%+v, %v; the least is %v", c, err, least)
	}
	if c, err := dataset.KMeans(ctx, X, n, 5, rng); err != nil || c.Within > 1e-20 {
		t.Errorf("a cluster for each point: %+v, %v", c, err)
	}
	if c, err := dataset.KMeans(ctx, mat.NewDense(5, 2, nil), 3, 2, rng); err != nil || c.Within != 0 {
		t.Errorf("five equal points: %+v, %v", c, err)
	}
}

// TestClustersAtScales: clusters are the same whatever the unit of the points is.
func TestClustersAtScales(t *testing.T) {
	ctx, c := context.Background(), clusterCases(t)[1]
	for _, unit := range []float64{1e-170, 1e170} {
		X := c.points()
		X.Scale(unit, X)
		got, err := dataset.KMeans(ctx, X, c.K, 50, rand.New(rand.NewPCG(1, 2)))
		if err != nil || !samePartition(got.Labels, c.Labels) {
			t.Errorf("in units of %v: %v, %v", unit, got, err)
		}
		s, err := dataset.Silhouette(ctx, X, c.Labels)
		if err != nil || math.Abs(s[3]-c.Silhouette[3]) > 1e-12 {
			t.Errorf("in units of %v the silhouette is %v, %v; want %v", unit, s[3], err, c.Silhouette[3])
		}
		h, err := dataset.Agglomerate(ctx, X, dataset.Ward)
		if want := c.Linkage[dataset.Ward]; err != nil || math.Abs(h.Merges[len(want)-1].Height/unit/want[len(want)-1][2]-1) > 1e-9 {
			t.Errorf("in units of %v the last merge is %v, %v; want %v", unit, h.Merges[len(want)-1], err, want[len(want)-1])
		}
	}
}

func within(X *mat.Dense, labels []int, k int) float64 {
	n, d := X.Dims()
	total := 0.0
	for c := range k {
		for j := range d {
			var sum, squares, count float64
			for i := range n {
				if labels[i] == c {
					sum, squares, count = sum+X.At(i, j), squares+X.At(i, j)*X.At(i, j), count+1
				}
			}
			if count > 0 {
				total += squares - sum*sum/count
			}
		}
	}
	return total
}

func TestAgglomerate(t *testing.T) {
	for _, c := range clusterCases(t) {
		for linkage, want := range c.Linkage {
			h, err := dataset.Agglomerate(context.Background(), c.points(), linkage)
			if err != nil || len(h.Merges) != len(want) {
				t.Fatalf("%s: %v, %v", linkage, h, err)
			}
			for i, m := range h.Merges {
				if w := want[i]; float64(m.A) != w[0] || float64(m.B) != w[1] || math.Abs(m.Height-w[2]) > 1e-9 || float64(m.Size) != w[3] {
					t.Errorf("%s, merge %d: %+v, SciPy has %v", linkage, i, m, w)
				}
			}
			if got := h.Cut(c.K); !samePartition(got, c.Cut[linkage]) {
				t.Errorf("%s cut to %d: %v, SciPy has %v", linkage, c.K, got, c.Cut[linkage])
			}
		}
	}
}

func TestPCAVariances(t *testing.T) {
	for _, c := range clusterCases(t) {
		_, d := c.points().Dims()
		p, err := dataset.NewPCA(context.Background(), c.points(), d)
		if err != nil {
			t.Fatal(err)
		}
		loadings := p.Loadings()
		for k := range d {
			if v := p.Variances()[k]; math.Abs(v-c.Variances[k]) > 1e-10*c.Variances[0] || math.Abs(p.Shares()[k]-c.Shares[k]) > 1e-12 {
				t.Errorf("direction %d has variance %v, %v of all; scikit-learn has %v, %v", k, v, p.Shares()[k], c.Variances[k], c.Shares[k])
			}
			sign := 1.0
			if loadings.At(0, k)*c.Loadings[0][k] < 0 {
				sign = -1
			}
			for j := range d {
				if math.Abs(sign*loadings.At(j, k)-c.Loadings[j][k]) > 1e-9 {
					t.Errorf("loading %d of direction %d is %v, scikit-learn has %v", j, k, loadings.At(j, k), c.Loadings[j][k])
				}
			}
		}
		first, err := dataset.NewPCA(context.Background(), c.points(), 1)
		if err != nil || math.Abs(first.Shares()[0]-c.Shares[0]) > 1e-12 {
			t.Errorf("one direction: %v, %v; want %v", first.Shares(), err, c.Shares[0])
		}
	}
}

// TestFolds: each row is tested with once, and never fitted to and tested with in one fold.
func TestFolds(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, c := range [][2]int{{10, 2}, {11, 3}, {5, 5}, {100, 7}} {
		n, k := c[0], c[1]
		folds, err := dataset.Folds(n, k, rng)
		if err != nil || len(folds) != k {
			t.Fatal(folds, err)
		}
		tested := make([]int, n)
		for _, f := range folds {
			if size := len(f.Test); size != n/k && size != n/k+1 {
				t.Errorf("%d rows in a fold of %d in %d", size, n, k)
			}
			for _, i := range f.Test {
				tested[i]++
			}
			if all := slices.Sorted(slices.Values(slices.Concat(f.Train, f.Test))); !slices.Equal(all, counting(n)) {
				t.Errorf("a fold of %d rows has %v", n, all)
			}
		}
		if slices.Min(tested) != 1 || slices.Max(tested) != 1 {
			t.Errorf("rows are tested with %v times", tested)
		}
	}
	f, err := dataset.TrainTest(10, 0.25, rng)
	if err != nil || len(f.Test) != 3 || !slices.Equal(slices.Sorted(slices.Values(slices.Concat(f.Train, f.Test))), counting(10)) {
		t.Errorf("a quarter of 10 rows: %v, %v", f, err)
	}
	for _, bad := range []float64{0, 1, -1, math.NaN(), 0.99} {
		if _, err := dataset.TrainTest(3, bad, rng); err == nil {
			t.Errorf("a share of %v of 3 rows", bad)
		}
	}
	if got := dataset.RowsOf(mat.NewDense(3, 1, []float64{5, 6, 7}), []int{2, 0}); got.At(0, 0) != 7 || got.At(1, 0) != 5 {
		t.Errorf("rows 2 and 0 are %v", got)
	}
}

func counting(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
