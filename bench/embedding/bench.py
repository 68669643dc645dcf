"""Package embedding beside NumPy programs of the same steps.

    python3 bench/embedding/bench.py [--rounds N] [--threads 1 2] [--cases table]

Both sides see the same data and the same frequencies in the same order, so values must agree to 1e-6. The first two cases are
the shapes of Dai 2018, section 5.6: noisy measurements with ten draws for each point, and the value of a policy in navigation.
NumPy works in float64 and in place, a batch at a time.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import sides

CASES = [
    sides.Case("measurements, 500 steps, 50 x 10, 400 features", "measurements", "NumPy", "measurements", 2, sides.relative(1e-6)),
    sides.Case("navigation, 500 steps, batch 20, 1024 features", "navigation", "NumPy", "navigation", 2, sides.relative(1e-6)),
    sides.Case("GTD2, 2000 steps, batch 20, 256 features", "gtd2", "NumPy", "gtd2", 2, sides.relative(1e-6)),
    sides.Case("kernel form, 200 steps, batch 20", "kernel", "NumPy", "kernel", 2, sides.relative(1e-6)),
    sides.Case("table of 25 cells, 5000 steps, batch 25", "table", "NumPy", "table", 2, sides.relative(1e-6)),
]

if __name__ == "__main__":
    sides.main(pathlib.Path(__file__).resolve().parent, CASES, __doc__)
