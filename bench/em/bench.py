"""Package em beside hmmlearn 0.3.3 with implementation="scaling" and no priors: 8 states, 10 dimensions, 10^5 steps.

    python3 bench/em/bench.py [--rounds N] [--threads 1 2] [--cases full]

Both sides do ten iterations of Baum-Welch from the same start on the same data; gaucho's likelihood of the last model,
which hmmlearn does not compute, is in its time. Log-likelihoods of all iterations must agree to 1e-9, Viterbi's path
and log density too.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import sides

CASES = [
    sides.Case("Baum-Welch, diagonal, 10 iterations", "diagonal", "hmmlearn", "diagonal", 4, sides.relative(1e-9)),
    sides.Case("Baum-Welch, full, 10 iterations", "full", "hmmlearn", "full", 4, sides.relative(1e-9)),
    sides.Case("Viterbi", "viterbi", "hmmlearn", "viterbi", 4, sides.relative(1e-9)),
]

if __name__ == "__main__":
    sides.main(pathlib.Path(__file__).resolve().parent, CASES, __doc__)
