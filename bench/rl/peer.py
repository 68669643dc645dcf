"""The Gymnasium side of the benchmark: see bench.py."""

import json
import sys
import time

import gymnasium
import numpy as np


def act(space, i):
    if isinstance(space, gymnasium.spaces.Discrete):
        return i * i // 3 % int(space.n)
    return np.array([i * i % 17 / 8 - 1])


def single(name):
    env = gymnasium.make(name)
    env.reset(seed=1)
    plain = env.unwrapped
    size = len(plain.state)
    plain.state = np.array([0.01 * (i + 1) for i in range(size)])
    actions = [act(env.action_space, i) for i in range(1024)]
    for i in range(10):
        shown = env.step(actions[i])[0]
    values = [float(v) for v in shown]
    env.reset()
    steps = 2000
    began = time.perf_counter()
    for i in range(steps):
        _, _, terminated, truncated, _ = env.step(actions[i % 1024])
        if terminated or truncated:
            env.reset()
    return (time.perf_counter() - began) * 1000 / steps, values


def vector():
    n, steps = 4096, 200
    env = gymnasium.make_vec("CartPole-v1", num_envs=n, vectorization_mode="vector_entry_point")
    env.reset(seed=1)
    actions = np.array([i * i // 3 % 2 for i in range(n)])
    env.step(actions)
    began = time.perf_counter()
    for _ in range(steps):
        env.step(actions)
    return (time.perf_counter() - began) * 1000 / (n * steps), [n]


print(json.dumps({}), flush=True)
for line in sys.stdin:
    case = line.strip()
    seconds, values = vector() if case == "vector" else single(case)
    print(json.dumps({"seconds": seconds, "values": values}), flush=True)
