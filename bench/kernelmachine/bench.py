"""Package kernelmachine beside NumPy programs of the same steps and scikit-learn.

    python3 bench/kernelmachine/bench.py [--rounds N] [--threads 1 2] [--cases ridge]

Both sides see the same points and the same frequencies; gaucho makes those of the doubly stochastic machine from its seed
within its time, NumPy reads them from memory. NumPy works on 1,024 points at a time and in place, which is faster than
all at once. Outputs must agree to 1e-6. What gaucho alone does with 2^20 points, as the text has it:

    go run ./bench/kernelmachine -alone [-points 1048576] [-size 1024]
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import sides

CASES = [
    sides.Case("4,096 random features, 2^15 points, d=2", "features 2", "NumPy", "features 2", 10, sides.relative(1e-6)),
    sides.Case("the same, d=50", "features 50", "NumPy", "features 50", 5, sides.relative(1e-6)),
    sides.Case("the adjoint, d=2", "adjoint", "NumPy", "adjoint", 10, sides.relative(1e-6)),
    sides.Case("doubly stochastic ridge, 2^14, blocks of 2^8", "doubly 64", "NumPy", "doubly 64", 10, sides.relative(1e-6)),
    sides.Case("doubly stochastic ridge, 2^16, blocks of 2^8", "doubly 256", "NumPy", "doubly 256", 10, sides.relative(1e-6)),
    sides.Case("NORMA, 2^14 points, batches of 2^8", "norma", "NumPy", "norma", 1, sides.relative(1e-6)),
    sides.Case("exact ridge, n=2,048", "ridge", "scikit-learn", "ridge", 1, sides.relative(1e-6)),
    sides.Case("Gaussian process, n=2,048, 1,024 variances", "process", "scikit-learn", "process", 1, sides.relative(1e-6)),
]

if __name__ == "__main__":
    sides.main(pathlib.Path(__file__).resolve().parent, CASES, __doc__)
