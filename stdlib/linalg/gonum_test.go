package linalg

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"gaucho/stdlib/internal/asm"

	"gonum.org/v1/gonum/blas/testblas"
	"gonum.org/v1/gonum/lapack/testlapack"
)

// TestGonumSuites runs gonum's own tests of every function that is replaced,
// and of the factorizations that use them, on each path.
func TestGonumSuites(t *testing.T) {
	if testing.Short() {
		t.Skip("a long test, which has no short form")
	}
	UseGonum()
	onEachPath(t, suites)
	t.Run("all sizes in parallel", func(t *testing.T) {
		defer func(a float64, b int, c float64, d, e int) {
			serialWork, serialArea, smallWork, mirrorFrom, svdFrom = a, b, c, d, e
		}(serialWork, serialArea, smallWork, mirrorFrom, svdFrom)
		serialWork, serialArea, smallWork, mirrorFrom, svdFrom = 0, 0, 0, 0, 0
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
		suites(t)
		t.Run("Dgesvd", func(t *testing.T) { testlapack.DgesvdTest(t, LAPACK{}, 1e-13) }) // takes long: on one path
	})
}

func suites(t *testing.T) {
	t.Run("Dgemm", func(t *testing.T) { testblas.TestDgemm(t, BLAS{}) })
	t.Run("Dsyrk", func(t *testing.T) { testblas.DsyrkTest(t, BLAS{}) })
	t.Run("Dsyr2k", func(t *testing.T) { testblas.Dsyr2kTest(t, BLAS{}) })
	t.Run("Dtrsm", func(t *testing.T) { testblas.DtrsmTest(t, BLAS{}) })
	t.Run("Dtrmm", func(t *testing.T) { testblas.DtrmmTest(t, BLAS{}) })
	t.Run("Dgemv", func(t *testing.T) { testblas.DgemvTest(t, BLAS{}) })
	t.Run("Dsymv", func(t *testing.T) { testblas.DsymvTest(t, BLAS{}) })
	t.Run("Dger", func(t *testing.T) { testblas.DgerTest(t, BLAS{}) })
	t.Run("Dpotrf", func(t *testing.T) { testlapack.DpotrfTest(t, LAPACK{}) })
	t.Run("Dgetrf", func(t *testing.T) { testlapack.DgetrfTest(t, LAPACK{}) })
	t.Run("Dgetrs", func(t *testing.T) { testlapack.DgetrsTest(t, LAPACK{}) })
	t.Run("Dgetri", func(t *testing.T) { testlapack.DgetriTest(t, LAPACK{}) })
	t.Run("Dpotrs", func(t *testing.T) { testlapack.DpotrsTest(t, LAPACK{}) })
	t.Run("Dsyev", func(t *testing.T) { testlapack.DsyevTest(t, LAPACK{}) })
	t.Run("Dgeqrf", func(t *testing.T) { testlapack.DgeqrfTest(t, LAPACK{}) })
}

// onEachPath runs f with each set of kernels that this machine has.
func onEachPath(t *testing.T, f func(t *testing.T)) {
	for _, l := range asm.Levels() {
		t.Run(l.String(), func(t *testing.T) {
			defer asm.Force(asm.Force(l))
			f(t)
		})
	}
}

// TestGodebug checks that GODEBUG chooses the path: this binary again, which
// prints the path it is on.
func TestGodebug(t *testing.T) {
	if os.Getenv("LINALG_PRINT_PATH") != "" {
		os.Stdout.WriteString("path=" + asm.Current().String() + "\n")
		return
	}
	for _, c := range []struct {
		godebug string
		most    asm.Level
	}{{"", asm.AVX512}, {"cpu.avx512f=off", asm.AVX2}, {"cpu.all=off", asm.Portable}} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestGodebug$")
		cmd.Env = append(os.Environ(), "LINALG_PRINT_PATH=1", "GODEBUG="+strings.Trim(os.Getenv("GODEBUG")+","+c.godebug, ","))
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		want := "path=" + min(asm.Best(), c.most).String() + "\n"
		if len(out) < len(want) || string(out[:len(want)]) != want {
			t.Errorf("GODEBUG=%s: %q, want %q", c.godebug, out, want)
		}
	}
}
