package dataset

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestClassificationGenerators(t *testing.T) {
	for name, c := range map[string]struct {
		make   func(int, *rand.Rand) (*Classification, error)
		d      int
		lo, hi float64 // share of the label 1
	}{
		"chem-like": {ChemLike, 101, .02, .35},
		"cov-like":  {CovLike, 55, .1, .9},
		"web-like":  {WebLike, 128, .3, .8},
	} {
		a, err := c.make(2000, rand.New(rand.NewPCG(3, 1)))
		if err != nil {
			t.Fatal(err)
		}
		b, err := c.make(2000, rand.New(rand.NewPCG(3, 1)))
		if err != nil {
			t.Fatal(err)
		}
		n, d := a.X.Dims()
		if n != 2000 || d != c.d || a.Name != name || a.Len() != 2000 {
			t.Errorf("%s: %d x %d, %q", name, n, d, a.Name)
		}
		var ones float64
		for i, y := range a.Y {
			ones += y / 2000
			if a.X.At(i, d-1) != 1 || (y != 0 && y != 1) || a.X.At(i, 3) != b.X.At(i, 3) || y != b.Y[i] {
				t.Fatalf("%s: row %d", name, i)
			}
		}
		if ones < c.lo || ones > c.hi {
			t.Errorf("%s: share of ones %v", name, ones)
		}
		part, rest, err := a.Split(.1, rand.New(rand.NewPCG(1, 1)))
		if err != nil || part.Len() != 200 || rest.Len() != 1800 {
			t.Errorf("%s: split into %d and %d (%v)", name, part.Len(), rest.Len(), err)
		}
		if _, err := c.make(3, rand.New(rand.NewPCG(1, 1))); err == nil {
			t.Errorf("%s: no error for 3 points", name)
		}
	}
}

func TestReadLIBSVM(t *testing.T) {
	c, err := ReadLIBSVM(strings.NewReader("+1 1:0.5 3:-2 # note\n\n-1 2:1e1\n"), "toy")
	if err != nil {
		t.Fatal(err)
	}
	want := [][]float64{{.5, 0, -2, 1}, {0, 10, 0, 1}}
	for i, row := range want {
		for j, v := range row {
			if c.X.At(i, j) != v {
				t.Errorf("X[%d,%d] = %v, want %v", i, j, c.X.At(i, j), v)
			}
		}
	}
	if c.Y[0] != 1 || c.Y[1] != 0 {
		t.Errorf("labels %v", c.Y)
	}
	for text, want := range map[string]string{
		"":                "dataset: toy has no points",
		"x 1:2":           `dataset: toy, line 1: label is "x", must be a finite number`,
		"1 1:2\n1 2":      `dataset: toy, line 2: entry is "2", must be index:value`,
		"1 2:1 2:3":       "dataset: toy, line 1: index 2 follows 2, must increase from 1",
		"1 1:NaN":         `dataset: toy, line 1: entry is "1:NaN", must be index:value`,
		"1 1:1\n2\n3 1:1": "dataset: toy has the labels 1, 2 and 3, must have two",
	} {
		if _, err := ReadLIBSVM(strings.NewReader(text), "toy"); err == nil || err.Error() != want {
			t.Errorf("%q: error is %v, want %s", text, err, want)
		}
	}
}

func TestReadCSV(t *testing.T) {
	c, err := ReadCSV(strings.NewReader("a,b,class\n1,2,0\n3,4,1\n"), "toy", -1)
	if err != nil {
		t.Fatal(err)
	}
	if c.X.At(1, 0) != 3 || c.X.At(1, 1) != 4 || c.X.At(1, 2) != 1 || c.Y[1] != 1 || c.Y[0] != 0 {
		t.Errorf("read %v %v", c.X, c.Y)
	}
	c, err = ReadCSV(strings.NewReader("2,7.5\n1,8\n"), "toy", 0)
	if err != nil || c.Y[0] != 1 || c.X.At(0, 0) != 7.5 {
		t.Errorf("label in front: %v, %v", c, err)
	}
	for text, want := range map[string]string{
		"":       "dataset: toy has no points",
		"1,x\n":  `dataset: toy, record 1, column 2 is "x", must be a finite number`,
		"1\n2\n": "dataset: toy: label column does not exist, there are 1 columns",
	} {
		if _, err := ReadCSV(strings.NewReader(text), "toy", 0); err == nil || err.Error() != want {
			t.Errorf("%q: error is %v, want %s", text, err, want)
		}
	}
}

func TestBreastCancer(t *testing.T) {
	c, err := BreastCancer()
	if err != nil {
		t.Fatal(err)
	}
	n, d := c.X.Dims()
	var benign float64
	for _, y := range c.Y {
		benign += y
	}
	// The counts of the documentation: 357 benign, 212 malignant; mean radius from
	// 6.981 to 28.11.
	if n != 569 || d != 31 || benign != 357 {
		t.Errorf("%d x %d, %v benign", n, d, benign)
	}
	lo, hi := c.X.At(0, 0), c.X.At(0, 0)
	for i := range n {
		lo, hi = min(lo, c.X.At(i, 0)), max(hi, c.X.At(i, 0))
	}
	if lo != 6.981 || hi != 28.11 {
		t.Errorf("mean radius from %v to %v", lo, hi)
	}
	s := c.Standardize()
	var mean, square float64
	for i := range n {
		mean += s.X.At(i, 5) / 569
		square += s.X.At(i, 5) * s.X.At(i, 5) / 569
		if s.X.At(i, 30) != 1 {
			t.Fatal("the constant column has changed")
		}
	}
	if mean > 1e-12 || mean < -1e-12 || square < 1-1e-9 || square > 1+1e-9 {
		t.Errorf("standardised mean %v, square %v", mean, square)
	}
}
