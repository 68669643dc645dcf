"""Package rl beside Gymnasium: steps of single environments, and of 4,096 carts that step together.

    python3 bench/rl/bench.py [--rounds N] [--threads 1 2] [--cases CartPole]

Both sides take the same actions from the same start, and the states after ten steps must agree to 1e-6 (Gymnasium shows
float32); then each does 20,000 steps (2,000 in Python), or 200 of all carts, with a reset where an episode ends, and says
how long 1,000 steps took.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import sides

AGREE = sides.relative(1e-6)
CASES = [sides.Case(f"{name}, 1,000 steps", name, "Gymnasium", name, 40, AGREE) for name in ("CartPole-v1", "Pendulum-v1", "Acrobot-v1")]
CASES.append(sides.Case("CartPole-v1, 4,096 at a time, 1,000 steps", "vector", "Gymnasium", "vector", 1, AGREE))

if __name__ == "__main__":
    sides.main(pathlib.Path(__file__).resolve().parent, CASES, __doc__)
