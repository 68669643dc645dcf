"""Learners of package rl beside Stable-Baselines3 (TRPO from sb3-contrib), each at its defaults.

    python3 bench/learners/bench.py [--rounds N] [--share S] [--cases SAC]

Both sides learn for the stated steps of environments that equal Gymnasium's step for step, a seed a round, then play ten
episodes by mean or likeliest actions. Times are the processor time of 1,000 steps of training, the evaluation not counted,
with one thread for each side, which is torch's best for networks of this size; so a seed runs on each processor. Defaults differ
in what is learned from a step: A2C of ours updates once in 128 steps, Stable-Baselines3's once in 5; DQN of ours learns from 64
steps at every second, theirs from 32 at every fourth. The note has the median of the returns and its quartiles. The cheetah is
the library's own and has no peer; its goal is 200,000 steps a minute. --share 0.1 does a tenth of the steps. The environment of
its own takes 5.4 GB, as torch brings its libraries for accelerators.
"""

import concurrent.futures
import os
import pathlib
import queue
import statistics
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))
import sides
from record import Record, versions

CASES = [  # method, environment, steps, goal
    ("PPO", "CartPole-v1", 50000, 5), ("A2C", "CartPole-v1", 50000, 5), ("DQN", "CartPole-v1", 50000, 5), ("TRPO", "CartPole-v1", 50000, None),
    ("PPO", "Acrobot-v1", 50000, 5), ("A2C", "Acrobot-v1", 50000, 5), ("DQN", "Acrobot-v1", 50000, 5),
    ("PPO", "MountainCar-v0", 50000, None), ("A2C", "MountainCar-v0", 50000, None), ("DQN", "MountainCar-v0", 50000, None),
    ("SAC", "Pendulum-v1", 10000, 5), ("DDPG", "Pendulum-v1", 10000, 5),
    ("SAC", "MountainCarContinuous-v0", 10000, None), ("DDPG", "MountainCarContinuous-v0", 10000, None),
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


class Pairs:
    """Both sides once for each processor; a pair runs a case on one side, then on the other."""

    def __init__(self, *commands):
        count = os.cpu_count()
        self.pool = concurrent.futures.ThreadPoolExecutor(count)
        self.free = queue.SimpleQueue()
        self.all = [[sides.Side(command, 1) for command in commands] for _ in range(count)]
        for pair in self.all:
            self.free.put(pair)

    def one(self, case, which):
        pair = self.free.get()
        answers = [pair[i].run(case) for i in which]
        self.free.put(pair)
        return answers

    def run(self, cases, which=(0, 1)):
        """The answers to the cases: those of each side."""
        return list(zip(*self.pool.map(lambda case: self.one(case, which), cases)))

    def close(self):
        self.pool.shutdown()
        for side in sum(self.all, []):
            side.close()


def times(answers):
    return [1000 * a["seconds"] / a["steps"] for a in answers]


def main():
    parser = sides.flags(__doc__, rounds=10)
    parser.add_argument("--share", type=float, default=1)
    parser.add_argument("--cases", nargs="*", help="methods or environments; they are not recorded")
    args = parser.parse_args()
    chosen = lambda *names: not args.cases or any(name in args.cases for name in names)
    with tempfile.TemporaryDirectory(prefix="gaucho-bench-") as scratch:
        binary = sides.build(FOLDER, pathlib.Path(scratch) / "side")
        python = sides.environment(FOLDER)
        record = Record(FOLDER, __doc__, versions(python, FOLDER / "requirements.txt"))
        pairs = Pairs([binary], [python, "-W", "ignore", FOLDER / "peer.py"])
        seeds = lambda method, environment, steps: [f"{method} {environment} {int(steps * args.share)} {seed}" for seed in range(1, args.rounds + 1)]
        for method, environment, steps, goal in CASES:
            if chosen(method, environment):
                ours, theirs = pairs.run(seeds(method, environment, steps))
                note = f"returns {spread(ours)}, theirs {spread(theirs)}"
                record.row(f"{method}, {environment}, 1,000 steps", times(ours), "Stable-Baselines3", times(theirs), goal=goal, threads=1, note=note)
        for method, steps, most in CHEETAH:
            if chosen(method, "cheetah"):
                [ours] = pairs.run(seeds(method, "cheetah", steps), which=[0])
                record.row(f"{method}, cheetah, 1,000 steps", times(ours), most=most, threads=1, note=f"returns {spread(ours)}")
        pairs.close()
        record.close(args.record and not args.cases and args.share == 1)


if __name__ == "__main__":
    main()
