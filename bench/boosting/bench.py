"""Package boosting beside NumPy programs of the same algorithms: n = 2,000, 1,000 iterations, Gaussian kernel in 5 dimensions.

    python3 bench/boosting/bench.py [--rounds N] [--threads 1 2] [--cases logistic]

The kernel matrix, and in the last case its decomposition, is given to both sides. Each records the loss of every
iteration; losses and fits must agree to 1e-8.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import sides

CASES = [
    sides.Case("squared loss, products with K", "squared", "NumPy", "squared", 1, sides.relative(1e-8)),
    sides.Case("logistic loss, products with K", "logistic", "NumPy", "logistic", 1, sides.relative(1e-8)),
    sides.Case("squared loss, eigenvalue form", "eigen", "NumPy", "eigen", 2, sides.relative(1e-8)),
]

if __name__ == "__main__":
    sides.main(pathlib.Path(__file__).resolve().parent, CASES, __doc__)
