"""MAB-FDR beside NumPy: figure 4.7 of Yang 2018 at M = 300, 500 hypotheses, 50 Gaussian arms, LORD 3, adaptive sampling.

    python3 bench/mabfdr/bench.py [--rounds N] [--threads 1 2]

The NumPy program does the same algorithm one pull at a time with vectors over arms; in the second case over arms and
over 50 runs that go side by side. Seconds are for one run in the first case, for 50 in the second. Both sides draw
rewards of their own: mean pulls and discovery rates must agree to 3 percent.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import sides

CASES = [
    sides.Case("one run, vectors over arms", "1", "NumPy", "1", 50, sides.relative(0.03)),
    sides.Case("50 runs, vectors over arms and runs", "50", "NumPy", "50", 1, sides.relative(0.03)),
]

if __name__ == "__main__":
    sides.main(pathlib.Path(__file__).resolve().parent, CASES, __doc__)
