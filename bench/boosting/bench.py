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
    ("squared loss, products with K", "squared", "squared", 1, 1e-8),
    ("logistic loss, products with K", "logistic", "logistic", 1, 1e-8),
    ("squared loss, eigenvalue form", "eigen", "eigen", 2, 1e-8),
]

if __name__ == "__main__":
    sides.main(pathlib.Path(__file__).resolve().parent, CASES, __doc__)
