"""Packages herding and filtering beside NumPy programs of the same algorithms, goodpoints and particles.

    python3 bench/herding/bench.py [--rounds N] [--threads 1 2] [--cases SBQ]

Both sides choose from the same points, and the first hundred choices must be the same. Filters see the same data and draw
numbers of their own: root mean square errors and log-likelihoods differ by no more than chance may make them. What a side
loads or compiles at its first use is not timed. goodpoints takes the kernel from its user: here plain NumPy.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import sides
from sides import Case, absolute, same

# particles needs an older NumPy.
GOODPOINTS = ("requirements-goodpoints.txt", ".venv")
PARTICLES = ("requirements-particles.txt", ".venv-particles")

CASES = [
    Case("FW, K=100 d=2 M=50,000 N=1,000", "fw", "NumPy", "fw", 2, same),
    Case("herding 8,192 to 256", "subset", "goodpoints", "goodpoints subset", 30, same, GOODPOINTS),
    Case("herding 8,192 to 256", "subset", "NumPy", "subset", 2, same),
    Case("SBQ, 500 of 10,000 points", "sbq", "NumPy", "sbq", 1, same),
    Case("SKH-FW, nonlinear, T=100 N=100 M=5,000", "skh-fw", "NumPy", "skh-fw", 2, absolute(1)),
    Case("SKH-FCFW, the same", "skh-fcfw", "NumPy", "skh-fcfw", 2, absolute(1)),
    Case("bootstrap filter, T=1,000 N=10^3", "bootstrap-1e3", "particles", "particles bootstrap-1e3", 20, absolute(40), PARTICLES),
    Case("bootstrap filter, T=1,000 N=10^3", "bootstrap-1e3", "NumPy", "bootstrap-1e3", 2, absolute(40)),
    Case("bootstrap filter, T=1,000 N=10^5", "bootstrap-1e5", "particles", "particles bootstrap-1e5", 10, absolute(4), PARTICLES),
    Case("bootstrap filter, T=1,000 N=10^5", "bootstrap-1e5", "NumPy", "bootstrap-1e5", 2, absolute(4)),
    Case("SQMC, T=1,000 N=8,192", "sqmc", "particles", "particles sqmc", 5, absolute(6), PARTICLES),
]

if __name__ == "__main__":
    sides.main(pathlib.Path(__file__).resolve().parent, CASES, __doc__)
