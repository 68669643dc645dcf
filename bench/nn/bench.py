"""Packages nn and rl beside JAX (compiled) and PyTorch on the CPU, in float64.

    python3 bench/nn/bench.py [--rounds N] [--threads 1 2] [--cases update]

"gradient" is forward, loss and backward of a 4-64-64-1 tanh network for 64 rows, 100 times: same weights and data, and loss
and gradient must agree to 1e-9. "update" is one of SBEED's on the pendulum, with 128 windows of ten steps, policies
of 100 random features, V and rho of two layers of 64: policy, V and rho are evaluated, rho takes a step of Adam, V and
policy another, 20 times. JAX does the same arithmetic on random windows of the same shapes, which are drawn outside of
the time; Go draws its windows and plays an episode within it.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import sides

CASES = [
    sides.Case("4-64-64-1, 64 rows: 100 gradients", "gradient", "JAX", "gradient", 1, sides.relative(1e-9)),
    sides.Case("4-64-64-1, 64 rows: 100 gradients", "gradient", "PyTorch", "gradient in PyTorch", 1.83, sides.relative(1e-9)),
    sides.Case("SBEED, 20 updates", "update", "JAX", "update", 1, sides.relative(1e-9)),
]

if __name__ == "__main__":
    sides.main(pathlib.Path(__file__).resolve().parent, CASES, __doc__)
