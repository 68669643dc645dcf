"""Particle mirror descent beside NumPy: the tied mixture of Dai 2018, section 4.6.1, 1,000 observations in batches of 10.

    python3 bench/inference/bench.py [--rounds N] [--threads 1 2] [--cases whole]

The NumPy program does the same steps: Gram products over blocks of 128 particles, in place, so that a block stays in cache;
likelihoods of all particles and the batch at once. Both sides draw numbers of their own: the posterior's mean of |theta_2|
and of theta_2^2 must agree to 10 percent after a whole run, and roughly where a run is cut short and the batches that it saw
decide.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import sides

CASES = [
    sides.Case("1,500 particles, 200 kernel steps", "kernel", "NumPy", "kernel", 10, sides.relative(0.6)),
    sides.Case("1,500 particles, 2,000 steps of weights", "weights", "NumPy", "weights", 10, sides.relative(0.3)),
    sides.Case("whole run: 200 kernel steps and 1,800", "whole", "NumPy", "whole", 10, sides.relative(0.1)),
]

if __name__ == "__main__":
    sides.main(pathlib.Path(__file__).resolve().parent, CASES, __doc__)
