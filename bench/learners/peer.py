"""The Stable-Baselines3 side of the benchmark: see bench.py."""

import json
import os
import sys
import time

import gymnasium
import sb3_contrib
import stable_baselines3
import torch
from stable_baselines3.common.evaluation import evaluate_policy

torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))


def run(method, environment, steps, seed):
    maker = getattr(stable_baselines3, method, None) or getattr(sb3_contrib, method)
    learner = maker("MlpPolicy", gymnasium.make(environment), seed=seed, device="cpu")
    began = time.process_time()
    learner.learn(steps)
    seconds = time.process_time() - began
    mean, _ = evaluate_policy(learner, gymnasium.make(environment), 10, warn=False)
    return {"return": float(mean), "seconds": seconds, "steps": learner.num_timesteps}


print(json.dumps({}), flush=True)
for line in sys.stdin:
    method, environment, steps, seed = line.split()
    print(json.dumps(run(method, environment, int(steps), int(seed))), flush=True)
