"""Learners of package rl beside Stable-Baselines3 (TRPO from sb3-contrib), each at its defaults.

    python3 bench/learners/bench.py [--seeds N] [--threads T] [--share S] [--cases SAC]

Both sides learn for the stated steps of environments that equal Gymnasium's step for step, then play ten episodes by mean
or likeliest actions. For each case a line: the median of these returns over seeds, its quartiles, and environment steps a
second of training, the evaluation not counted. The sides take turns, so that they see the same machine. --share 0.1 does a
tenth of the steps. The environment of its own takes 5.4 GB, as torch brings its libraries for accelerators.
"""

import argparse
import pathlib
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import sides

CASES = [
    ("PPO", "CartPole-v1", 50000), ("A2C", "CartPole-v1", 50000), ("DQN", "CartPole-v1", 50000), ("TRPO", "CartPole-v1", 50000),
    ("PPO", "Acrobot-v1", 50000), ("A2C", "Acrobot-v1", 50000), ("DQN", "Acrobot-v1", 50000),
    ("PPO", "MountainCar-v0", 50000), ("DQN", "MountainCar-v0", 50000),
    ("SAC", "Pendulum-v1", 10000), ("DDPG", "Pendulum-v1", 10000), ("SAC", "MountainCarContinuous-v0", 10000),
]


def spread(values):
    if len(values) < 2:
        return f"{values[0]:.0f}"
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return f"{middle:.0f} ({low:.0f} to {high:.0f})"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--share", type=float, default=1)
    parser.add_argument("--cases", nargs="*", help="methods or environments; all without")
    options = parser.parse_args()
    folder = pathlib.Path(__file__).resolve().parent
    program = folder / ".venv" / "learners"
    python = sides.environment(folder)
    subprocess.run(["go", "build", "-o", program, "."], cwd=folder, check=True)
    pair = [sides.Side([program], options.threads), sides.Side([python, "-W", "ignore", folder / "peer.py"], options.threads)]
    print("| method | environment | steps | Gaucho | Stable-Baselines3 | steps a second | theirs | ratio |\n|---|---|---|---|---|---|---|---|")
    for method, environment, steps in CASES:
        if options.cases and method not in options.cases and environment not in options.cases:
            continue
        steps = int(steps * options.share)
        answers = [[], []]
        for seed in range(1, options.seeds + 1):
            for side, to in zip(pair, answers):
                to.append(side.run(f"{method} {environment} {steps} {seed}"))
        returns = [spread([a["return"] for a in side]) for side in answers]
        rates = [statistics.median(a["steps"] / a["seconds"] for a in side) for side in answers]
        print(f"| {method} | {environment} | {steps} | {returns[0]} | {returns[1]} | {rates[0]:.0f} | {rates[1]:.0f} | {rates[0] / rates[1]:.1f} |", flush=True)
    for side in pair:
        side.close()
