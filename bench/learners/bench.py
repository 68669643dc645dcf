"""Learners of package rl beside Stable-Baselines3 (TRPO from sb3-contrib), each at its defaults.

    python3 bench/learners/bench.py [--rounds N] [--share S] [--cases SAC]

Both sides learn for the stated steps of environments that equal Gymnasium's step for step, a seed a round, then play ten
episodes by mean or likeliest actions. Times are those of 1,000 steps of training, the evaluation not counted; the note
has the median of the returns and its quartiles. The cheetah is the library's own and has no peer; its goal is 200,000 steps a
minute. --share 0.1 does a tenth of the steps. The environment of its own takes 5.4 GB, as torch brings its libraries for
accelerators.
"""

import os
import pathlib
import statistics
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))
import sides
from record import Record, versions

CASES = [
    ("PPO", "CartPole-v1", 50000), ("A2C", "CartPole-v1", 50000), ("DQN", "CartPole-v1", 50000), ("TRPO", "CartPole-v1", 50000),
    ("PPO", "Acrobot-v1", 50000), ("A2C", "Acrobot-v1", 50000), ("DQN", "Acrobot-v1", 50000),
    ("PPO", "MountainCar-v0", 50000), ("DQN", "MountainCar-v0", 50000),
    ("SAC", "Pendulum-v1", 10000), ("DDPG", "Pendulum-v1", 10000), ("SAC", "MountainCarContinuous-v0", 10000),
]

# Without a peer: methods, and the most that 1,000 steps may take. PPO makes ten passes over the steps, in batches of 256.
CHEETAH = [("PPO", 100000, 0.3), ("TRPO", 100000, 0.3), ("A2C", 100000, 0.3)]


def spread(answers):
    """The returns in words."""
    values = [a["return"] for a in answers]
    if len(values) < 2:
        return f"{values[0]:.0f}"
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return f"{middle:.0f} ({low:.0f} to {high:.0f})"


def main():
    parser = sides.flags(__doc__, rounds=10)
    parser.add_argument("--share", type=float, default=1)
    parser.add_argument("--cases", nargs="*", help="methods or environments; they are not recorded")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gaucho-bench-") as scratch:
        binary = sides.build(FOLDER, pathlib.Path(scratch) / "side")
        python, threads = sides.environment(FOLDER), os.cpu_count()
        record = Record(FOLDER, __doc__, versions(python, FOLDER / "requirements.txt"))
        own, other = sides.Side([binary], threads), sides.Side([python, "-W", "ignore", FOLDER / "peer.py"], threads)
        for method, environment, steps in CASES:
            if args.cases and method not in args.cases and environment not in args.cases:
                continue
            cases = [f"{method} {environment} {int(steps * args.share)} {seed}" for seed in range(1, args.rounds + 1)]
            pairs = [(own.run(case), other.run(case)) for case in cases]
            ours, theirs = zip(*pairs)
            times = [[1000 * a["seconds"] / a["steps"] for a in side] for side in (ours, theirs)]
            note = f"returns {spread(ours)}, theirs {spread(theirs)}"
            record.row(f"{method}, {environment}, 1,000 steps", times[0], "Stable-Baselines3", times[1], note=note)
        for method, steps, most in CHEETAH:
            if args.cases and method not in args.cases and "cheetah" not in args.cases:
                continue
            ours = [own.run(f"{method} cheetah {int(steps * args.share)} {seed}") for seed in range(1, args.rounds + 1)]
            record.row(f"{method}, cheetah, 1,000 steps", [1000 * a["seconds"] / a["steps"] for a in ours], most=most, note=f"returns {spread(ours)}")
        own.close()
        other.close()
        record.close(args.record and not args.cases and args.share == 1)


if __name__ == "__main__":
    main()
